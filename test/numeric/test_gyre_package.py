"""The Python package, on hand-written kernels (fixtures/kernels.cpp) and the built runtime; no compiler."""

import ctypes
import pathlib
import subprocess

import numpy as np
import pytest

import gyre
from gyre import _abi
from gyre._dims import Poly
from package_fixtures import expected_y, library, operands, output, run_compiler  # noqa: F401

HERE = pathlib.Path(__file__).resolve().parent


# Sizes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, value",
    [
        ("16", 16),
        ("E", 7),
        ("3*E+1", 22),
        ("3*E + 1", 22),
        ("-E + 2*N", -1),
        ("(N + 1)*(N + 1)", 16),
        ("N*N*E", 63),
        ("E - N - 1", 3),
        ("2*(E - (N - 1)) * N", 30),
        ("-(-E)", 7),
        ("E - -N", 10),
        ("0*E", 0),
        ("E_2.a$", 5),
        ("  N  ", 3),
    ],
)
def test_sizes(text, value):
    assert Poly(text)({"E": 7, "N": 3, "E_2.a$": 5}) == value


@pytest.mark.parametrize(
    "text, name",
    [
        ("E", "E"),
        ("(E)", "E"),
        ("1*E", "E"),
        ("2*E", None),
        ("E + 1", None),
        ("3", None),
        ("E*E", None),
        ("E + N - N", "E"),
        ("0", None),
    ],
)
def test_size_that_is_a_name(text, name):
    assert Poly(text).name == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "3E",
        "E E",
        "(E",
        "E)",
        "E +",
        "*E",
        "E**2",
        "E/2",
        "E^2",
        "__import__('os')",
        "f(E)",
        "1.5",
        "E;E",
        "E[0]",
        "lambda: 1",
        3,
        None,
    ],
)
def test_bad_sizes(text):
    with pytest.raises(gyre.Error, match=r"\[manifest-size\].*expected"):
        Poly(text)


# The ABI ------------------------------------------------------------------------------------------


