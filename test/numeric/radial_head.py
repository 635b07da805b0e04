"""kernels/radial_head.mlir: its operands, and the page's python for it.

The page states the second order for the cotangent of gq alone. With those of the weights' gradients the
differentiated scalar is a sum of terms linear in each operand, so more applications of the page's own
maps, one operand exchanged for its cotangent each, give the rest.
"""

from kernel import TERMS, Derivative, Function, Kernel


def radial_shapes(p, edges):
    L, Cr, Cw, R = p["L"], p["Cr"], p["Cw"], p["R"]
    slots = (L + 1) ** 2 + L**2
    shapes = {"q": (edges, L + 1, Cr or Cw), "kc": (edges, slots * R) if R else (edges, L + 1, Cw)}
    if Cr:
        shapes["A"] = (Cr, Cw)
    if R:
        shapes["Bm"] = ((L + 1) * Cw, slots * R)
    if Cr and R:
        shapes["rad"] = (edges, L + 1, Cw)
        shapes["weff"] = ((L + 1) * Cr, slots * R)
        shapes["rad0"] = (edges, 1, Cw)
    return shapes


def radial_inputs(p, graph, draw):
    shapes = radial_shapes(p, len(graph[0]))
    v = {name: draw(shapes[name]) for name in ("q", "A", "Bm", "weff") if name in shapes}
    v.update({"g" + name: draw(shapes[name]) for name in ("kc", "rad", "rad0") if name in shapes})
    v.update({"h" + name: draw(shapes[name]) for name in ("q", "A", "Bm") if name in shapes})
    return v


def radial_forward(page, p, v):
    rad, kc = page.radial(v["q"], v.get("A"), v.get("Bm"))
    return {"rad": rad, "kc": kc}


def radial_bwd(page, p, v, with_rad=True):
    grad = v.get("grad") if with_rad else None
    return dict(
        zip(("gq", "gA", "gBm"), page.radial_bwd(grad, v["gkc"], v["q"], v.get("A"), v.get("Bm")))
    )


def radial_force_bwd(page, p, v):
    return radial_bwd(page, p, v, with_rad=False)


def radial_force_bwd2(page, p, v):
    names = ("dgkc", "dA", "dBm")
    return dict(zip(names, page.radial_bwd2(v["hq"], v["gkc"], v["q"], v.get("A"), v.get("Bm"))))


def sums(*terms):
    """Terms that are there, added name by name."""
    total = {}
    for term in terms:
        for name, value in term.items():
            if value is not None:
                total[name] = total[name] + value if name in total else value
    return total


def radial_train_bwd2(page, p, v):
    q, A, Bm, gkc, grad = v["q"], v.get("A"), v.get("Bm"), v["gkc"], v.get("grad")
    results = {}
    # Each operand in turn exchanged for its cotangent: forward for the cotangents' gradients,
    # backward for those of the operands that are left.
    for name, cotangent in (("q", v["hq"]), ("A", v.get("hA")), ("Bm", v.get("hBm"))):
        if cotangent is None:
            continue
        w = {"q": q, "A": A, "Bm": Bm, name: cotangent}
        rad, kc = page.radial(w["q"], w["A"], w["Bm"])
        back = page.radial_bwd(grad if name != "Bm" else None, gkc, w["q"], w["A"], w["Bm"])
        back = dict(zip(("dq", "dA", "dBm"), back))
        back.pop("d" + name)
        results = sums(
            results,
            back,
            {"dgkc": kc, "dgrad": rad if grad is not None and name != "Bm" else None},
        )
    return results


def radial_fold(page, p, v):
    return {"weff": page.radial_fold(v["A"], v["Bm"], p["L"])}


def radial_folded(page, p, v):
    q = v["q"]
    kc = q.reshape(q.shape[0], q.shape[1] * q.shape[2]) @ v["weff"]
    return {"rad0": page.radial(q[:, :1], v["A"], None)[0], "kc": kc}


