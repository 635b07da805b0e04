"""The Python package, on hand-written kernels (fixtures/kernels.cpp) and the built runtime; no compiler."""

import copy
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import gyre
from gyre import _abi
from gyre._dims import Poly

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

MANIFEST = {
    "gyre": 1,
    "spec": "by_hand",
    "library": "libby_hand.so",
    "header": "by_hand.h",
    "target": "cpu",
    "params": {"C": 4, "act": "f32"},
    "functions": [
        {
            "name": "gather",
            "symbol": "gather",
            "packed_symbol": "gather_packed",
            "workspace_symbol": "gather_workspace",
            "sizes": ["N", "E"],
            "arguments": [
                {"name": "x", "kind": "tensor", "dtype": "f32", "shape": ["N", "4"]},
                {
                    "name": "src",
                    "kind": "map",
                    "axes": [["e", "E"]],
                    "target": "N",
                    "padded": False,
                },
                {"name": "scale", "kind": "tensor", "dtype": "f64", "shape": ["2*E + 1"]},
            ],
            "results": [
                {"name": "y", "kind": "tensor", "dtype": "f32", "shape": ["E", "4"]},
                {"name": "info", "kind": "tensor", "dtype": "i64", "shape": ["3"]},
            ],
        },
        {
            "name": "dtypes",
            "symbol": "dtypes",
            "packed_symbol": "dtypes_packed",
            "workspace_symbol": "dtypes_workspace",
            "sizes": [],
            "arguments": [
                {"name": name, "kind": "tensor", "dtype": dtype, "shape": ["2"]}
                for name, dtype in zip("abcdefg", ("bf16", "f16", "i1", "i8", "i16", "i32", "i64"))
            ],
            "results": [{"name": "sum", "kind": "tensor", "dtype": "f64", "shape": []}],
        },
    ],
}


def run_compiler(names, *arguments):
    compiler = next(filter(None, map(shutil.which, names)), None)
    assert compiler, f"expected one of {names} on the path"
    subprocess.run([compiler, f"-I{ROOT / 'include'}", *map(str, arguments)], check=True)


@pytest.fixture(scope="module")
def output(build, tmp_path_factory):
    """A directory like gyrec's: the library, which needs the runtime, and its manifest."""
    path = tmp_path_factory.mktemp("by_hand")
    run_compiler(
        ("c++", "clang++-22", "g++"),
        "-std=c++17",
        "-O1",
        "-fPIC",
        "-shared",
        HERE / "fixtures" / "kernels.cpp",
        "-o",
        path / MANIFEST["library"],
        "-L",
        build / "lib",
        "-lgyre_runtime",
    )
    (path / "by_hand.json").write_text(json.dumps(MANIFEST))
    return path


@pytest.fixture(scope="module")
def library(output):
    return gyre.load(output / "by_hand.json")


@pytest.fixture
def operands():
    rng = np.random.default_rng(1)
    return {
        "x": rng.standard_normal((5, 4), np.float32),
        "src": gyre.Map(np.array([3, 0, 3]), 5),
        "scale": np.full(7, 2.0),
    }


def expected_y(operands):
    return operands["x"][operands["src"].index] * np.float32(2)


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
        ([0, -1], 5, "position 1: .*got -1"),
        (np.zeros(2), 5, "dtype"),
        (np.zeros((), int), 5, "rank|dimension"),
        ([0], -1, "target"),
    ],
)
def test_bad_maps(library, operands, index, target, text):
    with pytest.raises(gyre.Error, match=text) as caught:
        library.gather(operands["x"], gyre.Map(index, target), operands["scale"])
    assert caught.value.status > 0


