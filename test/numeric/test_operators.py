"""What the checks of all kernels do not reach: results that others take, sets of cotangents, limits, pads."""

import dataclasses

import numpy as np
import pytest

import cases
import checks
import competition
import kernels
import knn
import measure
import mixing_stack
from kernels import Index
from test_derivatives import extended_spec

# Focus competition --------------------------------------------------------------------------------


@pytest.mark.parametrize("normalised, biased", [(0, 0), (1, 1)])
def test_competition_second_order_with_every_cotangent(session, normalised, biased):
    """The page does not state it: against differences of the first order."""
    case = cases.single(kernels.FOCUS_COMPETITION, F=3, C=5, normalised=normalised, biased=biased)
    v, rng = session.inputs(case, "random"), case.rng("directions")
    function, derivative = competition.competition_train_bwd2(case.p)
    first = case.kernel.function(case.p, derivative.of)
    second = session.tools.interpret(case.kernel.path, case.p, function, v)
    shapes = {name: np.full(array.shape, np.nan) for name, array in second.items()}
    session.tools.run(case.kernel.path, case.p, function, v, shapes)
    for name, array in shapes.items():
        np.testing.assert_allclose(array, second[name], rtol=1e-12, atol=1e-12, err_msg=name)
    cotangents = {result: v[argument] for result, argument in derivative.cotangents.items()}
    for argument, (name, result) in derivative.gradients.items():
        checks.compare_gradient(
            f"{name}: {result}",
            second[result],
            rng,
            lambda direction: checks.difference(
                lambda w: session.compiled(case, first, w),
                v,
                argument,
                direction,
                cotangents,
                checks.SMOOTH_STEP,
            ),
        )


def test_competition_weights_are_positive_and_sum_to_one(session):
    case = cases.single(kernels.FOCUS_COMPETITION, F=3, C=5, normalised=0, biased=0)
    v = dict(session.inputs(case, "random"))
    v["p"] = v["p"] * 200  # logits of hundreds: the shift keeps the exponentials finite
    alpha = session.compiled(case, case.kernel.functions(case.p)[0], v)["alpha"]
    np.testing.assert_allclose(alpha.sum(1), 1, rtol=1e-14)
    assert (alpha >= 0.02 / 3 * (1 - 1e-14)).all() and alpha.max() > 0.98


# Mixing stack -------------------------------------------------------------------------------------

STACK = cases.single(kernels.SO2_MIXING_STACK, L=1, F=2, C=2, T=2, competing=1)


def saved(session, case, v, **changes):
    """The inputs with what their forward saves."""
    forward = case.kernel.functions(case.p)[0]
    w = {**v, **changes}
    results = session.compiled(case, forward, w)
    return {**w, "z_all": results["z_all"], "u_final": results["u_final"]}


def test_stack_gradients_equal_differences_of_the_forward(session):
    """Of all three results; and the inference backward agrees with the training one."""
    case, rng = STACK, STACK.rng("forward")
    v = saved(session, case, session.inputs(case, "random"))
    functions = {f.name: f for f in case.kernel.functions(case.p)}
    forward = functions["so2_mixing_stack"]
    cotangents = {"x_local": v["g_out"], "z_all": v["g_z"], "u_final": v["g_u"]}
    gradients = session.compiled(case, functions["so2_mixing_stack_train_bwd"], v)
    for name in mixing_stack.stack_gradients(case.p):
        checks.compare_gradient(
            f"g{name}",
            gradients["g" + name],
            rng,
            lambda direction: checks.difference(
                lambda w: session.compiled(case, forward, w),
                v,
                name,
                direction,
                cotangents,
                checks.SMOOTH_STEP,
            ),
        )
    plain = session.compiled(case, functions["so2_mixing_stack_plain_bwd"], v)
    inference = session.compiled(case, functions["so2_mixing_stack_bwd"], v)
    for name in ("gu0", "galpha"):
        np.testing.assert_allclose(inference[name], plain[name], rtol=1e-12, atol=1e-12)


def test_stack_bottom_input_is_exact(session):
    """gW of the bottom layer contracts u0, whatever u_final says; those of higher layers do not."""
    case = STACK
    v = dict(session.inputs(case, "random"))
    function = case.kernel.function(case.p, "so2_mixing_stack_train_bwd")
    first = session.compiled(case, function, v)
    second = session.compiled(case, function, {**v, "u_final": v["u_final"] + 1})
    for name in ("gW0", "gW1"):
        assert (first[name][0] == second[name][0]).all()
        assert (first[name][1] != second[name][1]).any() and (
            first[name][2] != second[name][2]
        ).any()


