"""The one exception of the package."""


class Error(RuntimeError):
    """A call that was refused. `status` is the runtime's gyre_status, 0 if the runtime was not asked."""

    def __init__(self, text, status=0):
        super().__init__(text)
        self.status = status
