"""kernels/focus_competition.mlir: its operands, and the page's python for it.

The page states the second order for the cotangent of gp alone; those of the parameters' gradients are
compared with differences (test_operators.py).
"""

import numpy as np

from kernel import TERMS, Derivative, Function, Kernel


def competition_weights(p):
    return ("wc",) + (("b",) if p["biased"] else ()) + (("sc",) if p["normalised"] else ())


def competition_numbers(p):
    return ("tau", "smooth") + (("eps",) if p["normalised"] else ())


def competition_inputs(p, graph, draw):
    E, F, C = len(graph[0]), p["F"], p["C"]
    shapes = {"p": (E, F, C), "wc": (C, F), "b": (F,), "sc": (F, C), "galpha": (E, F)}
    v = {name: draw(shape) for name, shape in shapes.items()}
    v.update({"h" + name: draw(shapes[name]) for name in ("p", "wc", "b", "sc")})
    dtype = v["p"].dtype
    v.update(
        {name: np.array(x, dtype) for name, x in (("tau", 0.75), ("smooth", 0.02), ("eps", 0.01))}
    )
    return v


def operands(p, v):
    return (
        v["p"],
        v["wc"],
        v["b"] if p["biased"] else None,
        v["sc"] if p["normalised"] else None,
        v["tau"],
        v["smooth"],
        v["eps"],
    )


def competition_forward(page, p, v):
    return {"alpha": page.competition(*operands(p, v))[0]}


def competition_bwd(page, p, v):
    results = page.competition_bwd(v["galpha"], *operands(p, v))
    return dict(zip(("gp", "gwc", "gb", "gsc"), results))


def competition_bwd2(page, p, v):
    results = page.competition_bwd2(v["hp"], v["galpha"], *operands(p, v))
    return dict(zip(("dgalpha", "dp", "dwc", "db", "dsc"), results))


def competition_lengths(p, v):
    E, F, C = v["p"].shape
    logits = 2 * C + F + 4
    first = {"alpha": logits, "gp": logits + 2 * F + C, "gwc": logits + 2 * F + E}
    first["gb"], first["gsc"] = first["gwc"], first["gp"] + E
    second = {"galpha": "gp", "p": "gp", "wc": "gwc", "b": "gb", "sc": "gsc"}
    return {**first, **{"d" + name: 2 * first[of] + TERMS for name, of in second.items()}}


def competition_functions(p):
    weights, numbers = competition_weights(p), competition_numbers(p)
    of = ("p",) + weights + numbers

    def function(name, arguments, results, reference):
        return Function(
            "focus_competition" + name, arguments, results, reference, competition_lengths
        )

    gradients = tuple("g" + name for name in ("p",) + weights)
    return [
        function("", of, ("alpha",), competition_forward),
        function("_bwd", of + ("galpha",), ("gp",), competition_bwd),
        function("_train_bwd", of + ("galpha",), gradients, competition_bwd),
        function(
            "_force_bwd2",
            of + ("galpha", "hp"),
            tuple("d" + name for name in ("galpha", "p") + weights),
            competition_bwd2,
        ),
    ]


def competition_derivatives(p):
    weights = competition_weights(p)
    return [
        Derivative(
            "focus_competition",
            {"alpha": "galpha"},
            {name: ("focus_competition_train_bwd", "g" + name) for name in ("p",) + weights},
        ),
        Derivative(
            "focus_competition_bwd",
            {"gp": "hp"},
            {
                name: ("focus_competition_force_bwd2", "d" + name)
                for name in ("galpha", "p") + weights
            },
        ),
    ]


def competition_train_bwd2(p):
    """(function, derivative) of the second order with every cotangent, which the page does not state."""
    weights = competition_weights(p)
    names = ("galpha", "p") + weights
    cotangents = {"g" + name: "h" + name for name in ("p",) + weights}
    function = Function(
        "focus_competition_train_bwd2",
        ("p",) + weights + competition_numbers(p) + ("galpha",) + tuple(cotangents.values()),
        tuple("d" + name for name in names),
        None,
        None,
    )
    derivative = Derivative(
        "focus_competition_train_bwd", cotangents, {n: (function.name, "d" + n) for n in names}
    )
    return function, derivative


FOCUS_COMPETITION = Kernel(
    spec="focus_competition",
    parameters=("F", "C", "normalised", "biased", "act"),
    multilinear=False,
    functions=competition_functions,
    derivatives=competition_derivatives,
    inputs=competition_inputs,
    weights=("wc", "b", "sc"),
    wide=("tau", "smooth", "eps"),
    alternative=lambda p: f"normalised == {p['normalised']} and biased == {p['biased']}",
    exact_inputs=None,
)
