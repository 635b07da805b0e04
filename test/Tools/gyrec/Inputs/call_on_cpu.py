"""Loads the library of a kernel for GPUs and calls `twice` on arrays of the CPU, in a process without a driver."""

import ctypes
import sys


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint8 * 4),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


library = ctypes.CDLL(sys.argv[1])
library.gyre_last_error.restype = ctypes.c_char_p
shape = (ctypes.c_int64 * 1)(4)
data = (ctypes.c_float * 4)()
x, y = (Tensor(ctypes.addressof(data), (1, 0), 1, (2, 32, 1, 0), shape, None, 0) for _ in range(2))
status = library.twice(ctypes.byref(x), ctypes.byref(y), None)
print(status, library.gyre_last_error().decode())