def radial_folded_bwd(page, p, v):
    gq = (v["gkc"] @ v["weff"].T).reshape(v["q"].shape)
    gq[:, :1] += page.radial_bwd(v["grad0"], v["grad0"] * 0, v["q"][:, :1], v["A"], None)[0]
    return {"gq": gq}


def radial_lengths(p, v):
    E, rows, Cr = v["q"].shape
    Cw, kcw = p["Cw"], v["gkc"].shape[1] if p["R"] else 1
    first = {
        "rad": Cr,
        "rad0": Cr,
        "kc": Cr + rows * Cw,
        "gq": kcw + Cw + 2,
        "gA": kcw + E * rows + 2,
        "gBm": Cr + E,
        "weff": Cw,
    }
    second = {"q": "gq", "A": "gA", "Bm": "gBm", "gkc": "kc", "grad": "rad"}
    return {**first, **{"d" + name: first[of] + TERMS for name, of in second.items()}}


def radial_functions(p):
    A, Bm = ("A",) if p["Cr"] else (), ("Bm",) if p["R"] else ()
    weights, both = A + Bm, bool(A and Bm)
    rad, g = ("rad",) if both else (), ("grad",) if both else ()

    def named(prefix, names):
        return tuple(prefix + name for name in names)

    def function(name, arguments, results, reference):
        return Function(
            "radial_head" + name,
            arguments,
            results,
            reference,
            radial_lengths,
        )

    functions = [
        function("", ("q",) + weights, rad + ("kc",), radial_forward),
        function("_bwd", weights + g + ("gkc",), ("gq",), radial_bwd),
        function(
            "_train_bwd", ("q",) + weights + g + ("gkc",), named("g", ("q",) + weights), radial_bwd
        ),
        function(
            "_force_bwd2",
            weights + ("gkc", "hq"),
            ("dgkc",) + named("d", weights),
            radial_force_bwd2,
        ),
        function(
            "_train_bwd2",
            ("q",) + weights + g + ("gkc",) + named("h", ("q",) + weights),
            named("d", g + ("gkc", "q") + weights),
            radial_train_bwd2,
        ),
    ]
    if both:
        functions += [
            function("_force_bwd", weights + ("gkc",), ("gq",), radial_force_bwd),
            Function("radial_fold", weights, ("weff",), radial_fold, radial_lengths),
            function("_folded", ("q", "weff", "A"), ("rad0", "kc"), radial_folded),
            function("_folded_bwd", ("weff", "A", "grad0", "gkc"), ("gq",), radial_folded_bwd),
        ]
    return functions


def radial_derivatives(p):
    weights = (("A",) if p["Cr"] else ()) + (("Bm",) if p["R"] else ())
    both = len(weights) == 2
    g = ("grad",) if both else ()
    force = "radial_head_force_bwd" if both else "radial_head_bwd"
    derivatives = [
        Derivative(
            "radial_head",
            {"kc": "gkc", **({"rad": "grad"} if both else {})},
            {name: ("radial_head_train_bwd", "g" + name) for name in ("q",) + weights},
        ),
        Derivative(
            force,
            {"gq": "hq"},
            {name: ("radial_head_force_bwd2", "d" + name) for name in ("gkc",) + weights},
        ),
        Derivative(
            "radial_head_train_bwd",
            {"g" + name: "h" + name for name in ("q",) + weights},
            {name: ("radial_head_train_bwd2", "d" + name) for name in g + ("gkc", "q") + weights},
        ),
    ]
    if both:
        derivatives.append(
            Derivative(
                "radial_head_folded",
                {"rad0": "grad0", "kc": "gkc"},
                {"q": ("radial_head_folded_bwd", "gq")},
            )
        )
    return derivatives


RADIAL_HEAD = Kernel(
    spec="radial_head",
    parameters=("L", "Cr", "Cw", "R", "act"),
    multilinear=True,
    functions=radial_functions,
    derivatives=radial_derivatives,
    inputs=radial_inputs,
    weights=("A", "Bm", "weff"),
    alternative=lambda p: (
        f"Cr {'>= 1' if p['Cr'] else '== 0'} and R {'>= 1' if p['R'] else '== 0'}"
    ),
)
