"""What the numeric tests know of each spec file: names, operands, the page's python for them.

Every name of a spec function, argument or result that the tests use stands here and nowhere else
(checks.py names the two Wigner operands once more). A reference takes (page, p, v): the page as a
module, the parameters, and the inputs by argument name; it returns the results by name. Arguments
that are index maps are `Index` values.

`lengths` gives the n of the measure: the longest sum behind any element of a result, nested sums
added up, and 4 more for the terms of a second order, which are added to one another.
"""

import dataclasses
import functools
import itertools
import pathlib
from typing import Any, Callable, NamedTuple

import numpy as np

from magnitude import Magnitude

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
TERMS = 4


class Index(NamedTuple):
    """An index map: the node that each edge refers to, and the number of nodes."""

    array: np.ndarray
    target: int


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    arguments: tuple
    results: tuple
    reference: Callable
    lengths: Callable  # (p, v) -> {result: n}
    sizes: tuple = ()  # runtime sizes that no tensor argument binds: (name, map argument)


@dataclasses.dataclass(frozen=True)
class Derivative:
    """`gradients[a]` = (function, result): the gradient of sum_r <cotangents[r], of(...)[r]> in `a`."""

    of: str
    cotangents: dict
    gradients: dict


@dataclasses.dataclass(frozen=True)
class Kernel:
    spec: str
    parameters: tuple
    multilinear: bool
    functions: Callable  # p -> [Function]
    derivatives: Callable  # p -> [Derivative]
    inputs: Callable  # (p, graph, draw) -> every argument of every function
    alternative: Callable = (
        lambda p: None
    )  # p -> the condition of the `gyre.alternative` that p selects
    exact_inputs: Callable = (
        lambda p, v: v
    )  # small integers -> inputs on which every operation is exact

    @property
    def path(self):
        return KERNELS / f"{self.spec}.mlir"

    def function(self, p, name):
        return next(f for f in self.functions(p) if f.name == name)


def max_degree(index):
    return int(np.bincount(index.array, minlength=1).max())


# so2_rotate_mix -----------------------------------------------------------------------------------


def rotate_mix_shapes(p, edges, nodes):
    L, R, Cw = p["L"], p["R"], p["F"] * p["C"]
    D, M, slots = (L + 1) ** 2, 3 * L + 1, (L + 1) ** 2 + L**2
    shapes = {
        "x": (nodes, D, Cw),
        "wigner": (edges, D, D),
        "kc": (edges, slots * R) if R else (edges, L + 1, Cw),
        "g": (p["F"], edges, M * p["C"]),
    }
    if R:
        shapes["cb"] = (R, Cw)
    return shapes


def rotate_mix_inputs(p, graph, draw):
    src, nodes = graph
    shapes = rotate_mix_shapes(p, len(src), nodes)
    v = {"src": Index(src, nodes), **{name: draw(shape) for name, shape in shapes.items()}}
    v.update({"h" + name: draw(shapes[name]) for name in shapes if name != "g"})
    return v


def rotate_mix_basis(p, v):
    """cb; the page's functions take a placeholder where there is no basis."""
    return v["cb"] if p["R"] else np.zeros((0, p["F"] * p["C"]), v["x"].dtype)


def rotate_mix_forward(page, p, v):
    return {
        "u": page.rotate_mix(
            v["x"],
            v["src"].array,
            v["wigner"],
            v["kc"],
            rotate_mix_basis(p, v),
            p["L"],
            p["F"],
            p["R"],
        )
    }


def rotate_mix_bwd(page, p, v):
    gx_edge, gwigner, gkc = page.rotate_mix_bwd(
        v["g"],
        v["x"],
        v["src"].array,
        v["wigner"],
        v["kc"],
        rotate_mix_basis(p, v),
        p["L"],
        p["F"],
        p["R"],
    )
    order, ptr = page.build_csr(*v["src"])
    return {"gx": page.seg_sum(gx_edge, order, ptr), "gwigner": gwigner, "gkc": gkc}


def rotate_mix_basis_grad(page, p, v):
    return {
        "gcb": page.rotate_mix_basis_grad(
            v["g"], v["x"], v["src"].array, v["wigner"], v["kc"], p["L"], p["F"], p["R"]
        )
    }


