"""An operator that the compiler has never heard of: a Clebsch-Gordan tensor product as one contract.

Its tuples and coefficients come from clebsch_gordan.py; the spec declares two orders of derivatives.
"""

import pathlib

import numpy as np
import pytest

import cases
import checks
import clebsch_gordan
import measure
from kernel import TERMS, Derivative, Function, Kernel

TEMPLATE = pathlib.Path(__file__).resolve().parent / "specs" / "tensor_product.mlir"
PATHS = len(clebsch_gordan.paths())


def inputs(p, graph, draw):
    edges, C = len(graph[0]), p["C"]
    shapes = {"a": (edges, 9, C), "b": (edges, 9), "w": (edges, PATHS, C)}
    v = {name: draw(shape) for name, shape in shapes.items()}
    v.update({"h" + name: draw(shape) for name, shape in shapes.items()})
    return {**v, "g": draw(shapes["a"])}


def product_kernel(table, directory):
    """The kernel whose coefficients are `table` (i, j, k, p), its spec in `directory`.

    Not `multilinear`, which would take the formulas as they stand on absolute inputs: the
    coefficients have signs, so the magnitudes are kept beside the values.
    """

    def y(a, b, w):
        return np.einsum("ijkp,eic,ej,epc->ekc", table, a, b, w)

    def ga(g, b, w):
        return np.einsum("ijkp,ekc,ej,epc->eic", table, g, b, w)

    def gb(g, a, w):
        return np.einsum("ijkp,ekc,eic,epc->ej", table, g, a, w)

    def gw(g, a, b):
        return np.einsum("ijkp,ekc,eic,ej->epc", table, g, a, b)

    def forward(page, p, v):
        return {"y": y(v["a"], v["b"], v["w"])}

    def bwd(page, p, v):
        g, a, b, w = (v[name] for name in ("g", "a", "b", "w"))
        return {"ga": ga(g, b, w), "gb": gb(g, a, w), "gw": gw(g, a, b)}

    def bwd2(page, p, v):
        g, a, b, w, ha, hb, hw = (v[name] for name in ("g", "a", "b", "w", "ha", "hb", "hw"))
        return {
            "dg": y(ha, b, w) + y(a, hb, w) + y(a, b, hw),
            "da": ga(g, hb, w) + ga(g, b, hw),
            "db": gb(g, ha, w) + gb(g, a, hw),
            "dw": gw(g, ha, b) + gw(g, a, hb),
        }

    floats = ("a", "b", "w")

    # The longest sum: the tuples that meet in one cell, and the channels where they are summed.
    meeting = {
        name: int((table != 0).sum(axis=tuple({0, 1, 2, 3} - {axis})).max())
        for name, axis in (("y", 2), ("ga", 0), ("gb", 1), ("gw", 3))
    }

    def lengths(p, v):
        first = {**meeting, "gb": meeting["gb"] * p["C"]}
        second = {"dg": 3 * first["y"], **{"d" + name: 2 * first["g" + name] for name in floats}}
        return {**first, **{name: terms + TERMS for name, terms in second.items()}}

    functions = [
        Function("product", floats, ("y",), forward, lengths),
        Function("product_bwd", floats + ("g",), ("ga", "gb", "gw"), bwd, lengths),
        Function(
            "product_bwd2",
            floats + ("g", "ha", "hb", "hw"),
            ("dg", "da", "db", "dw"),
            bwd2,
            lengths,
        ),
    ]
    derivatives = [
        Derivative("product", {"y": "g"}, {name: ("product_bwd", "g" + name) for name in floats}),
        Derivative(
            "product_bwd",
            {"g" + name: "h" + name for name in floats},
            {name: ("product_bwd2", "d" + name) for name in ("g",) + floats},
        ),
    ]
    tuples = ", ".join(
        f"({', '.join(map(str, at))}) * {float(table[tuple(at)])!r}" for at in np.argwhere(table)
    )
    text = TEMPLATE.read_text(encoding="utf-8")
    (directory / TEMPLATE.name).write_text(
        text.replace("{TUPLES}", f"{{{tuples}}}"), encoding="utf-8"
    )
    return Kernel(
        spec=TEMPLATE.stem,
        parameters=("P", "C", "act"),
        multilinear=False,
        functions=lambda p: functions,
        derivatives=lambda p: derivatives,
        inputs=inputs,
        directory=directory,
    )


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    return product_kernel(clebsch_gordan.dense(), tmp_path_factory.mktemp("clebsch_gordan"))


def make_case(kernel, C, act="f64", graph="random"):
    return cases.Case.make(kernel, {"P": PATHS, "C": C, "act": act, "graph": graph})


def test_coefficients_are_orthonormal():
    for l1, l2, l3 in clebsch_gordan.paths():
        table = clebsch_gordan.real_coefficients(l1, l2, l3).reshape(-1, 2 * l3 + 1)
        np.testing.assert_allclose(table.T @ table, np.eye(2 * l3 + 1), atol=1e-14)


def test_coefficients_commute_with_rotations():
    D, table = clebsch_gordan.rotation_matrices(np.random.default_rng(5)), clebsch_gordan.dense()
    np.testing.assert_allclose(D @ D.T, np.eye(9), atol=1e-13)
    np.testing.assert_allclose(
        np.einsum("ijkp,ia,jb->abkp", table, D, D),
        np.einsum("abcp,kc->abkp", table, D),
        atol=1e-13,
    )


def test_one_times_one_is_the_cross_product():
    v, w = np.random.default_rng(6).standard_normal((2, 3))
    order = [1, 2, 0]  # y, z, x
    got = np.einsum("ijk,i,j->k", clebsch_gordan.real_coefficients(1, 1, 1), v[order], w[order])
    cross = np.cross(v, w)[order] / np.sqrt(2)
    np.testing.assert_allclose(got, np.copysign(1, got[0] * cross[0]) * cross, atol=1e-14)


each_case = pytest.mark.parametrize(
    "C, act, graph",
    [(1, "f64", "random"), (3, "f64", "power_law"), (4, "f32", "random"), (5, "f64", "no_edges")],
)


@each_case
def test_product_equals_numpy_and_compiled_equals_interpreter(session, product, C, act, graph):
    case = make_case(product, C, act, graph)
    checks.interpreter_equals_page(session, case)
    checks.compiled_equals_interpreter(session, case)
    checks.repeats_bit_for_bit(session, case)


@pytest.mark.parametrize("C, graph", [(1, "random"), (3, "power_law")])
def test_product_derivatives_equal_differences(session, product, C, graph):
    checks.derivatives_equal_differences(session, make_case(product, C, graph=graph))


@pytest.mark.parametrize("act", ["f64", "f32"])
def test_product_of_integers_is_exact(session, tmp_path, act):
    """With the signs of the coefficients in their place, all sums of small integers are exact."""
    signs = product_kernel(np.sign(clebsch_gordan.dense()), tmp_path)
    checks.integers_are_exact(session, make_case(signs, 3, act))


def test_product_commutes_with_rotations(session, product):
    case = make_case(product, 3)
    function, v = case.kernel.function(case.p, "product"), session.inputs(case, "random")
    D = clebsch_gordan.rotation_matrices(case.rng("rotation"))
    turned = {**v, "a": np.einsum("ij,ejc->eic", D, v["a"]), "b": v["b"] @ D.T}
    expected = np.einsum("ij,ejc->eic", D, session.compiled(case, function, v)["y"])
    actual = session.compiled(case, function, turned)["y"]
    measure.check("y", actual, expected, np.full(expected.shape, 1e-12))