def test_structs_have_the_layout_of_the_header(tmp_path):
    run_compiler(
        ("cc", "clang-22", "gcc"),
        "-std=c11",
        HERE / "fixtures" / "layout.c",
        "-o",
        tmp_path / "layout",
    )
    lines = subprocess.run(
        [tmp_path / "layout"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    header = {name: int(value) for name, value in (line.split() for line in lines)}
    mirrored = {}
    for name, struct in (
        ("gyre_device", _abi.Device),
        ("gyre_data_type", _abi.DataType),
        ("gyre_tensor", _abi.Tensor),
        ("gyre_context", _abi.Context),
        ("gyre_map", _abi.Map),
    ):
        mirrored[name] = ctypes.sizeof(struct)
        mirrored.update(
            {f"{name}.{field}": getattr(struct, field).offset for field, _ in struct._fields_}
        )
    mirrored.update(
        GYRE_ALIGNMENT=_abi.ALIGNMENT,
        GYRE_DEVICE_CPU=_abi.DEVICE_CPU,
        GYRE_CHECK_MAPS=_abi.CHECK_MAPS,
    )
    mirrored.update(
        {
            f"GYRE_DTYPE_{name.upper()}": code | bits << 8
            for name, (_, code, bits) in _abi.DTYPES.items()
        }
    )
    assert mirrored == header


def test_dtypes_agree_with_numpy():
    for name, (dtype, code, bits) in _abi.DTYPES.items():
        assert dtype.itemsize * 8 == bits
        got = _abi.data_type(dtype, "x", name)
        assert (got.code, got.bits, got.lanes) == (code, bits, 1)


# Calls --------------------------------------------------------------------------------------------


def test_call_by_position_and_by_name(library, operands):
    for results in (
        library.gather(*operands.values()),
        library["gather"](**operands),
        library.gather(operands["x"], scale=operands["scale"], src=operands["src"]),
    ):
        np.testing.assert_array_equal(results.y, expected_y(operands))
        assert results.y.dtype == np.float32 and results.info.tolist() == [5, 3, 0]
        y, info = results
        assert y is results.y and info is results.info


def test_library_describes_itself(library):
    assert library.spec == "by_hand" and library.params == {"C": 4, "act": "f32"}
    assert [function.name for function in library] == ["gather", "dtypes"]
    assert (
        library.gather.__doc__
        == "gather(x: N x 4 x f32, src: map<[E] to N>, scale: 2*E + 1 x f64) -> (y: E x 4 x f32, info: 3 x i64)"
    )
    assert "gather" in dir(library) and not hasattr(library, "scatter")
    assert library.gather.workspace_bytes({"N": 5, "E": 100}) >= 1600


def test_out(library, operands):
    y, info = np.full((3, 4), np.nan, np.float32), np.zeros(3, np.int64)
    for out in ((y, info), [y, info], {"info": info, "y": y}):
        y[...], info[...] = np.nan, 0
        results = library.gather(**operands, out=out)
        assert results.y is y and results.info is info
        np.testing.assert_array_equal(y, expected_y(operands))
    y[...] = np.nan
    assert library.gather(**operands, out={"y": y}).y is y and not np.isnan(y).any()
    total = np.zeros(())
    ones = {
        name: np.ones(2, _abi.DTYPES[dtype][0])
        for name, dtype in zip("abcdefg", ("bf16", "f16", "i1", "i8", "i16", "i32", "i64"))
    }
    assert library.dtypes(**ones, out=total) is total and total == 10


def test_strided_operands(library, operands):
    wide = np.full((10, 9), np.nan, np.float32)
    wide[::2, 1::2] = operands["x"]
    y = np.full((4, 3), np.nan, np.float32).T
    library.gather(wide[::2, 1::2], operands["src"], np.broadcast_to(2.0, 7), out={"y": y})
    np.testing.assert_array_equal(y, expected_y(operands))


def test_every_dtype_travels(library):
    values = {
        "a": np.zeros(2, np.uint16),
        "b": np.zeros(2, np.float16),
        "c": np.array([True, False]),
        "d": np.array([-2, 1], np.int8),
        "e": np.array([300, 0], np.int16),
        "f": np.array([70000, 0], np.int32),
        "g": np.array([2**40, 0]),
    }
    assert library.dtypes(**values) == 1 - 1 + 300 + 70000 + 2**40


def test_zero_edges(library, operands):
    results = library.gather(operands["x"], gyre.Map(np.zeros(0, np.int64), 5), np.ones(1))
    assert results.y.shape == (0, 4) and results.info.tolist() == [5, 0, 0]


def test_flags(library, operands):
    assert library.gather(**operands, check_maps=True).info[2] == _abi.CHECK_MAPS


# Maps ---------------------------------------------------------------------------------------------


def words(pointer, count):
    return [pointer[i] for i in range(count)]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_map_equals_the_page(library, page, dtype):
    src, nodes = np.array([4, 1, 4, 0, 4], dtype), 6
    built = gyre.Map(src, nodes).built(library.runtime)
    order, ptr = page.build_csr(src, nodes)
    assert (
        words(built.order, 5) == order.tolist()
        and words(built.ptr, 7) == ptr.tolist()
        and words(built.index, 5) == src.tolist()
    )
    assert (built.entries, built.valid, built.target, built.rank, built.padded) == (5, 5, 6, 1, 0)


def test_padded_map_equals_the_page(library, page):
    knn, nodes = np.array([[0, 4, 2, 9], [2, 2, 4, 0]]), 4
    built = gyre.Map(knn, nodes, padded=True).built(library.runtime)
    ptr, k, n, _ = page.build_reverse_csr(knn, nodes)
    assert words(built.ptr, 5) == ptr.tolist()
    assert words(built.order, built.valid) == (k * 4 + n).tolist() and built.valid == ptr[-1] == 5
    assert words(built.index, 8) == np.minimum(knn, nodes).ravel().tolist()


def test_map_is_built_once(library):
    made = gyre.Map([0, 1], 2)
    assert made.built(library.runtime) is made.built(library.runtime)


def test_map_of_a_strided_index(library):
    built = gyre.Map(np.arange(6)[::2], 6).built(library.runtime)
    assert words(built.index, 3) == [0, 2, 4]


@pytest.mark.parametrize(
    "index, target, text",
    [
        ([0, 5, 1], 5, r"position 1: expected an index in \[0, 5\), got 5"),
        ([0, -1], 5, r"\[map-index\] gather: argument `src`: .*position 1: .*got -1"),
        (np.zeros((), int), 5, "rank|dimension"),
        ([0], -1, "target"),
    ],
)
def test_bad_maps(library, operands, index, target, text):
    with pytest.raises(gyre.Error, match=text) as caught:
        library.gather(operands["x"], gyre.Map(index, target), operands["scale"])
    assert caught.value.status > 0


def test_an_index_of_numbers_with_a_point():
    with pytest.raises(gyre.Error, match=r"python-dtype\] index of a map: .* got float64"):
        gyre.Map(np.zeros(2), 5)
    assert gyre.Map([], 5).index.dtype == np.int64