def rotate_mix_bwd2(page, p, v, given=("hx", "hwigner", "hkc")):
    """The page's second order takes the cotangent of gx per edge; a cotangent per node is gathered."""
    src = v["src"].array
    h = {name: v[name] if name in given else None for name in ("hx", "hwigner", "hkc", "hcb")}
    hx = None if h["hx"] is None else h["hx"][src]
    results = page.rotate_mix_bwd2(
        hx,
        h["hwigner"],
        h["hkc"],
        h["hcb"],
        v["g"],
        v["x"],
        src,
        v["wigner"],
        v["kc"],
        rotate_mix_basis(p, v),
        p["L"],
        p["F"],
        p["R"],
        *page.build_csr(*v["src"]),
    )
    return {
        name: array
        for name, array in zip(("dg", "dx", "dwigner", "dkc", "dcb"), results)
        if p["R"] or name != "dcb"
    }


def rotate_mix_lengths(p, v):
    L, R, Cw = p["L"], p["R"], p["F"] * p["C"]
    rotation, mixing = 2 * L + 1, (L + 1) * R if R else 1
    pairs = (L + 1) ** 2 + 2 * L**2
    return {
        "u": rotation + mixing,
        "gx": mixing + 3 + max_degree(v["src"]),
        "gwigner": mixing + Cw,
        "gkc": rotation + (Cw + 2 if R else 3),
        "gcb": rotation + len(v["src"].array) * pairs,
    }


def rotate_mix_lengths2(p, v):
    first = rotate_mix_lengths(p, v)
    return {
        "dg": first["u"] + TERMS,
        "dx": first["gx"] + TERMS,
        "dwigner": first["gwigner"] + TERMS,
        "dkc": first["gkc"] + TERMS,
        "dcb": first["gcb"] + TERMS,
    }


def rotate_mix_functions(p):
    basis = ("cb",) if p["R"] else ()
    operands = ("x", "src", "wigner", "kc") + basis
    functions = [
        Function("rotate_mix", operands, ("u",), rotate_mix_forward, rotate_mix_lengths),
        Function(
            "rotate_mix_bwd",
            operands + ("g",),
            ("gx", "gwigner", "gkc"),
            rotate_mix_bwd,
            rotate_mix_lengths,
        ),
        Function(
            "rotate_mix_bwd2",
            operands + ("g", "hx", "hwigner", "hkc"),
            ("dg", "dx", "dwigner", "dkc") + (("dcb",) if p["R"] else ()),
            rotate_mix_bwd2,
            rotate_mix_lengths2,
        ),
    ]
    if p["R"]:
        functions.append(
            Function(
                "rotate_mix_basis_grad",
                ("x", "src", "wigner", "kc", "g"),
                ("gcb",),
                rotate_mix_basis_grad,
                rotate_mix_lengths,
            )
        )
    return functions


def rotate_mix_derivatives(p):
    first = {name: ("rotate_mix_bwd", "g" + name) for name in ("x", "wigner", "kc")}
    second = {name: ("rotate_mix_bwd2", "d" + name) for name in ("g", "x", "wigner", "kc")}
    if p["R"]:
        first["cb"] = ("rotate_mix_basis_grad", "gcb")
        second["cb"] = ("rotate_mix_bwd2", "dcb")
    return [
        Derivative("rotate_mix", {"u": "g"}, first),
        Derivative("rotate_mix_bwd", {"gx": "hx", "gwigner": "hwigner", "gkc": "hkc"}, second),
    ]


SO2_ROTATE_MIX = Kernel(
    spec="so2_rotate_mix",
    parameters=("L", "F", "C", "R", "act"),
    multilinear=True,
    functions=rotate_mix_functions,
    derivatives=rotate_mix_derivatives,
    inputs=rotate_mix_inputs,
    alternative=lambda p: "R >= 1" if p["R"] else "R == 0",
)


# gated_activation ---------------------------------------------------------------------------------


def gated_inputs(p, graph, draw):
    edges, L, C, F = len(graph[0]), p["L"], p["C"], p["F"]
    rows, gates = (F, edges, (3 * L + 1) * C), (F, C, L * C)
    v = {name: draw(rows) for name in ("z", "a", "h")}
    v.update({name: draw(gates) for name in ("G", "mG")})
    return v


def gated_forward(page, p, v):
    return {"v": page.act(v["z"], v["G"], p["L"])}


