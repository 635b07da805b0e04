"""include/gyre/runtime.h for ctypes: the same structs, in the same order."""

import ctypes
import operator

import numpy as np

from ._errors import Error

ALIGNMENT = 64
DEVICE_CPU, DEVICE_CUDA = 1, 2
CHECK_MAPS = 1


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int32),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Context(ctypes.Structure):
    _fields_ = [
        ("workspace", ctypes.c_void_p),
        ("workspace_bytes", ctypes.c_int64),
        ("stream", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
    ]


class Map(ctypes.Structure):
    _fields_ = [
        ("magic", ctypes.c_uint32),
        ("version", ctypes.c_uint32),
        ("device", Device),
        ("padded", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("entries", ctypes.c_int64),
        ("valid", ctypes.c_int64),
        ("target", ctypes.c_int64),
        ("index", ctypes.POINTER(ctypes.c_int32)),
        ("order", ctypes.POINTER(ctypes.c_int32)),
        ("ptr", ctypes.POINTER(ctypes.c_int32)),
        ("chunk_length", ctypes.c_int64),
        ("heavy_nodes", ctypes.c_int64),
        ("chunks", ctypes.c_int64),
        ("heavy", ctypes.POINTER(ctypes.c_int32)),
        ("chunk", ctypes.POINTER(ctypes.c_int32)),
        ("memory", ctypes.c_void_p),
        ("bytes", ctypes.c_int64),
    ]


# Element types of a manifest: NumPy's dtype, DLPack's code and bits. NumPy has no bf16: the bit
# patterns travel as uint16.
DTYPES = {
    "f64": (np.dtype(np.float64), 2, 64),
    "f32": (np.dtype(np.float32), 2, 32),
    "f16": (np.dtype(np.float16), 2, 16),
    "bf16": (np.dtype(np.uint16), 4, 16),
    "i1": (np.dtype(np.bool_), 6, 8),
    "i8": (np.dtype(np.int8), 0, 8),
    "i16": (np.dtype(np.int16), 0, 16),
    "i32": (np.dtype(np.int32), 0, 32),
    "i64": (np.dtype(np.int64), 0, 64),
}

_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


def data_type(dtype, what, declared=None):
    """DLPack's type of a NumPy dtype; `declared` is the manifest's name where there is one."""
    if declared == "bf16" and dtype == DTYPES["bf16"][0]:
        return DataType(4, 16, 1)
    if dtype.kind not in _CODES or not dtype.isnative:
        raise Error(
            f"[python-dtype] {what}: expected an array of native numbers, got dtype {dtype}"
        )
    return DataType(_CODES[dtype.kind], dtype.itemsize * 8, 1)


def tensor(array, what, declared=None):
    """A view of a NumPy array, which messages call `what`. It holds no reference: the array must outlive it."""
    dtype = data_type(array.dtype, what, declared)
    if any(stride % array.itemsize for stride in array.strides):
        raise Error(
            f"[python-strides] {what}: expected strides that are multiples of {array.itemsize} bytes, got {array.strides}"
        )
    words = ctypes.c_int64 * array.ndim
    return Tensor(
        array.ctypes.data if array.size else None,
        Device(DEVICE_CPU, 0),
        array.ndim,
        dtype,
        words(*array.shape),
        words(*(stride // array.itemsize for stride in array.strides)),
        0,
    )


def integer(value, what):
    """An int of 64 bits; `what` begins the message about one that is not."""
    try:
        number = operator.index(value)
    except TypeError as error:
        raise Error(
            f"[python-integer] {what}: expected an integer, got {type(value).__name__}"
        ) from error
    if not -(2**63) <= number < 2**63:
        raise Error(f"[python-integer] {what}: expected an integer of 64 bits, got {number}")
    return number


def aligned_bytes(count, what="expected memory"):
    """A fresh uint8 array whose data is aligned for workspaces and maps; `what` begins the message if there is none."""
    try:
        raw = np.empty(count + ALIGNMENT, np.uint8)
    except (MemoryError, ValueError) as error:
        raise Error(f"[python-memory] {what}, {count} bytes, got: {error}") from error
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + count]
