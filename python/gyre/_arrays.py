"""What a call needs of arrays: here NumPy's, in `_torch` those of PyTorch."""

import contextlib

import numpy as np

from . import _abi
from ._errors import Error

#: DLPack's devices whose memory the host reads: its own, pinned (CUDA, ROCm), managed by CUDA.
_HOST = {1, 3, 11, 13}


def view(value, what):
    """A NumPy array of an array of any library; `what` begins messages. It shares memory where it can."""
    try:
        # NumPy makes an object of what it does not know: DLPack comes first.
        foreign = not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__")
        if foreign and (device := value.__dlpack_device__())[0] not in _HOST:
            raise Error(
                f"[python-device] {what}: expected an array in memory of the CPU, got one on device "
                f"{int(device[0])}:{int(device[1])} of DLPack; torch.from_dlpack makes a tensor of it"
            )
        if foreign and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except Error:
        raise
    except Exception as error:  # of any kind, where it is another library's
        raise Error(f"[python-array] {what}: expected an array, got: {error}") from error


class NumPy:
    type = np.ndarray
    wanted = "a writable NumPy array"

    def argument(self, value, what):
        return view(value, what)

    def writable(self, value):
        return isinstance(value, np.ndarray) and value.flags.writeable

    def empty(self, shape, dtype, what):
        try:
            return np.empty(shape, _abi.DTYPES[dtype][0])
        except (MemoryError, ValueError) as error:
            raise Error(f"[python-memory] {what}, got: {error}") from error

    def workspace(self, count, what):
        """What keeps the memory, and its address."""
        memory = _abi.aligned_bytes(count, what)
        return memory, memory.ctypes.data if count else None

    def laid_out(self, value, operand):
        return value

    def tensor(self, value, what, declared):
        return _abi.tensor(value, what, declared)

    def map(self, value, runtime):
        return value.built(runtime)

    def stream(self):
        return None

    def current(self):
        """Makes the device of the arrays the current one."""
        return contextlib.nullcontext()
