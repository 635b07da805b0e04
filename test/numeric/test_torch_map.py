"""Index maps that are built where a GPU has the index: the same arrays as on the host, the same errors.

The tables are made by PyTorch's ops, here on the CPU; what a call does with them is tested with the
rest of the runtime (test/unit/Runtime/CudaTest.cpp), and on a GPU by test/device.
"""

import ctypes
import pathlib

import numpy as np
import pytest

import gyre
from gyre import _abi, _runtime

torch = pytest.importorskip("torch", reason="PyTorch is not installed (python3-torch)")

from gyre import _torch_map  # noqa: E402

GPU = _abi.Device(_abi.DEVICE_CUDA, 1)

CASES = {
    "hub": ([3] * 40 + [0, 7, 3, 2], 9, False),
    "two axes": (np.arange(12).reshape(3, 4) * 5 % 7, 7, False),
    "pads": ([5, 2, 9, 2, 5, 2**30, 0], 5, True),
    "only pads": ([4, 4, 5], 4, True),
    "none": (np.zeros((0, 3)), 3, False),
    "no nodes": ([], 0, False),
    "one node": ([0, 0, 0], 1, False),
}


@pytest.fixture(scope="module")
def runtime(build):
    return _runtime.Runtime(ctypes.CDLL(str(pathlib.Path(build) / "lib" / "libgyre_runtime.so")))


def described(index, target, padded):
    """A gyre.Map as if its index, a tensor of the CPU, were on a GPU."""
    value = gyre.Map(index, target, padded)
    value.source = index
    return value


def arrays(table):
    counts = {"index": table.entries, "order": table.entries, "ptr": table.target + 1}
    return {
        name: np.ctypeslib.as_array(getattr(table, name), (count,)).tolist() if count else []
        for name, count in counts.items()
    }


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
@pytest.mark.parametrize("name", CASES)
def test_equals_the_host(runtime, name, dtype):
    index, target, padded = CASES[name]
    tensor = torch.as_tensor(np.asarray(index, np.int64)).to(dtype)
    value = described(tensor, target, padded)
    made, _alive = _torch_map.build(value, runtime, GPU)
    host = value.built(runtime)
    assert arrays(made) == arrays(host)
    for field in ("magic", "version", "padded", "rank", "entries", "valid", "target"):
        assert getattr(made, field) == getattr(host, field), field
    assert made.shape[: made.rank] == list(tensor.shape) == host.shape[: host.rank]
    assert (made.device.type, made.device.id) == (GPU.type, GPU.id)
    assert made.chunks == 0


def test_takes_any_strides(runtime):
    index = torch.arange(24).reshape(4, 6).T[::2] % 5
    value = described(index, 5, False)
    made, _alive = _torch_map.build(value, runtime, GPU)
    assert arrays(made) == arrays(value.built(runtime))


@pytest.mark.parametrize(
    "index, target, padded, message",
    [
        ([0, 3, 1], 3, False, r"\[map-index\].*position 1: expected an index in \[0, 3\), got 3"),
        ([[0, 1], [-4, 1]], 3, True, r"\[map-index\].*position 2 \(1, 0\): expected an index >= 0"),
        ([0, 2**40], 3, False, r"\[map-index\].*got 1099511627776"),
        (1, 3, False, r"\[map-rank\]"),
        ([0], -1, False, r"\[map-target\]"),
        ([0], 2**31, False, r"\[map-target\]"),
    ],
)
def test_leaves_errors_to_the_host(runtime, index, target, padded, message):
    value = described(torch.tensor(index), target, padded)
    assert _torch_map.build(value, runtime, GPU) is None
    with pytest.raises(gyre.Error, match=message):
        value.built(runtime)


def test_an_index_of_a_gpu_stays_there():
    class OnGpu:
        is_cuda, shape, copies = True, torch.Size([3, 2]), 0

        def cpu(self):
            self.copies += 1
            return torch.zeros(3, 2, dtype=torch.int32)

    index = OnGpu()
    value = gyre.Map(index, 4)
    assert value.shape == (3, 2) and index.copies == 0 and value.source is index
    assert value.index.tolist() == 3 * [[0, 0]] and value.index is value.index
    assert index.copies == 1
    assert gyre.Map(torch.zeros(2, dtype=torch.int64), 4).source is None
