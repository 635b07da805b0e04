"""Index maps."""

import ctypes

from . import _abi, _arrays
from ._errors import Error


def _view(index):
    view = _arrays.view(index, "index of a map")
    if view.size == 0 and isinstance(index, (list, tuple)):
        view = view.astype("i8")  # NumPy takes it for numbers with a point
    if view.dtype.kind != "i" or view.dtype.itemsize not in (4, 8):
        raise Error(
            f"[python-dtype] index of a map: expected an array of i32 or i64, got {view.dtype.name}"
        )
    return view


class Map:
    """References from the positions of `index` (edges, neighbour slots) to `target` nodes.

    index   array or tensor of i32 or i64, one axis for each axis of the map. It is read when a kernel
            first takes the map; change it no more.
    target  number of nodes that can be referred to
    padded  whether an index >= target is a pad (reads 0, is dropped from sums) or an error
    chunk_length  references per chunk of a node of high degree; 0 for the runtime's choice

    The runtime's tables are built once and shared by every kernel of every library that takes the map.
    For kernels of a GPU they are built there, by PyTorch, from an index that is a tensor of that GPU,
    else on the host and copied; either waits for the GPU, once.
    """

    def __init__(self, index, target, padded=False, chunk_length=0):
        #: The index as it was given if it is a tensor of a GPU, else None.
        self.source = index if getattr(index, "is_cuda", False) else None
        self._index = None if self.source is not None else _view(index)
        self.target = _abi.integer(target, "target of a map")
        self.padded = bool(padded)
        self.chunk_length = _abi.integer(chunk_length, "chunk_length of a map")
        self._built = {}

    @property
    def index(self):
        """The index as an array of the host."""
        if self._index is None:
            self._index = _view(self.source.cpu())
        return self._index

    @property
    def shape(self):
        return self._index.shape if self.source is None else tuple(self.source.shape)

    def built(self, runtime):
        """The gyre_map of this map."""
        return self.once(runtime.identity, lambda: self._build(runtime))[0]

    def once(self, key, make):
        """What `make` returns: a gyre_map and its memory, made once for each runtime and device."""
        if key not in self._built:
            self._built[key] = make()
        return self._built[key]

    def _build(self, runtime):
        index, count, result = (
            _abi.tensor(self.index, "index of a map"),
            ctypes.c_int64(),
            _abi.Map(),
        )
        runtime.check(runtime.gyre_map_bytes(index, self.target, self.chunk_length, count))
        memory = _abi.aligned_bytes(count.value, "index of a map: expected memory for its tables")
        runtime.check(
            runtime.gyre_map_build(
                index,
                self.target,
                self.padded,
                self.chunk_length,
                memory.ctypes.data,
                count.value,
                result,
            )
        )
        return result, memory

    # The index does not change, and tables are shared; other processes build their own.

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return Map, (self.index, self.target, self.padded, self.chunk_length)

    def __repr__(self):
        return f"gyre.Map(shape={self.shape}, target={self.target}, padded={self.padded})"
