"""What a call needs of arrays: here NumPy's, in `_torch` those of PyTorch."""

import contextlib

import numpy as np

from . import _abi
from ._errors import Error


class NumPy:
    type = np.ndarray
    wanted = "a writable NumPy array"

    def argument(self, value, what):
        try:
            return np.asarray(value)
        except (ValueError, TypeError) as error:
            raise Error(f"[python-array] {what}: expected an array, got: {error}") from error

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
