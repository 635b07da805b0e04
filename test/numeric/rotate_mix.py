"""kernels/so2_rotate_mix.mlir: its operands, and the page's python for it."""

import numpy as np

from kernel import TERMS, Derivative, Function, Index, Kernel, max_degree


def packed_entries(L):
    """Row and column of each structural entry, in the order in which they are packed."""
    rows = [(0, 0)] + [(degree, m) for degree in range(1, L + 1) for m in (-1, 0, 1)]
    entries = [
        (degree**2 + degree + m, degree**2 + j) for degree, m in rows for j in range(2 * degree + 1)
    ]
    return tuple(np.array(entries).T)


def unpack(p, packed):
    """The dense matrices, or what they are already."""
    if not p.get("packed"):
        return packed
    D = (p["L"] + 1) ** 2
    dense = np.zeros((len(packed), D, D), packed.dtype)
    dense[(slice(None), *packed_entries(p["L"]))] = packed
    return dense


def pack(p, dense):
    return dense[(slice(None), *packed_entries(p["L"]))] if p.get("packed") else dense


def rotate_mix_shapes(p, edges, nodes):
    L, R, Cw = p["L"], p["R"], p["F"] * p["C"]
    D, M, slots = (L + 1) ** 2, 3 * L + 1, (L + 1) ** 2 + L**2
    shapes = {
        "x": (nodes, D, Cw),
        "wigner": (edges, 3 * D - 2) if p.get("packed") else (edges, D, D),
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
            unpack(p, v["wigner"]),
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
        unpack(p, v["wigner"]),
        v["kc"],
        rotate_mix_basis(p, v),
        p["L"],
        p["F"],
        p["R"],
    )
    order, ptr = page.build_csr(*v["src"][:2])
    return {"gx": page.seg_sum(gx_edge, order, ptr), "gwigner": pack(p, gwigner), "gkc": gkc}


def rotate_mix_basis_grad(page, p, v):
    return {
        "gcb": page.rotate_mix_basis_grad(
            v["g"], v["x"], v["src"].array, unpack(p, v["wigner"]), v["kc"], p["L"], p["F"], p["R"]
        )
    }


def rotate_mix_bwd2(page, p, v, given=("hx", "hwigner", "hkc")):
    """The page's second order takes the cotangent of gx per edge; a cotangent per node is gathered."""
    src = v["src"].array
    h = {name: v[name] if name in given else None for name in ("hx", "hwigner", "hkc", "hcb")}
    hx = None if h["hx"] is None else h["hx"][src]
    results = page.rotate_mix_bwd2(
        hx,
        None if h["hwigner"] is None else unpack(p, h["hwigner"]),
        h["hkc"],
        h["hcb"],
        v["g"],
        v["x"],
        src,
        unpack(p, v["wigner"]),
        v["kc"],
        rotate_mix_basis(p, v),
        p["L"],
        p["F"],
        p["R"],
        *page.build_csr(*v["src"][:2]),
    )
    results = (*results[:2], pack(p, results[2]), *results[3:])
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
    parameters=("L", "F", "C", "R", "packed", "act"),
    multilinear=True,
    functions=rotate_mix_functions,
    derivatives=rotate_mix_derivatives,
    inputs=rotate_mix_inputs,
    optional=("packed",),
    alternative=lambda p: f"R {'>= 1' if p['R'] else '== 0'} and packed == {p.get('packed', 0)}",
)
