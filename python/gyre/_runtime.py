"""Finds libgyre_runtime.so and gives its functions Python's types."""

import ctypes
import os
import pathlib

from . import _abi
from ._errors import Error

FILE = "libgyre_runtime.so"

_FUNCTIONS = {
    "gyre_last_error": (ctypes.c_char_p, []),
    "gyre_version": (ctypes.c_char_p, []),
    "gyre_map_bytes": (
        ctypes.c_int32,
        [
            ctypes.POINTER(_abi.Tensor),
            ctypes.c_int64,
            ctypes.c_int64,
            ctypes.POINTER(ctypes.c_int64),
        ],
    ),
    "gyre_map_build": (
        ctypes.c_int32,
        [
            ctypes.POINTER(_abi.Tensor),
            ctypes.c_int64,
            ctypes.c_int32,
            ctypes.c_int64,
            ctypes.c_void_p,
            ctypes.c_int64,
            ctypes.POINTER(_abi.Map),
        ],
    ),
    "gyre_map_to_cuda": (
        ctypes.c_int32,
        [
            ctypes.POINTER(_abi.Map),
            ctypes.c_int32,
            ctypes.c_void_p,
            ctypes.c_int64,
            ctypes.c_void_p,
            ctypes.POINTER(_abi.Map),
        ],
    ),
    "gyre_map_of_cuda": (
        ctypes.c_int32,
        [
            *3 * [ctypes.POINTER(_abi.Tensor)],
            ctypes.c_int64,
            ctypes.c_int32,
            ctypes.c_int64,
            ctypes.POINTER(_abi.Map),
        ],
    ),
}


def candidates(library):
    """Where the runtime of a kernel library may be, best first; the library's own rpath comes after all of them."""
    named = os.environ.get("GYRE_RUNTIME")
    if named:
        path = pathlib.Path(named)
        return [path / FILE if path.is_dir() else path]
    return [library.parent / FILE]


#: What stood at the path of each loaded library.
_loaded = {}


def open_library(path):
    """Loads a kernel library and the runtime that it needs; (library, Runtime)."""
    path = pathlib.Path(path).resolve()
    if not path.is_file():
        raise Error(f"[python-library] expected the library {path}, got no such file")
    preloaded = None
    for candidate in candidates(path):
        if candidate.is_file():
            preloaded = ctypes.CDLL(str(candidate), mode=ctypes.RTLD_GLOBAL)
            break
        if os.environ.get("GYRE_RUNTIME"):
            raise Error(
                f"[python-runtime] GYRE_RUNTIME: expected {FILE} or its directory, got {candidate}"
            )
    # The loader keeps what it has once loaded from a path, whatever stands there now.
    status = path.stat()
    identity = (status.st_dev, status.st_ino, status.st_mtime_ns)
    if _loaded.setdefault(path, identity) != identity:
        raise Error(
            f"[python-library] expected the library that this process has loaded from {path}, got one "
            "compiled since: compile into another directory, or load it in a new process"
        )
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise Error(
            f"[python-library] expected a library that loads, got: {error} "
            f"({FILE} is looked for beside the library and where the variable GYRE_RUNTIME says)"
        ) from error
    # The library's own view comes first: it is the copy that its kernels report errors to.
    for handle in (library, preloaded):
        if handle is not None and hasattr(handle, "gyre_last_error"):
            return library, Runtime(handle)
    raise Error(
        f"[python-runtime] expected {path.name} to be linked to {FILE}, got no gyre_last_error"
    )


class Runtime:
    """The runtime's functions that the package uses."""

    def __init__(self, handle):
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(handle, name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.identity = ctypes.cast(self.gyre_map_build, ctypes.c_void_p).value

    def check(self, status):
        """Raises the last error of this thread if `status` is one."""
        if status:
            raise Error(self.gyre_last_error().decode("utf-8", "replace"), status)
