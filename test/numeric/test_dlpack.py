"""Arrays of other libraries on the CPU, which are known by DLPack's protocol only."""

import numpy as np
import pytest

import gyre
from package_fixtures import expected_y, library, operands, output  # noqa: F401


class Foreign:
    """An array of a library that NumPy has never heard of."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def spread(array):
    wide = np.full(tuple(2 * size for size in array.shape), np.nan, array.dtype)
    wide[tuple(slice(None, None, 2) for _ in array.shape)] = array
    return wide[tuple(slice(None, None, 2) for _ in array.shape)]


@pytest.mark.parametrize(
    "form", [lambda x: x, spread, lambda x: np.asfortranarray(x)], ids=["rows", "gaps", "columns"]
)
def test_arguments(library, operands, form):
    y, info = library.gather(Foreign(form(operands["x"])), operands["src"], operands["scale"])
    assert type(y) is np.ndarray
    assert (y == expected_y(operands)).all()


def test_memory_is_shared(library, operands):
    """The call reads the array as it is now, and keeps no reference to it."""
    x = Foreign(operands["x"])
    library.gather(x, operands["src"], operands["scale"])
    operands["x"] *= 3
    assert (library.gather(x, operands["src"], operands["scale"])[0] == expected_y(operands)).all()


def test_an_index(operands):
    index = operands["src"].index
    assert (gyre.Map(Foreign(index), 5).index == index).all()


def test_read_only_arrays(library, operands):
    """NumPy's are read. DLPack's protocol, as old NumPy speaks it, cannot say that one is read-only."""
    x = read_only(operands["x"])
    y, _ = library.gather(x, operands["src"], operands["scale"])
    assert (y == expected_y(operands)).all()
    with pytest.raises(gyre.Error, match=r"\[python-array\] gather: argument `x`: .*readonly"):
        library.gather(Foreign(x), operands["src"], operands["scale"])


def test_other_devices(library, operands):
    text = (
        r"\[python-device\] gather: argument `x`: expected an array in memory of the CPU, got one on "
        r"device 2:1 of DLPack; torch.from_dlpack"
    )
    with pytest.raises(gyre.Error, match=text):
        library.gather(Foreign(operands["x"], (2, 1)), operands["src"], operands["scale"])
    with pytest.raises(gyre.Error, match=r"\[python-device\] index of a map: .* device 2:0"):
        gyre.Map(Foreign(operands["src"].index, (2, 0)), 5)


def test_what_does_not_fit(library, operands):
    class Broken(Foreign):
        def __dlpack__(self, stream=None):
            raise KeyError("nothing to give")

    for x, text in (
        (Foreign(operands["x"].astype(np.float64)), r"argument `x`: expected .*f32.*, got f64"),
        (Foreign(operands["x"][:, :3]), r"argument `x`: dimension 1: expected 4.*, got 3"),
        (Foreign(operands["x"][::-1]), r"argument `x`"),
        (Broken(operands["x"]), r"\[python-array\] gather: argument `x`: .* 'nothing to give'"),
    ):
        with pytest.raises(gyre.Error, match=text):
            library.gather(x, operands["src"], operands["scale"])


def test_results_are_written_to_arrays_of_numpy(library, operands):
    y = Foreign(np.zeros((3, 4), np.float32))
    for out in (y, {"y": y}):
        with pytest.raises(gyre.Error, match=r"\[python-out\] gather: .*expected .* array.* `out`"):
            library.gather(**operands, out=out)