# Bad calls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, text",
    [
        ({"x": np.zeros((5, 4))}, "gather: argument `x`.*f32.*f64"),
        ({"x": np.zeros((5, 3), np.float32)}, "argument `x`: dimension 1.*expected 4, got 3"),
        ({"x": np.zeros(5, np.float32)}, "argument `x`.*expected.*2.*got.*1"),
        ({"x": np.zeros((6, 4), np.float32)}, r"argument `src`: target.*\(N is 6 by `x`\), got 5"),
        ({"x": np.zeros((5, 4), np.float32)[::-1]}, "argument `x`.*stride"),
        (
            {"scale": np.ones(8)},
            r"argument `scale`: dimension 0 \(2\*E \+ 1\): expected 7 \(E is 3 by `src`\), got 8",
        ),
        ({"scale": np.ones(7, np.complex128)}, "argument `scale`"),
    ],
)
def test_the_runtime_refuses(library, operands, change, text):
    y = np.full((3, 4), 9, np.float32)
    with pytest.raises(gyre.Error, match=text) as caught:
        library.gather(**{**operands, **change}, out={"y": y})
    assert caught.value.status > 0 and (y == 9).all()


@pytest.mark.parametrize(
    "change, text",
    [
        (
            {"x": np.zeros((5, 4), ">f4")},
            r"\[python-dtype\] gather: `x`: expected .* native numbers, got dtype >f4",
        ),
        ({"x": np.array([["a"] * 4] * 5)}, r"\[python-dtype\] gather: `x`"),
        (
            {"x": np.zeros((5, 4), [("a", "f4"), ("b", "i2")])["a"]},
            r"\[python-strides\] gather: `x`: .* multiples of 4 bytes, got \(24, 6\)",
        ),
        ({"src": np.array([3, 0, 3])}, r"\[python-map\].*`src`: expected a gyre.Map, got ndarray"),
        ({"x": gyre.Map([0], 1)}, r"\[python-map\].*`x`: expected an array, got a gyre.Map"),
        (
            {"y": 1},
            r"\[python-arguments\] gather: expected arguments \['x', 'src', 'scale'\], got `y`",
        ),
    ],
)
def test_the_package_refuses(library, operands, change, text):
    with pytest.raises(gyre.Error, match=text) as caught:
        library.gather(**{**operands, **change})
    assert caught.value.status == 0


def test_bad_argument_lists(library, operands):
    with pytest.raises(gyre.Error, match="argument `scale`: expected a value, got none"):
        library.gather(operands["x"], operands["src"])
    with pytest.raises(gyre.Error, match="expected 3 arguments, got 4"):
        library.gather(*operands.values(), 1)
    with pytest.raises(gyre.Error, match="argument `x`: expected one value, got two"):
        library.gather(*operands.values(), x=operands["x"])
    with pytest.raises(gyre.Error, match=r"expected one of \['dtypes', 'gather'\], got `scatter`"):
        library["scatter"]
    with pytest.raises(AttributeError, match="no function `scatter`"):
        library.scatter


def test_values_of_other_types(library, operands):
    """Python's own errors do not get out."""
    make = gyre.Map
    for call, text in (
        (lambda: library[["gather"]], "expected one of"),
        (lambda: library[3], "expected one of"),
        (lambda: library.gather([[1, 2], [3]], operands["src"], operands["scale"]), r"\[python-array\].*`x`"),
        (lambda: library.gather(None, operands["src"], operands["scale"]), r"\[python-dtype\].*`x`"),
        (lambda: library.gather(**operands, out=5), r"\[python-out\] gather: .*got int"),
        (lambda: library.gather(**operands, out=iter([])), r"\[python-out\] gather"),
        (lambda: make([[1, 2], [3]], 5), r"\[python-map\] index of a map"),
        (lambda: make([1], "5"), r"\[python-integer\] target of a map: expected an integer, got str"),
        (lambda: make([1], 5.0), r"\[python-integer\] target of a map: expected an integer, got float"),
        (lambda: make([1], None), r"\[python-integer\] target of a map"),
        (lambda: make([1], 2**64), r"\[python-integer\] target of a map: expected an integer of 64 bits"),
        (lambda: make([1], 5, chunk_length=1.5), r"\[python-integer\] chunk_length of a map"),
        (lambda: library.gather.workspace_bytes({"N": 5}), r"\[python-sizes\] gather: expected values of \['N', 'E'\]"),
        (lambda: library.gather.workspace_bytes({"N": 5, "E": 3, "K": 1}), r"\[python-sizes\]"),
        (lambda: library.gather.workspace_bytes(None), r"\[python-sizes\]"),
        (lambda: library.gather.workspace_bytes({"N": 5, "E": 2**63}), "size `E`: expected an integer of 64 bits"),
        (lambda: library.gather.workspace_bytes({"N": 5, "E": "3"}), "size `E`: expected an integer, got str"),
        (lambda: library.gather.workspace_bytes({"N": 5, "E": -3}), "size `E`: expected at least 0, got -3"),
        (lambda: gyre.load(None), r"\[python-manifest\]"),
        (lambda: gyre.load(3), r"\[python-manifest\]"),
    ):
        with pytest.raises(gyre.Error, match=text):
            call()
    assert make([1], np.int32(5)).target == 5