def test_stack_second_order_for_every_set_of_cotangents(session, tmp_path):
    case = STACK
    lines, functions = kernels.stack_subsets(case.p)
    assert len(functions) == 31
    checks.subsets_equal_page(session, case, extended_spec(case, lines, tmp_path), functions)


COMPILED_SETS = ("gu0", "galpha", "gW0", "gW1_gG", "gu0_galpha", "gu0_gW0_gW1_gG")


def test_stack_second_order_for_some_sets_compiled(session, tmp_path):
    case = cases.single(kernels.SO2_MIXING_STACK, L=1, F=1, C=2, T=1, competing=1)
    lines, functions = kernels.stack_subsets(case.p)
    chosen = [
        (line, function)
        for line, function in zip(lines, functions)
        if function.name.removeprefix("test_bwd2_") in COMPILED_SETS
    ]
    assert len(chosen) == 6
    path = extended_spec(case, [line for line, _ in chosen], tmp_path)
    names = ",".join(function.name for _, function in chosen)
    described = session.tools.described(path, case.p, names)["functions"]
    v = session.inputs(case, "random")
    for _, function in chosen:
        reference = session.tools.interpret(path, case.p, function, v)
        out = {name: np.full(array.shape, np.nan) for name, array in reference.items()}
        (entry,) = (f for f in described if f["name"] == function.name)
        needed = dataclasses.replace(
            function, arguments=tuple(argument["name"] for argument in entry["arguments"])
        )
        session.tools.run(path, case.p, needed, v, out, derive=names)
        scale = kernels.magnitude(session.page, case.kernel, case.p, function, v)
        lengths = function.lengths(case.p, v)
        for name in function.results:
            measure.within(
                f"{function.name}: {name}",
                out[name],
                reference[name],
                scale[name],
                lengths[name],
                measure.UNIT_ROUNDOFF["f64"],
            )


# Neighbours ---------------------------------------------------------------------------------------


def run(session, case, name, v):
    return session.compiled(case, case.kernel.function(case.p, name), v)


def both(session, case, name, v):
    """Results of the compiled function and of the interpreter, which are the same bit for bit."""
    function = case.kernel.function(case.p, name)
    shown = session.tools.interpret(case.kernel.path, case.p, function, v)
    out = {
        result: np.full(array.shape, 0xA5, np.uint8)
        if np.issubdtype(array.dtype, np.integer)
        else np.full(array.shape, 7.0)
        for result, array in shown.items()
    }
    session.tools.run(case.kernel.path, case.p, function, v, out)
    for result, array in shown.items():
        np.testing.assert_array_equal(out[result], array)
    return out


LIMITS_TABLE = np.array([[4, 0, 1, 9, 2], [4, 1, 0, 4, 3], [7, 3, 3, 0, 4]])


def limits(draw_x):
    """Rows of pads alone, ties, -inf and NaN: nodes 0 to 3 of 4, an entry of 4 or more is a pad."""
    v = {"knn": Index(LIMITS_TABLE, 4, True), "x": np.array([[draw_x]], np.float64)}
    v["gy"] = np.array([[[np.nan, 2.0, 3.0, 5.0, 7.0]]])
    v["hx"] = np.array([[[1.0, 10.0, 100.0, 1000.0]]])
    return v


@pytest.mark.parametrize(
    "x",
    [
        [1.0, 1.0, 1.0, 1.0],
        [0.0, -0.0, 0.0, -0.0],
        [np.nan, 2.0, np.nan, -np.inf],
        [-np.inf, -np.inf, -np.inf, np.nan],
        [3.0, -1.0, np.inf, np.inf],
    ],
)
def test_max_pool_limits(session, page, x):
    case = cases.single(kernels.KNN_MAX_POOL, "table", K=3)
    v = limits(x)
    y, arg = page.pool(v["x"], LIMITS_TABLE, "max")
    v["arg"] = arg
    got = both(session, case, "knn_max_pool", v)
    np.testing.assert_array_equal(got["y"], y)
    np.testing.assert_array_equal(got["arg"], arg)
    assert y[0, 0, 0] == -np.inf and arg[0, 0, 0] == 0
    gx = both(session, case, "knn_max_pool_bwd", v)["gx"]
    np.testing.assert_array_equal(gx, page.pool_bwd(v["gy"], arg, LIMITS_TABLE, 4, "max"))
    assert np.isfinite(gx).all()
    dgy = both(session, case, "knn_max_pool_bwd2", v)["dgy"]
    np.testing.assert_array_equal(dgy, page.pool_bwd2(v["hx"], arg, LIMITS_TABLE, "max"))


