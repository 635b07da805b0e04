"""gated_layer.mlir: the gradient of gate logits, its cotangent, and recovered inputs of layers.

What it has in common with gated_activation.mlir, kernels.py takes from here.
"""

import numpy as np

from kernel import TERMS, Derivative, Function, Kernel


def inputs(p, graph, draw):
    edges, L, C, F = len(graph[0]), p["L"], p["C"], p["F"]
    rows, gates = (F, edges, (3 * L + 1) * C), (F, edges, L * C)
    v = {name: draw(rows) for name in ("z", "a", "h", "v_out", "hu")}
    v.update({"G": draw((F, C, L * C)), "kappa0": draw(gates)})
    v["shift"] = np.zeros(gates, v["kappa0"].dtype)
    return v


def exact_inputs(p, v):
    """Where the scalar chunk is zero, every sigmoid is 1/2 and every product a small dyadic number."""
    z = v["z"].copy()
    z[..., : p["C"]] = 0
    return {**v, "z": z}


def forward(page, p, v):
    """The page's `act`, which takes no shift, with one."""
    s, w = page.planes(v["z"], p["L"])
    gates = page.sgm(s @ v["G"] + v["shift"])
    return {"v": page.unplanes(s * page.sgm(s), w * gates[..., None, :])}


def bwd(page, p, v):
    gz, gq, _ = page.layer_bwd(v["a"], v["z"], v["G"], v["v_out"], p["L"])
    return {"gz": gz, "gq": gq}


def bwd2(page, p, v):
    results = page.layer_bwd2(v["h"], v["kappa0"], None, v["a"], v["z"], v["G"], p["L"])
    return dict(zip(("da", "dz", "dG"), results))


def recovered(page, p, v):
    return {"u_in": page.layer_bwd(v["a"], v["z"], v["G"], v["v_out"], p["L"])[2]}


def recovered_bwd(page, p, v):
    """What `hu` adds to the second order of the layer: there is nothing else."""
    t, tq = page.act_bwd(v["hu"], v["z"], v["G"], p["L"])
    return {"ez": -t, "eG": -page.act_gate_grad(v["z"], tq, p["L"]), "ev_out": v["hu"] + 0}


def lengths(p, v):
    C, gates, edges = p["C"], p["L"] * p["C"], v["z"].shape[1]
    return {
        "v": C,
        "gz": C + gates + 3,
        "gq": C + 3 + TERMS,
        "gG": C + 3 + edges,
        "da": C + TERMS,
        "dz": C + gates + 3 + TERMS,
        "dG": C + 3 + edges + TERMS,
        "u_in": C + 1,
        "ez": C + gates + 3,
        "eG": C + 3 + edges,
        "ev_out": 1,
    }


def functions(p):
    def function(name, arguments, results, reference):
        return Function("gated_layer" + name, arguments, results, reference, lengths)

    layer = ("z", "G", "shift")
    return [
        function("", layer, ("v",), forward),
        function("_bwd", (*layer, "a"), ("gz", "gq"), bwd),
        function("_bwd2", (*layer, "a", "h", "kappa0"), ("da", "dz", "dG"), bwd2),
        function("_input", ("z", "G", "v_out"), ("u_in",), recovered),
        function("_input_bwd", ("z", "G", "hu"), ("ez", "eG", "ev_out"), recovered_bwd),
    ]


def derivatives(p):
    def of(name, cotangents, function, gradients):
        return Derivative(
            name, cotangents, {argument: (function, g) for argument, g in gradients.items()}
        )

    return [
        of("gated_layer", {"v": "a"}, "gated_layer_bwd", {"z": "gz", "shift": "gq"}),
        of(
            "gated_layer_bwd",
            {"gz": "h", "gq": "kappa0"},
            "gated_layer_bwd2",
            {"a": "da", "z": "dz", "G": "dG"},
        ),
        of(
            "gated_layer_input",
            {"u_in": "hu"},
            "gated_layer_input_bwd",
            {"z": "ez", "G": "eG", "v_out": "ev_out"},
        ),
    ]


GATED_LAYER = Kernel(
    spec="gated_layer",
    parameters=("L", "F", "C", "act"),
    multilinear=False,
    functions=functions,
    derivatives=derivatives,
    inputs=inputs,
    wide=("shift", "gq", "kappa0"),
    exact_inputs=exact_inputs,
)