def gated_bwd(page, p, v):
    gz, gq = page.act_bwd(v["a"], v["z"], v["G"], p["L"])
    return {"gz": gz, "gG": page.act_gate_grad(v["z"], gq, p["L"])}


def gated_bwd2(page, p, v, given=("h", "mG")):
    results = page.act_bwd2(
        v["h"] if "h" in given else None,
        None,
        v["mG"] if "mG" in given else None,
        v["a"],
        v["z"],
        v["G"],
        p["L"],
    )
    return dict(zip(("da", "dz", "dG"), results))


def gated_lengths(p, v):
    C, gates, edges = p["C"], p["L"] * p["C"], v["z"].shape[1]
    return {
        "v": C,
        "gz": C + gates + 3,
        "gG": C + 3 + edges,
        "da": C + TERMS,
        "dz": C + gates + 3 + TERMS,
        "dG": C + 3 + edges + TERMS,
    }


def gated_exact_inputs(p, v):
    """Where the scalar chunk is zero, every sigmoid is 1/2 and every product a small dyadic number."""
    z = v["z"].copy()
    z[..., : p["C"]] = 0
    return {**v, "z": z}


def gated_functions(p):
    """At L = 0 there are no gates and the page has no G."""
    G, mG, gG, dG = (("G",), ("mG",), ("gG",), ("dG",)) if p["L"] else ((), (), (), ())
    return [
        Function("gated_activation", ("z",) + G, ("v",), gated_forward, gated_lengths),
        Function(
            "gated_activation_bwd", ("z",) + G + ("a",), ("gz",) + gG, gated_bwd, gated_lengths
        ),
        Function(
            "gated_activation_bwd2",
            ("z",) + G + ("a", "h") + mG,
            ("da", "dz") + dG,
            gated_bwd2,
            gated_lengths,
        ),
    ]


def gated_derivatives(p):
    gates = bool(p["L"])
    return [
        Derivative(
            "gated_activation",
            {"v": "a"},
            {
                "z": ("gated_activation_bwd", "gz"),
                **({"G": ("gated_activation_bwd", "gG")} if gates else {}),
            },
        ),
        Derivative(
            "gated_activation_bwd",
            {"gz": "h", **({"gG": "mG"} if gates else {})},
            {
                "a": ("gated_activation_bwd2", "da"),
                "z": ("gated_activation_bwd2", "dz"),
                **({"G": ("gated_activation_bwd2", "dG")} if gates else {}),
            },
        ),
    ]


GATED_ACTIVATION = Kernel(
    spec="gated_activation",
    parameters=("L", "F", "C", "act"),
    multilinear=False,
    functions=gated_functions,
    derivatives=gated_derivatives,
    inputs=gated_inputs,
    alternative=lambda p: "L >= 1" if p["L"] else "L == 0",
    exact_inputs=gated_exact_inputs,
)


# segment_sum --------------------------------------------------------------------------------------


def segment_inputs(p, graph, draw):
    index, nodes = graph
    edges, row = len(index), (p["A"], p["B"])
    return {
        "index": Index(index, nodes),
        "rows": draw((edges,) + row),
        "h": draw((edges,) + row),
        "g": draw((nodes,) + row),
    }


def segment_reference(result, operand, bwd):
    def reference(page, p, v):
        csr = page.build_csr(*v["index"])
        return {result: page.seg_bcast(v[operand], *csr) if bwd else page.seg_sum(v[operand], *csr)}

    return reference


def segment_lengths(p, v):
    return {"out": max_degree(v["index"]), "grows": 1, "dg": max_degree(v["index"])}


def segment_functions(p):
    nodes = (("N", "index"),)
    return [
        Function(
            "segment_sum",
            ("rows", "index"),
            ("out",),
            segment_reference("out", "rows", False),
            segment_lengths,
            nodes,
        ),
        Function(
            "segment_sum_bwd",
            ("index", "g"),
            ("grows",),
            segment_reference("grows", "g", True),
            segment_lengths,
        ),
        Function(
            "segment_sum_bwd2",
            ("index", "h"),
            ("dg",),
            segment_reference("dg", "h", False),
            segment_lengths,
            nodes,
        ),
    ]