def test_memory_that_cannot_be_had(library, operands):
    """A result of 2**50 rows, told by an array that takes no memory."""
    edges = 2**50
    src = gyre.Map(np.broadcast_to(np.int32(0), edges), 5)
    with pytest.raises(gyre.Error, match=r"\[python-memory\] gather: result `y`: expected memory for"):
        library.gather(operands["x"], src, operands["scale"])


def test_stale_library(output, tmp_path):
    """The loader keeps what it has loaded from a path: a kernel compiled since would not run."""
    for name in ("by_hand.json", MANIFEST["library"]):
        shutil.copy(output / name, tmp_path)
    first = gyre.load(tmp_path / "by_hand.json")
    assert gyre.load(tmp_path / "by_hand.json").spec == first.spec
    (tmp_path / MANIFEST["library"]).unlink()
    shutil.copy(output / MANIFEST["library"], tmp_path)
    with pytest.raises(gyre.Error, match=r"\[python-library\] .* got one compiled since"):
        gyre.load(tmp_path / "by_hand.json")


def test_map_without_its_arrays(library, operands):
    """What a handle lacks is refused before it is read."""
    for array in ("index", "order", "ptr", "shape"):
        src = gyre.Map(operands["src"].index, 5)
        built = src.built(library.runtime)
        setattr(built, array, type(getattr(built, array))())
        with pytest.raises(gyre.Error, match=rf"\[map-handle\] gather: argument `src`: .* got no array `{array}`"):
            library.gather(operands["x"], src, operands["scale"])


def test_bad_outputs(library, operands):
    frozen = np.zeros((3, 4), np.float32)
    frozen.flags.writeable = False
    for out, text in (
        ({"z": frozen}, "expected results .* got `z`"),
        ({"y": frozen}, "`y`: expected a writable"),
        ([frozen], "expected 2 arrays in `out`, got 1"),
        ({"y": [0]}, "`y`: expected a writable NumPy array"),
        ({"y": np.zeros((3, 4))}, "result `y`.*f32.*f64"),
        ({"y": np.zeros((2, 4), np.float32)}, "result `y`: dimension 0"),
        ({"y": operands["x"][:3]}, "result `y`.*`x`"),
    ):
        with pytest.raises(gyre.Error, match=text):
            library.gather(**operands, out=out)


# Manifests and the runtime's place ----------------------------------------------------------------


