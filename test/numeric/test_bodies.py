"""Small functions, fused: where lanes, sums over them and what all lanes share meet; against NumPy."""

import pathlib

import numpy as np
import pytest

import gyre
import tools

SPEC = pathlib.Path(__file__).resolve().parent / "fixtures" / "bodies.mlir"
N = 7
BOUND = {"f32": 2e-5, "f64": 1e-13}


@pytest.fixture(scope="module", params=BOUND)
def act(request):
    return request.param


@pytest.fixture(scope="module")
def library(build, kept, act, tmp_path_factory):
    scratch = tmp_path_factory.mktemp("bodies")
    made = tools.Tools(build, scratch, flags=("--lowering=fused",), kept=kept)
    yield made.library(SPEC, {"act": act})
    made.close()


@pytest.fixture(params=[0, 1, 31, 700])
def v(request, act):
    rng, E = np.random.default_rng(request.param), request.param
    shapes = {"y": (E, 4, 8), "w": (E, 43), "x": (E, 43), "v": (3, 7), "c": (43,)}
    dtype = {"f32": np.float32, "f64": np.float64}[act]
    v = {name: rng.uniform(-1, 1, shape).astype(dtype) for name, shape in shapes.items()}
    return {**v, "m": rng.integers(0, N, E)}


def check(library, act, v, name, arguments, wanted):
    """Within the bound at the largest sum of magnitudes; 43 * 700 numbers at most."""
    values = [gyre.Map(v[a], N) if a == "m" else v[a] for a in arguments]
    results = library[name](*values)
    results = results if isinstance(results, tuple) else (results,)
    assert len(results) == len(wanted)
    for got, want in zip(results, wanted):
        want = np.asarray(want, np.float64)
        assert got.shape == want.shape
        scale = 1 + np.abs(want).max(initial=0)
        assert np.abs(got - want).max(initial=0) <= BOUND[act] * scale


def test_constants_are_in_all_lanes(library, act, v):
    E = len(v["w"])
    wanted = (np.full((E, 43), 2.0), np.full(E, 86.0), 86.0 * E)
    check(library, act, v, "constants", ["w"], wanted)


def test_bodies_go_on_with_sums_over_all_lanes(library, act, v):
    y, w = v["y"].astype(float), v["w"].astype(float)
    wanted = (
        y / np.sqrt((y * y).sum((1, 2), keepdims=True)),
        w / np.sqrt((w * w).sum(1, keepdims=True)),
    )
    check(library, act, v, "norms", ["y", "w"], wanted)


def test_sums_of_sums(library, act, v):
    w, c = v["w"].astype(float), v["c"].astype(float)
    nodes = np.zeros(N)
    np.add.at(nodes, v["m"], (w * w).sum(1) - w @ c)
    t = np.tanh(w.sum(0) + c)
    check(library, act, v, "sums", ["w", "c", "m"], (nodes, t, w * t))


def test_an_axis_that_stands_twice(library, act, v):
    w, x = v["w"].astype(float), v["x"].astype(float)
    check(library, act, v, "twice", ["w", "x"], (w + x, w.sum(1) * x.sum(1)))


def test_returned_arguments(library, act, v):
    wanted = (v["w"], v["v"], v["v"], np.exp(v["v"].astype(float)))
    check(library, act, v, "returned", ["w", "v"], wanted)