@pytest.mark.parametrize("x", [[1.0, 2.0, 4.0, 8.0], [np.nan, 2.0, np.inf, -np.inf]])
def test_avg_pool_limits(session, page, x):
    case = cases.single(kernels.KNN_AVG_POOL, "table", K=3)
    v = limits(x)
    with np.errstate(invalid="ignore"):
        y, _ = page.pool(v["x"], LIMITS_TABLE, "avg")
    np.testing.assert_array_equal(both(session, case, "knn_avg_pool", v)["y"], y)
    assert np.isnan(y[0, 0, 0])
    gx = both(session, case, "knn_avg_pool_bwd", v)["gx"]
    np.testing.assert_allclose(gx, page.pool_bwd(v["gy"], None, LIMITS_TABLE, 4, "avg"), rtol=1e-15)
    dgy = both(session, case, "knn_avg_pool_bwd2", v)["dgy"]
    np.testing.assert_array_equal(dgy, page.pool_bwd2(v["hx"], None, LIMITS_TABLE, "avg"))
    assert dgy[0, 0, 0] == 0


def test_conv_of_one_neighbour_is_gather_gemm(session, page):
    case = cases.single(kernels.KNN_CONV, "padded_table", Cin=3, Cout=4, K=1, V=1, biased=1)
    v = session.inputs(case, "random")
    idx, nodes = v["knn"].array[0], v["knn"].target
    y = run(session, case, "knn_conv", v)["y"]
    np.testing.assert_allclose(
        y, page.gather_gemm(v["x"], idx, v["w"], v["bias"]), rtol=1e-13, atol=1e-13
    )
    got = run(session, case, "knn_conv_bwd", v)
    np.testing.assert_allclose(
        got["gx"], page.gather_gemm_grad_input(v["gy"], idx, v["w"], nodes), rtol=1e-13, atol=1e-13
    )
    np.testing.assert_allclose(
        got["gw"], page.gather_gemm_grad_weight(v["gy"], v["x"], idx), rtol=1e-13, atol=1e-13
    )


def test_conv_pads_do_not_matter(session, page):
    """Neither the index of a pad nor its cell; an output of pads is the bias; forms of the page agree."""
    case = cases.single(kernels.KNN_CONV, "padded_table", Cin=3, Cout=4, K=5, V=3, biased=1)
    v = dict(session.inputs(case, "random"))
    table, nodes = v["knn"].array.copy(), v["knn"].target
    table[:, 2] = nodes
    v["knn"] = Index(table, nodes, True)
    pads = table >= nodes
    moved = {
        **v,
        "knn": Index(np.where(pads, table + 3, table), nodes, True),
        "rf": Index(np.where(pads.T, 2 - v["rf"].array, v["rf"].array), 3),
    }
    for function in case.kernel.functions(case.p):
        first, second = (session.compiled(case, function, w) for w in (v, moved))
        for name in function.results:
            measure.exact(f"{function.name}: {name}", second[name], first[name])
    y = run(session, case, "knn_conv", v)["y"]
    assert (y[:, :, 2] == v["bias"]).all()
    scattered = page.conv_scatter(v["x"], table, v["rf"].array, v["w"], v["bias"])
    np.testing.assert_allclose(y, scattered, rtol=1e-13, atol=1e-13)


# Tables of networks -------------------------------------------------------------------------------

NETWORKS = knn.load_tables()


@pytest.mark.parametrize("name", NETWORKS)
def test_tables_of_networks(session, page, name):
    """Convolution and both poolings, orders 0 to 2, fp32, on every neighbour table."""
    table, nodes = NETWORKS[name]
    K = len(table)
    rng = np.random.default_rng(len(name))
    small = {"Cin": 2, "Cout": 3, "K": K, "V": min(K, 9), "biased": 1}
    for kernel in (kernels.KNN_CONV, kernels.KNN_MAX_POOL, kernels.KNN_AVG_POOL):
        p = {n: small[n] for n in kernel.parameters if n != "act"} | {"act": "f32"}
        v = kernel.inputs(
            p, (table, nodes), lambda shape: rng.standard_normal(shape).astype(np.float32)
        )
        if kernel is kernels.KNN_MAX_POOL:
            v["arg"] = page.pool(v["x"], table, "max")[1]
        for function in kernel.functions(p):
            reference = kernels.evaluate(page, p, function, v)
            out = {
                n: np.zeros(r.shape, r.dtype if r.dtype == np.uint8 else np.float32)
                for n, r in reference.items()
            }
            session.tools.run(kernel.path, p, function, v, out)
            scale = kernels.magnitude(page, kernel, p, function, v)
            lengths = function.lengths(p, v)
            for result in function.results:
                measure.within(
                    f"{name} {function.name}: {result}",
                    out[result],
                    reference[result],
                    scale[result],
                    lengths[result],
                    measure.UNIT_ROUNDOFF["f32"],
                )
