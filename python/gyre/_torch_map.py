"""Index maps that are built on a GPU, where the index is, by PyTorch's sort (CUB's radix sort)."""

import ctypes

import torch

from . import _abi

_LIMIT = 2**31 - 1  # GYRE_MAP_LIMIT
_INTEGERS = (torch.int32, torch.int64)


def tables(index, target):
    """The arrays of a map as runtime.h has them, i32: node of each position, positions by node, where
    the positions of each node begin; and the least index as it was given. Nothing waits for a GPU."""
    given = index.reshape(-1)
    nodes = given.clamp(max=target).to(torch.int32)
    ends = torch.zeros(target + 1, dtype=torch.int32, device=index.device)
    if not len(nodes):
        return nodes.reshape(index.shape), nodes, ends, ends[0]
    # Stable: the positions of a node stay in order, so that its sum does.
    ordered, order = torch.sort(nodes, stable=True)
    first = torch.arange(target + 1, dtype=torch.int32, device=index.device)
    torch.searchsorted(ordered, first, out_int32=True, out=ends)
    return nodes.reshape(index.shape), order.to(torch.int32), ends, given.min()


def build(value, runtime, device):
    """(gyre_map, its arrays) on a GPU, an _abi.Device, of a gyre.Map whose index is there; None for
    one that the runtime refuses. Waits once for the current stream."""
    index, target = value.source, value.target
    if index.dtype not in _INTEGERS or not index.dim() or not 0 <= target <= _LIMIT:
        return None
    if index.numel() > _LIMIT:
        return None
    *arrays, least = tables(index, target)
    least, valid = torch.stack([least, arrays[2][-1].to(least.dtype)]).tolist()
    if least < 0 or (valid < index.numel() and not value.padded):
        return None
    views = [_view(array, device) for array in arrays]
    result = _abi.Map()
    runtime.check(runtime.gyre_map_of_cuda(*views, target, value.padded, valid, result))
    result.views = views  # the map has their shapes
    return result, arrays


def _view(array, device):
    words = ctypes.c_int64 * array.dim()
    address, integers = array.data_ptr() or None, _abi.DataType(0, 32, 1)
    return _abi.Tensor(address, device, array.dim(), integers, words(*array.shape), None, 0)
