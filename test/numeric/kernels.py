"""What the numeric tests know of each spec file: names, operands, the page's python for them.

Every name of a spec function, argument or result that the tests use stands here or in the module
of its kernel (rotate_mix.py, message.py, radial_head.py, ...) and nowhere else (checks.py names the
two Wigner operands once more).
"""

import dataclasses
import functools
import itertools

from competition import FOCUS_COMPETITION
from kernel import (  # noqa: F401 (the tests take all of it from here)
    Derivative,
    Function,
    Index,
    Kernel,
    evaluate,
    magnitude,
    map_floats,
    map_named_floats,
    max_degree,
)
from gated_layer import GATED_LAYER
from gated_layer import exact_inputs as gated_exact_inputs
from gated_layer import lengths as gated_lengths
from knn import KNN_AVG_POOL, KNN_CONV, KNN_MAX_POOL
from message import SO2_MESSAGE
from mixing_stack import SO2_MIXING_STACK, stack_gradients, stack_train_bwd2
from radial_head import RADIAL_HEAD
from rotate_mix import SO2_ROTATE_MIX, rotate_mix_bwd2

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
        csr = page.build_csr(*v["index"][:2])
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


# segment_broadcast --------------------------------------------------------------------------------


def broadcast_inputs(p, graph, draw):
    v = segment_inputs(p, graph, draw)
    return {
        "index": v["index"],
        "g": v["g"],
        "hg": draw(v["g"].shape),
        "grows": v["rows"],
    }


def broadcast_functions(p):
    def function(name, arguments, result, operand, bwd, sizes=()):
        return Function(
            "segment_broadcast" + name,
            arguments,
            (result,),
            segment_reference(result, operand, bwd),
            lambda p, v: {"rows": 1, "gg": max_degree(v["index"]), "dgrows": 1},
            sizes,
        )

    return [
        function("", ("g", "index"), "rows", "g", True),
        function("_bwd", ("index", "grows"), "gg", "grows", False, (("N", "index"),)),
        function("_bwd2", ("index", "hg"), "dgrows", "hg", True),
    ]


SEGMENT_BROADCAST = Kernel(
    spec="segment_broadcast",
    parameters=("A", "B", "act"),
    multilinear=True,
    functions=broadcast_functions,
    derivatives=lambda p: [
        Derivative("segment_broadcast", {"rows": "grows"}, {"g": ("segment_broadcast_bwd", "gg")}),
        Derivative(
            "segment_broadcast_bwd", {"gg": "hg"}, {"grows": ("segment_broadcast_bwd2", "dgrows")}
        ),
    ],
    inputs=broadcast_inputs,
)

ALL = (
    SO2_ROTATE_MIX,
    SO2_MESSAGE,
    GATED_ACTIVATION,
    GATED_LAYER,
    SEGMENT_SUM,
    SEGMENT_BROADCAST,
    RADIAL_HEAD,
    FOCUS_COMPETITION,
    SO2_MIXING_STACK,
    KNN_CONV,
    KNN_MAX_POOL,
    KNN_AVG_POOL,
)
ROTATING = (SO2_ROTATE_MIX, SO2_MESSAGE)  # they read the structural entries of Wigner matrices


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


def stack_subsets(p):
    return subset_functions(
        SO2_MIXING_STACK.function(p, "so2_mixing_stack_train_bwd2"),
        "so2_mixing_stack_train_bwd",
        {
            name[1:]: name
            for name in SO2_MIXING_STACK.function(p, "so2_mixing_stack_train_bwd2").results
        },
        {"g" + name: "h" + name for name in stack_gradients(p)},
        stack_train_bwd2,
    )


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
