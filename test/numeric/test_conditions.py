"""Truth values that several kernels need: rectified layers, masks and what a forward compares."""

import json
import pathlib
import subprocess

import numpy as np
import pytest

import gyre
import tools

SPEC = pathlib.Path(__file__).resolve().parent / "specs" / "conditions.mlir"
N, C = 5, 3
P = {"C": C, "act": "f64"}


@pytest.fixture(scope="module")
def libraries(build, kept, tmp_path_factory):
    """By lowering; and the tools that made the last one."""
    made = {}
    for lowering in ("plain", "fused"):
        scratch = tmp_path_factory.mktemp(lowering)
        made[lowering] = tools.Tools(build, scratch, flags=(f"--lowering={lowering}",), kept=kept)
    yield made
    for each in made.values():
        each.close()


@pytest.fixture(params=[0, 1, 40])
def v(request):
    rng, E = np.random.default_rng(request.param), request.param
    src, dst = rng.integers(0, N, (2, E))
    v = {name: rng.standard_normal((N, C)) for name in ("q", "k", "gy", "hq", "hk")}
    v |= {name: rng.standard_normal(C) for name in ("b", "hb")}
    v |= {name: rng.standard_normal((C, C)) for name in ("W", "hW")}
    return v | {"mask": rng.random((E, C)) < 0.5, "src": src, "dst": dst}


def call(library, name, v):
    described = json.loads(pathlib.Path(library).read_text(encoding="utf-8"))["functions"]
    (function,) = (each for each in described if each["name"] == name)
    values = {
        a["name"]: gyre.Map(v[a["name"]], N) if a["name"] in ("src", "dst") else v[a["name"]]
        for a in function["arguments"]
    }
    return gyre.load(library)[name](**values)


def forward(v):
    s = np.maximum((v["q"][v["dst"]] * v["k"][v["src"]]).sum(1), 0)
    t = np.where(v["mask"], np.abs(s[:, None] * v["k"][v["src"]]), v["b"])
    total = np.zeros((N, C))
    np.add.at(total, v["dst"], t)
    return total @ v["W"], t > total[v["dst"]]


@pytest.mark.parametrize("lowering", ["plain", "fused"])
def test_forward(libraries, lowering, v):
    y, big = call(libraries[lowering].manifest(SPEC, P), "rectified", v)
    wanted_y, wanted_big = forward(v)
    np.testing.assert_allclose(y, wanted_y, rtol=0, atol=1e-12)
    assert big.dtype == bool
    # A node's only edge is the node's sum, and sums may differ in their last bits.
    alone = np.isin(v["dst"], np.flatnonzero(np.bincount(v["dst"], minlength=N) == 1))
    assert (big == wanted_big)[~alone].all()


@pytest.mark.parametrize("function", ["rectified_bwd", "rectified_bwd2"])
def test_derivatives_equal_plain(libraries, v, function):
    fused, plain = (
        call(libraries[lowering].manifest(SPEC, P), function, v) for lowering in ("fused", "plain")
    )
    assert len(fused) == len(plain) == 4
    for a, r in zip(fused, plain):
        np.testing.assert_allclose(a, r, rtol=0, atol=1e-12)
    assert not len(v["src"]) == 40 or all(np.abs(r).max() > 0.01 for r in plain)


def test_gradcheck(libraries):
    built = libraries["fused"]
    command = [built.gyre_run, built.manifest(SPEC, P), "--gradcheck", "--random", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "10 checks, 0 failed" in done.stdout, done.stdout + done.stderr
