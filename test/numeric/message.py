"""kernels/so2_message.mlir: its operands, and the page's python for it.

The page states the parts, not the sum: a message is rotate_mix per edge, summed into the nodes of a
second index map, and its derivatives are rotate_mix's with a cotangent that is read through that map.
"""

from kernel import TERMS, Derivative, Function, Index, Kernel, max_degree
from rotate_mix import (
    SO2_ROTATE_MIX,
    rotate_mix_basis_grad,
    rotate_mix_bwd,
    rotate_mix_bwd2,
    rotate_mix_forward,
    rotate_mix_inputs,
)


def message_inputs(p, graph, draw):
    """The destinations have the degrees of the sources, at other nodes and in another order of edges."""
    src, nodes = graph
    v = rotate_mix_inputs(p, graph, draw)
    v["dst"] = Index((src[::-1] + 1) % max(nodes, 1), nodes)
    v["g"] = draw((nodes, 3 * p["L"] + 1, p["F"] * p["C"]))
    return v


def per_edge(p, v):
    """(p, v) of rotate_mix: all channels in one focus, the cotangent of each edge read from its node."""
    gathered = v["g"][v["dst"].array]
    edges, rows, channels = gathered.shape
    return {**p, "F": 1, "C": channels}, {**v, "g": gathered.reshape(1, edges, rows * channels)}


def to_nodes(page, p, v, rows):
    """Sums rotate_mix's rows (1, E, M*Cw) into the destinations."""
    edges, channels = rows.shape[1], p["F"] * p["C"]
    return page.seg_sum(
        rows.reshape(edges, 3 * p["L"] + 1, channels), *page.build_csr(*v["dst"][:2])
    )


def message_forward(page, p, v):
    return {"out": to_nodes(page, p, v, rotate_mix_forward(page, *per_edge(p, v))["u"])}


def message_bwd(page, p, v):
    results = rotate_mix_bwd(page, *per_edge(p, v))
    if p["R"]:
        results.update(rotate_mix_basis_grad(page, *per_edge(p, v)))
    return results


def message_bwd2(page, p, v):
    results = rotate_mix_bwd2(
        page, *per_edge(p, v), given=("hx", "hwigner", "hkc") + (("hcb",) if p["R"] else ())
    )
    results["dg"] = to_nodes(page, p, v, results["dg"])
    return results


def message_lengths(p, v):
    first = SO2_ROTATE_MIX.functions(p)[0].lengths(p, v)
    return {**first, "out": first["u"] + max_degree(v["dst"])}


def message_lengths2(p, v):
    first = message_lengths(p, v)
    operands = {"dg": "out", "dx": "gx", "dwigner": "gwigner", "dkc": "gkc", "dcb": "gcb"}
    return {name: first[of] + TERMS for name, of in operands.items()}


def message_functions(p):
    floats = ("x", "wigner", "kc") + (("cb",) if p["R"] else ())
    operands = ("x", "src", "dst") + floats[1:]
    gradients = tuple("g" + name for name in floats)
    return [
        Function("message", operands, ("out",), message_forward, message_lengths),
        Function("message_bwd", operands + ("g",), gradients, message_bwd, message_lengths),
        Function(
            "message_bwd2",
            operands + ("g",) + tuple("h" + name for name in floats),
            ("dg",) + tuple("d" + name for name in floats),
            message_bwd2,
            message_lengths2,
        ),
    ]


def message_derivatives(p):
    floats = ("x", "wigner", "kc") + (("cb",) if p["R"] else ())
    return [
        Derivative("message", {"out": "g"}, {name: ("message_bwd", "g" + name) for name in floats}),
        Derivative(
            "message_bwd",
            {"g" + name: "h" + name for name in floats},
            {name: ("message_bwd2", "d" + name) for name in ("g",) + floats},
        ),
    ]


SO2_MESSAGE = Kernel(
    spec="so2_message",
    parameters=("L", "F", "C", "R", "act"),
    multilinear=True,
    functions=message_functions,
    derivatives=message_derivatives,
    inputs=message_inputs,
    alternative=lambda p: "R >= 1" if p["R"] else "R == 0",
)
