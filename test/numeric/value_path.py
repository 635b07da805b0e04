"""kernels/so2_value_path.mlir: its operands, and the page's python for it, part after part."""

import numpy as np

from kernel import Index


def value_weights(p):
    mixer = ("Bm", "cb") if p["R"] else ()
    competition = ("wc", "b", "sc") if p["competing"] else ()
    return ("A",) + mixer + competition + ("W0", "W1", "G")


def saved_names(p):
    return (("p",) if p["competing"] else ()) + ("u0", "z_all", "u_final")


GEOMETRY = ("x", "wigner", "q")


def dtype_of(p, name):
    """The element type of a float operand or result."""
    if name in ("tau", "smooth", "eps"):
        return "f64" if p["act"] == "f64" else "f32"
    return p["par" if {name, name[1:]} & set(value_weights(p)) else "act"]


def value_shapes(p, E, N):
    L, F, C, Cr, R, T = (p[name] for name in ("L", "F", "C", "Cr", "R", "T"))
    D, M, slots, Cw = (L + 1) ** 2, 3 * L + 1, (L + 1) ** 2 + L**2, F * C
    P0, P1 = (L + 1) * C, 2 * L * C
    return {
        "x": (N, D, Cw),
        "wigner": (E, D, D),
        "q": (E, L + 1, Cr),
        "A": (Cr, Cw),
        "Bm": ((L + 1) * Cw, slots * R),
        "cb": (R, Cw),
        "wc": (C, F),
        "b": (F,),
        "sc": (F, C),
        "W0": (T + 1, F, P0, P0),
        "W1": (T + 1, F, P1, P1),
        "G": (T, F, C, L * C),
        "g_nodes": (N, F, M, C),
        "g_rad0": (E, 1, Cw),
    }


def value_inputs(p, graph, rng, dtype=np.float64):
    src, N = graph
    shapes = value_shapes(p, len(src), N)
    v = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    v.update({"h" + name: rng.standard_normal(shapes[name]) for name in GEOMETRY})
    for name in ("A", "Bm", "W0", "W1", "G"):  # sizes of 1 everywhere
        v[name] /= 2
    v.update({"tau": np.array(0.75), "smooth": np.array(0.02), "eps": np.array(0.01)})
    v = {name: np.asarray(array, dtype) for name, array in v.items()}
    v["src"] = Index(src, N)
    v["dst"] = Index((src[::-1] + 1) % N, N)
    return v


def blank(p, v):
    return v["cb"] if p["R"] else np.zeros((0, p["F"] * p["C"]))


def forward(page, p, v):
    L, F, C, R = p["L"], p["F"], p["C"], p["R"]
    rad, kc = page.radial(v["q"], v["A"], v["Bm"] if R else None)
    u0 = page.rotate_mix(v["x"], v["src"].array, v["wigner"], kc, blank(p, v), L, F, R)
    scalars, alpha = page.foc(u0[..., :C]), None
    if p["competing"]:
        alpha = page.competition(
            scalars, v["wc"], v["b"], v["sc"], v["tau"], v["smooth"], v["eps"]
        )[0]
    x_local, z_all, u_final = page.stack(
        u0, alpha, v["W0"], v["W1"], v["G"], L, bool(p["competing"])
    )
    x_local = x_local.reshape(x_local.shape[:2] + (3 * L + 1, C))
    nodes = page.seg_sum(x_local, *page.build_csr(*v["dst"][:2]))
    return {
        "nodes": nodes,
        "x_local": x_local,
        "rad0": rad[:, :1],
        "p": scalars,
        "u0": u0,
        "z_all": z_all,
        "u_final": u_final,
        "alpha": alpha,
        "kc": kc,
    }


def train_bwd(page, p, v):
    """All gradients for the cotangent of `nodes` (and of rad0, where there is one)."""
    L, F, C, R, competing = p["L"], p["F"], p["C"], p["R"], bool(p["competing"])
    f = forward(page, p, v)
    g_out = v["g_nodes"][v["dst"].array]
    g_out = g_out.reshape(g_out.shape[:2] + ((3 * L + 1) * C,))
    gu0, galpha, gW0, gW1, gG = page.stack_train_bwd(
        g_out, f["z_all"], f["u_final"], f["alpha"], v["W0"], v["W1"], v["G"], L, competing, f["u0"]
    )
    results = {"gW0": gW0, "gW1": gW1, "gG": gG}
    if competing:
        gp, results["gwc"], results["gb"], results["gsc"] = page.competition_bwd(
            galpha, f["p"], v["wc"], v["b"], v["sc"], v["tau"], v["smooth"], v["eps"]
        )
        gu0[..., :C] += page.foc(gp)
    src = v["src"].array
    gx_edge, results["gwigner"], gkc = page.rotate_mix_bwd(
        gu0, v["x"], src, v["wigner"], f["kc"], blank(p, v), L, F, R
    )
    results["gx"] = page.seg_sum(gx_edge, *page.build_csr(*v["src"][:2]))
    if R:
        results["gcb"] = page.rotate_mix_basis_grad(gu0, v["x"], src, v["wigner"], f["kc"], L, F, R)
    results["gq"], results["gA"], gBm = page.radial_bwd(
        None, gkc, v["q"], v["A"], v["Bm"] if R else None
    )
    if R:
        results["gBm"] = gBm
    return results
