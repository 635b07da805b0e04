"""What the Python package refuses, on hand-written kernels (fixtures/kernels.cpp); no compiler."""

import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import gyre
from package_fixtures import MANIFEST, ROOT, library, operands, output, run_compiler  # noqa: F401

HERE = pathlib.Path(__file__).resolve().parent


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
    with pytest.raises(
        gyre.Error,
        match=r"\[python-function\] by_hand: expected one of \['dtypes', 'gather'\], got `scatter`",
    ):
        library["scatter"]
    with pytest.raises(AttributeError, match="no function `scatter`"):
        _ = library.scatter


def test_values_of_other_types(library, operands):
    """Python's own errors do not get out."""
    make = gyre.Map
    for call, text in (
        (lambda: library[["gather"]], "expected one of"),
        (lambda: library[3], "expected one of"),
        (
            lambda: library.gather([[1, 2], [3]], operands["src"], operands["scale"]),
            r"\[python-array\].*`x`",
        ),
        (
            lambda: library.gather(None, operands["src"], operands["scale"]),
            r"\[python-dtype\].*`x`",
        ),
        (lambda: library.gather(**operands, out=5), r"\[python-out\] gather: .*got int"),
        (lambda: library.gather(**operands, out=iter([])), r"\[python-out\] gather"),
        (lambda: make([[1, 2], [3]], 5), r"\[python-array\] index of a map"),
        (
            lambda: make([1], "5"),
            r"\[python-integer\] target of a map: expected an integer, got str",
        ),
        (
            lambda: make([1], 5.0),
            r"\[python-integer\] target of a map: expected an integer, got float",
        ),
        (lambda: make([1], None), r"\[python-integer\] target of a map"),
        (
            lambda: make([1], 2**64),
            r"\[python-integer\] target of a map: expected an integer of 64 bits",
        ),
        (lambda: make([1], 5, chunk_length=1.5), r"\[python-integer\] chunk_length of a map"),
        (
            lambda: library.gather.workspace_bytes({"N": 5}),
            r"\[python-sizes\] gather: expected values of \['N', 'E'\]",
        ),
        (lambda: library.gather.workspace_bytes({"N": 5, "E": 3, "K": 1}), r"\[python-sizes\]"),
        (lambda: library.gather.workspace_bytes(None), r"\[python-sizes\]"),
        (
            lambda: library.gather.workspace_bytes({"N": 5, "E": 2**63}),
            "size `E`: expected an integer of 64 bits",
        ),
        (
            lambda: library.gather.workspace_bytes({"N": 5, "E": "3"}),
            "size `E`: expected an integer, got str",
        ),
        (
            lambda: library.gather.workspace_bytes({"N": 5, "E": -3}),
            "size `E`: expected at least 0, got -3",
        ),
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
    with pytest.raises(
        gyre.Error, match=r"\[python-memory\] gather: result `y`: expected memory for"
    ):
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
        with pytest.raises(
            gyre.Error, match=rf"\[map-handle\] gather: argument `src`: .* got no array `{array}`"
        ):
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
        (lambda m: m.update(target="nvidia"), "expected target cpu or cuda, got nvidia"),
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
        (
            lambda m: m["functions"][1].update(
                derivative={"of": "gather", "wrt": {"x": "gx"}, "given": {}}
            ),
            r"\[python-manifest\] dtypes: expected a derivative of gather, got one that names `gx`",
        ),
        (
            lambda m: m["functions"][1].update(derivative={"of": "gather"}),
            "expected the key 'wrt'",
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
