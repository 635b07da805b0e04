"""A library of hand-written kernels (fixtures/kernels.cpp) in the form of gyrec's, without a compiler."""

import json
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import gyre

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