SEGMENT_SUM = Kernel(
    spec="segment_sum",
    parameters=("A", "B", "act"),
    multilinear=True,
    functions=segment_functions,
    derivatives=lambda p: [
        Derivative("segment_sum", {"out": "g"}, {"rows": ("segment_sum_bwd", "grows")}),
        Derivative("segment_sum_bwd", {"grows": "h"}, {"g": ("segment_sum_bwd2", "dg")}),
    ],
    inputs=segment_inputs,
)

ALL = (SO2_ROTATE_MIX, GATED_ACTIVATION, SEGMENT_SUM)


# Derivatives that the tests add -------------------------------------------------------------------


def derive_line(name, of, wrt, given):
    """wrt and given: {name: the name of its gradient or cotangent}."""

    def renamed(names):
        return ", ".join(f"{old} as {new}" for old, new in names.items())

    return f"gyre.derive @{name} = vjp @{of} wrt ({renamed(wrt)}) given ({renamed(given)})"


def subset_functions(full, of, wrt, cotangents, reference):
    """(lines, functions) of a second order for every set of cotangents ({result: cotangent}) that may be present."""
    lines, functions = [], []
    for count in range(1, len(cotangents) + 1):
        for subset in itertools.combinations(cotangents.items(), count):
            given = dict(subset)
            name = "_".join(("test_bwd2", *given))
            arguments = tuple(a for a in full.arguments if a not in cotangents.values()) + tuple(
                given.values()
            )
            lines.append(derive_line(name, of, wrt, given))
            functions.append(
                dataclasses.replace(
                    full,
                    name=name,
                    arguments=arguments,
                    reference=functools.partial(reference, given=tuple(given.values())),
                )
            )
    return lines, functions


def rotate_mix_subsets(p):
    """Of a first order that has every gradient, the basis' included."""
    floats = ("x", "wigner", "kc") + (("cb",) if p["R"] else ())
    first = derive_line("test_bwd", "rotate_mix", {name: "g" + name for name in floats}, {"u": "g"})
    lines, functions = subset_functions(
        SO2_ROTATE_MIX.function(p, "rotate_mix_bwd2"),
        "test_bwd",
        {name: "d" + name for name in ("g",) + floats},
        {"g" + name: "h" + name for name in floats},
        rotate_mix_bwd2,
    )
    return [first, *lines], functions


def gated_subsets(p):
    gates = bool(p["L"])
    return subset_functions(
        GATED_ACTIVATION.function(p, "gated_activation_bwd2"),
        "gated_activation_bwd",
        {"a": "da", "z": "dz", **({"G": "dG"} if gates else {})},
        {"gz": "h", **({"gG": "mG"} if gates else {})},
        gated_bwd2,
    )


def rotate_mix_third(p):
    """(line, function, derivative) of the third order.

    The page does not state it, so it has no reference: it is compared with differences of the second order.
    """
    second = SO2_ROTATE_MIX.function(p, "rotate_mix_bwd2")
    gradients = {name: "e" + name for name in second.arguments if name != "src"}
    cotangents = {result: "k" + result[1:] for result in second.results}
    function = Function(
        "test_bwd3",
        second.arguments + tuple(cotangents.values()),
        tuple(gradients.values()),
        None,
        None,
    )
    derivative = Derivative(
        second.name, cotangents, {name: (function.name, e) for name, e in gradients.items()}
    )
    return derive_line(function.name, second.name, gradients, cotangents), function, derivative


def rotate_mix_third_inputs(p, v, draw):
    """The cotangents of the second order's results, beside v."""
    _, _, derivative = rotate_mix_third(p)
    return {**v, **{k: draw(v[result[1:]].shape) for result, k in derivative.cotangents.items()}}


# Evaluation ---------------------------------------------------------------------------------------


def map_floats(v, op):
    """Applies `op` to every floating operand."""
    return {name: value if isinstance(value, Index) else op(value) for name, value in v.items()}


def evaluate(page, p, function, v, **options) -> dict:
    """The page's results of a function, fp64."""
    results = function.reference(
        page, p, map_floats(v, lambda array: np.asarray(array, np.float64)), **options
    )
    return {name: results[name] for name in function.results}


def magnitude(page, kernel, p, function, v, **options: Any) -> dict:
    """|f|(|inputs|) of every element of every result (measure.py says how it is defined)."""
    if kernel.multilinear:
        return evaluate(page, p, function, map_floats(v, np.abs), **options)
    results = function.reference(page, p, map_floats(v, Magnitude), **options)
    return {name: results[name].mag for name in function.results}