@pytest.mark.parametrize(
    "change, text",
    [
        (lambda m: m.update(gyre=2), "expected a manifest of version 1"),
        (lambda m: m.update(target="nvidia"), "expected target cpu, got nvidia"),
        (lambda m: m.pop("spec"), "expected the key 'spec'"),
        (lambda m: m.update(library="libnone.so"), "libnone.so, got no such file"),
        (
            lambda m: m["functions"][0].update(packed_symbol="none"),
            "expected the library to have the symbol none",
        ),
        (
            lambda m: m["functions"][0]["arguments"][0].update(dtype="f8"),
            "`x`: expected one of .* got dtype f8",
        ),
        (
            lambda m: m["functions"][0]["arguments"][0].update(kind="list"),
            "`x`: expected kind tensor or map, got list",
        ),
        (lambda m: m["functions"][0]["arguments"][0].update(shape=["N +", "4"]), "size `N \\+`"),
        (lambda m: m.update(functions=3), "expected a manifest as gyrec writes it"),
        (lambda m: m.update(functions=["gather"]), "expected a manifest as gyrec writes it"),
        (lambda m: m.update(library=3), "expected a manifest as gyrec writes it"),
        (lambda m: m["functions"][0].update(sizes=None), "expected a manifest as gyrec writes it"),
        (
            lambda m: m["functions"][0]["arguments"][1].update(axes=["E"]),
            "expected a manifest as gyrec writes it",
        ),
        (
            lambda m: m["functions"][0]["arguments"][0].update(shape=["(" * 10000]),
            "expected a manifest as gyrec writes it",
        ),
        (
            lambda m: m["functions"][0].update(sizes=["N"]),
            r"\[python-manifest\] gather: `src`: expected one of the sizes \['N'\], got E",
        ),
    ],
)
def test_bad_manifests(output, change, text):
    manifest = copy.deepcopy(MANIFEST)
    change(manifest)
    (output / "bad.json").write_text(json.dumps(manifest))
    with pytest.raises(gyre.Error, match=text):
        gyre.load(output / "bad.json")


def test_files_that_are_no_manifests(tmp_path):
    (tmp_path / "bad.json").write_text("{")
    for name in ("bad.json", "none.json"):
        with pytest.raises(gyre.Error, match="expected a manifest of gyrec"):
            gyre.load(tmp_path / name)
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(gyre.Error, match="expected a manifest of version 1"):
        gyre.load(tmp_path / "bad.json")


def load_elsewhere(manifest, runtime):
    """Loads a library in a fresh process, where nothing has loaded the runtime yet; prints the runtime's version."""
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("GYRE_RUNTIME", "LD_LIBRARY_PATH")
    }
    environment.update(
        PYTHONPATH=str(ROOT / "python"), **({"GYRE_RUNTIME": str(runtime)} if runtime else {})
    )
    code = f"import gyre; print(gyre.load({str(manifest)!r}).runtime.gyre_version().decode())"
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def test_runtime_is_found(build, output, tmp_path):
    """By GYRE_RUNTIME (a directory or a file), beside the library, or by the library's rpath."""
    runtime = build / "lib" / "libgyre_runtime.so"
    beside, rpath = tmp_path / "beside", tmp_path / "rpath"
    for path in (beside, rpath):
        path.mkdir()
        (path / "by_hand.json").write_text(json.dumps(MANIFEST))
    shutil.copy(output / MANIFEST["library"], beside)
    shutil.copy(runtime, beside / runtime.name)
    run_compiler(
        ("c++", "clang++-22", "g++"),
        "-std=c++17",
        "-fPIC",
        "-shared",
        HERE / "fixtures" / "kernels.cpp",
        "-o",
        rpath / MANIFEST["library"],
        "-L",
        build / "lib",
        "-lgyre_runtime",
        f"-Wl,-rpath,{build / 'lib'}",
    )
    for manifest, variable in (
        (output, build / "lib"),
        (output, runtime),
        (beside, None),
        (rpath, None),
    ):
        done = load_elsewhere(manifest / "by_hand.json", variable)
        assert done.returncode == 0 and done.stdout.count(".") == 2, done.stderr


def test_runtime_that_is_missing(output, tmp_path):
    done = load_elsewhere(output / "by_hand.json", None)
    assert (
        done.returncode
        and "gyre._errors.Error: [python-library]" in done.stderr
        and "GYRE_RUNTIME" in done.stderr
    )
    done = load_elsewhere(output / "by_hand.json", tmp_path)
    assert (
        done.returncode
        and "[python-runtime] GYRE_RUNTIME: expected libgyre_runtime.so" in done.stderr
    )
