"""The value path: values and gradients against the page's parts, force losses against differences."""

import numpy as np
import pytest

import checks
import graphs
import halves
import kernel
import tools
import value_path

PATH = kernel.KERNELS / "so2_value_path.mlir"
TOLERANCE = 1e-11  # relative to the largest element; fp64
HALVES_TOLERANCE = 2.0**-18  # the same; what is computed in f32
STEP = 1e-5  # what is differentiated is steep


class Path:
    """The compiled functions of one set of parameters."""

    def __init__(self, session, p):
        self.session, self.p = session, p
        library = session.tools.library(PATH, p)
        self.described = session.tools.described(PATH, p)["functions"]
        self.library = library

    def __call__(self, name, v):
        import gyre

        entry = next(f for f in self.described if f["name"] == name)
        arguments = {
            a["name"]: gyre.Map(*v[a["name"]]) if a["kind"] == "map" else v[a["name"]]
            for a in entry["arguments"]
        }
        results = self.library[name](**arguments)
        names = [r["name"] for r in entry["results"]]
        return dict(zip(names, results if len(names) > 1 else (results,)))

    def with_saved(self, v):
        results = self("value_path", v)
        return {**v, **{name: results[name] for name in value_path.saved_names(self.p)}}

    def forces(self, v):
        return self("value_path_bwd", self.with_saved(v))


def close(name, actual, expected):
    assert actual.shape == expected.shape, name
    scale = max(np.abs(expected).max(initial=0), 1e-300)
    assert np.abs(actual - expected).max(initial=0) <= TOLERANCE * scale, name


def parameters(R, competing):
    return {"L": 2, "F": 2, "C": 2, "Cr": 3, "R": R, "T": 1, "competing": competing, "act": "f64"}


def cases_of(marks):
    return [
        pytest.param(2, 1),
        pytest.param(0, 0, marks=marks),
        pytest.param(2, 0, marks=marks),
        pytest.param(0, 1, marks=marks),
    ]


@pytest.mark.parametrize("R, competing", cases_of(pytest.mark.nightly))
def test_value_path(session, page, R, competing):
    p, rng = parameters(R, competing), np.random.default_rng(7)
    v = value_path.value_inputs(p, graphs.make("power_law", rng), rng)
    path = Path(session, p)

    results, expected = path("value_path", v), value_path.forward(page, p, v)
    for name, array in results.items():
        close(name, array, expected[name])

    gradients = value_path.train_bwd(page, p, v)
    forces = path.forces(v)
    assert forces.keys() == {"g" + name for name in value_path.GEOMETRY}
    for name, array in forces.items():
        close(name, array, gradients[name])
    zeros = {"g_rad0": 0 * v["g_rad0"]}
    zeros.update({"g_" + name: 0 * results[name] for name in value_path.saved_names(p)})
    for name, array in path("value_path_train_bwd", {**path.with_saved(v), **zeros}).items():
        close(name, array, gradients[name])

    # A loss of forces, <h, forces>: its total derivative is that of the force function, and of the
    # forward in what that saves.
    w = path.with_saved(v)
    second = path("value_path_bwd2", w)
    entry = {"g_nodes": 0 * v["g_nodes"], "g_rad0": 0 * v["g_rad0"]}
    entry.update({"g_" + name: second["d" + name] for name in value_path.saved_names(p)})
    again = path("value_path_train_bwd", {**w, **entry})
    cotangents = {"g" + name: v["h" + name] for name in value_path.GEOMETRY}
    for name in value_path.GEOMETRY + value_path.value_weights(p):
        checks.compare_gradient(
            f"force loss: {name}",
            second["d" + name] + again["g" + name],
            rng,
            lambda direction: checks.difference(path.forces, v, name, direction, cotangents, STEP),
        )


def test_value_path_without_edges(session, page):
    p = parameters(2, 1)
    rng = np.random.default_rng(8)
    v = value_path.value_inputs(p, graphs.make("no_edges", rng), rng)
    path = Path(session, p)
    results = path("value_path", v)
    assert results["x_local"].shape == (0, 2, 7, 2) and not results["nodes"].any()
    assert not path.forces(v)["gx"].any()


@pytest.mark.nightly
@pytest.mark.parametrize("act", ["f16", "bf16"])
def test_value_path_in_halves(page, build, tmp_path, act):
    """All orders by kernels: computed in f32, rounded once, gradients of weights in the weights' type."""
    p = {**parameters(1, 1), "L": 1, "C": 1, "act": act, "par": "f32"}

    def dtype(name):
        return value_path.dtype_of(p, name)

    def rounded(v):
        return kernel.map_named_floats(
            v, lambda name, array: np.asarray(halves.rounded(array, dtype(name)), order="C")
        )

    rng = np.random.default_rng(3)
    v = rounded(value_path.value_inputs(p, graphs.make("power_law", rng), rng))
    forward = value_path.forward(page, p, v)
    saved = {name: forward[name] for name in value_path.saved_names(p)}
    v.update(rounded(saved))
    v.update(rounded({"g_" + n: rng.standard_normal(array.shape) for n, array in saved.items()}))
    stored = kernel.map_named_floats(v, lambda name, array: halves.store(array, dtype(name)))

    made = tools.Tools(build, tmp_path, flags=("--lowering=fused",))
    for entry in made.described(PATH, p)["functions"]:
        for operand in entry["arguments"] + entry["results"]:
            if operand["kind"] == "tensor":
                assert operand["dtype"] == dtype(operand["name"]), (entry["name"], operand["name"])
        names = [[o["name"] for o in entry[kind]] for kind in ("arguments", "results")]
        function = kernel.Function(entry["name"], *names, None, None)
        expected = made.interpret(PATH, p, function, v)
        out = {n: halves.store(np.full(a.shape, np.nan), dtype(n)) for n, a in expected.items()}
        made.run(PATH, p, function, stored, out)
        for name, array in expected.items():
            last = halves.ROUNDOFF[dtype(name)] * np.abs(array) + halves.SMALLEST[dtype(name)]
            bound = last + HALVES_TOLERANCE * np.abs(array).max(initial=0)
            error = np.abs(halves.load(out[name], dtype(name)) - array)
            assert (error <= bound).all(), (entry["name"], name)
    made.close()
