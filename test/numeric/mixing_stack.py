"""kernels/so2_mixing_stack.mlir: its operands, and the page's python for it."""

from kernel import TERMS, Derivative, Function, Kernel


def stack_weights(p):
    return ("W0", "W1", "G") if p["L"] else ("W0",)


def stack_gradients(p):
    """Operands that the training backward has gradients of."""
    return ("u0",) + (("alpha",) if p["competing"] else ()) + stack_weights(p)


def stack_inputs(p, graph, draw):
    L, F, C, T, E = p["L"], p["F"], p["C"], p["T"], len(graph[0])
    P0, P1, row = (L + 1) * C, 2 * L * C, (3 * L + 1) * C
    shapes = {
        "u0": (F, E, row),
        "alpha": (E, F),
        "W0": (T + 1, F, P0, P0),
        "W1": (T + 1, F, P1, P1),
        "G": (T, F, C, L * C),
    }
    v = {name: draw(shape) for name, shape in shapes.items()}
    v.update({"h" + name: draw(shape) for name, shape in shapes.items()})
    v.update({name: draw((F, E, row)) for name in ("u_final", "g_u")})
    v.update({name: draw((T, F, E, row)) for name in ("z_all", "g_z")})
    v["g_out"] = draw((E, F, row))
    # Activations stay of size 1, whatever T: the sigmoids are not flat.
    return {**v, **{name: v[name] / 4 for name in ("W0", "W1", "G")}}


def weights_and_flags(p, v):
    return v["alpha"], v["W0"], v["W1"], v["G"], p["L"], bool(p["competing"])


def stack_forward(page, p, v):
    results = page.stack(v["u0"], *weights_and_flags(p, v))
    return dict(zip(("x_local", "z_all", "u_final"), results))


def stack_train_bwd(page, p, v, extra=("u0", "g_z", "g_u")):
    results = page.stack_train_bwd(
        v["g_out"],
        v["z_all"],
        v["u_final"],
        *weights_and_flags(p, v),
        **{name: v[name] for name in extra},
    )
    return dict(zip(("gu0", "galpha", "gW0", "gW1", "gG"), results))


def stack_plain_bwd(page, p, v):
    return stack_train_bwd(page, p, v, extra=("u0",))


def stack_bwd(page, p, v):
    """The page's normative form of galpha; its inference backward has the quotient."""
    return stack_train_bwd(page, p, v, extra=())


def stack_train_bwd2(page, p, v, given=None, extra=("u0", "g_z", "g_u")):
    given = tuple("h" + name for name in stack_gradients(p)) if given is None else given
    results = page.stack_train_bwd2(
        *(v[h] if h in given else None for h in ("hu0", "halpha", "hW0", "hW1", "hG")),
        v["g_out"],
        v["z_all"],
        v["u_final"],
        *weights_and_flags(p, v),
        **{name: v[name] for name in extra},
    )
    return {"d" + name: value for name, value in results.items()}


def stack_bwd2(page, p, v):
    return stack_train_bwd2(page, p, v, ("hu0", "halpha"), extra=())


def stack_lengths(p, v):
    T, (_, E, row), C = p["T"], v["u0"].shape, p["C"]
    product, gate = max((p["L"] + 1) * C, 2 * p["L"] * C) + 1, C + 3
    through = (T + 1) * (product + 2 * gate)
    first = {
        "x_local": through,
        "z_all": through,
        "u_final": through,
        "gu0": through,
        "galpha": product + row,
        "gW0": through + E,
        "gW1": through + E,
        "gG": through + E,
    }
    second = {name: first["g" + name] for name in ("u0", "alpha", "W0", "W1", "G")}
    second.update(dict.fromkeys(("g_out", "z_all", "u_final", "g_z", "g_u"), 2 * through))
    second["alpha"] = 2 * through + row
    return {**first, **{"d" + name: n + through + TERMS for name, n in second.items()}}


def stack_functions(p):
    weights, T = stack_weights(p), p["T"]
    alpha = ("alpha",) if p["competing"] else ()
    # What a function does not need it does not take. A spec says so once, for all parameters.
    z, g_z, u_final = ("z_all",) if T else (), ("g_z",) if T else (), ("u_final",)
    G = ("G",) if p["L"] and T else ()
    products = weights[:2]
    gradients = tuple("g" + name for name in stack_gradients(p))
    bottom = ("u0",) if T else ()

    def function(name, arguments, results, reference):
        return Function("so2_mixing_stack" + name, arguments, results, reference, stack_lengths)

    surfaces = ("g_out", "z_all", "u_final")
    operands = alpha + weights
    return [
        function("", ("u0",) + alpha + weights, ("x_local", "z_all", "u_final"), stack_forward),
        function(
            "_bwd",
            alpha + products + G + z + (u_final if alpha else ()) + ("g_out",),
            ("gu0",) + (("galpha",) if alpha else ()),
            stack_bwd,
        ),
        function(
            "_bwd2",
            alpha
            + products
            + G
            + z
            + (u_final if alpha else ())
            + ("g_out", "hu0")
            + (("halpha",) if alpha else ()),
            tuple("d" + name for name in surfaces + operands),
            stack_bwd2,
        ),
        function(
            "_train_bwd",
            bottom + alpha + products + G + z + u_final + ("g_out",) + g_z + ("g_u",),
            gradients,
            stack_train_bwd,
        ),
        function(
            "_train_bwd2",
            bottom
            + alpha
            + products
            + G
            + z
            + u_final
            + ("g_out",)
            + g_z
            + (("g_u",) if T else ())
            + tuple("h" + name for name in stack_gradients(p) if name != "G" or T),
            tuple("d" + name for name in surfaces + operands + ("u0", "g_z", "g_u")),
            stack_train_bwd2,
        ),
        function(
            "_plain_bwd",
            bottom + alpha + products + G + z + u_final + ("g_out",),
            gradients,
            stack_plain_bwd,
        ),
    ]


def stack_derivatives(p):
    alpha = ("alpha",) if p["competing"] else ()
    functions = {f.name: f for f in stack_functions(p)}

    def seconds(of, name, cotangents):
        """Gradients in arguments that the first order takes: the others are zeros."""
        first, second = functions["so2_mixing_stack" + of], "so2_mixing_stack" + name
        names = [a for a in first.arguments if "d" + a in functions[second].results]
        return Derivative(
            first.name,
            {"g" + h: "h" + h for h in cotangents},
            {a: (second, "d" + a) for a in names},
        )

    # The first order takes z_all and u_final: test_operators.py has it with those of the forward.
    return [
        seconds("_bwd", "_bwd2", ("u0",) + alpha),
        seconds("_train_bwd", "_train_bwd2", stack_gradients(p)),
    ]


SO2_MIXING_STACK = Kernel(
    spec="so2_mixing_stack",
    parameters=("L", "F", "C", "T", "competing", "act"),
    multilinear=False,
    functions=stack_functions,
    derivatives=stack_derivatives,
    inputs=stack_inputs,
    weights=("W0", "W1", "G"),
    alternative=lambda p: f"L {'>= 1' if p['L'] else '== 0'} and competing == {p['competing']}",
    exact_inputs=None,
)
