"""Kernels of 16-bit floats: products and sums in fp32, results rounded as they are stored.

By plain loops, which round each value that they store, and by kernels, which round results alone.
"""

import numpy as np
import pytest

import checks
import half_cases
import halves
import kernels
import tools

LOWERINGS = ("plain", "fused")
CASES = half_cases.pairwise_cases()


def test_bf16_rounds_to_nearest_even():
    values = np.array([1.0, -2.5, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-20, 0.0])
    expected = [1.0, -2.5, 1.0, 1 + 2.0**-6, 1 + 2.0**-7, 0.0]
    assert halves.rounded(values, "bf16").tolist() == expected


def test_every_operator_meets_every_type():
    met = {(case.kernel.spec, case.p["act"]) for case in CASES}
    assert met == {(k.spec, act) for k in kernels.ALL for act in ("f16", "bf16")}
    mixed = {case.kernel.spec for case in CASES if case.p.get("par") == "f32"}
    assert mixed == {kernel.spec for kernel in kernels.ALL if kernel.weights}


@pytest.fixture(scope="module")
def sessions(page, build, kept, tmp_path_factory, request):
    """One a lowering; what is selected compiles in the background."""
    first, made = None, {}
    for lowering in LOWERINGS:
        flags = (f"--lowering={lowering}",)
        scratch = tmp_path_factory.mktemp(lowering)
        built = tools.Tools(build, scratch, jobs=1, flags=flags, kept=kept)
        first = first or checks.Session(page, built)
        made[lowering] = first.with_tools(built)
    for item in request.session.items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        if "half" in parameters:
            case = parameters["half"]
            made[parameters["lowering"]].tools.prepare(case.kernel.path, case.p)
    yield made
    for session in made.values():
        session.tools.close()


each_lowering = pytest.mark.parametrize("lowering", LOWERINGS)
each_case = pytest.mark.parametrize("half", CASES, ids=lambda case: case.name)


@each_lowering
@each_case
def test_equals_interpreter(sessions, lowering, half):
    checks.compiled_equals_interpreter(sessions[lowering], half, rounded_once=lowering == "fused")


@each_lowering
@each_case
def test_types_are_those_of_the_spec(sessions, lowering, half):
    """Gradients of weights have the weights' type, those of activations the activations'."""
    described = sessions[lowering].tools.described(half.kernel.path, half.p)["functions"]
    functions = {entry["name"]: entry for entry in described}
    for function in half.kernel.functions(half.p):
        entry = functions[function.name]
        for operand in entry["arguments"] + entry["results"]:
            if operand["kind"] == "tensor" and operand["dtype"] != "i8":
                expected = half.kernel.dtype_of(half.p, operand["name"])
                assert operand["dtype"] == expected, (function.name, operand["name"])


# Sums -----------------------------------------------------------------------------------------------

# Exact in f32 in any order. In halves the sum of the ones stops, or steps of 255/256 become 1.
MANY = 4096
SUM = MANY / 256
SUMMANDS = np.concatenate([np.ones(MANY), np.full(MANY, -255 / 256)])


@pytest.mark.parametrize("lanes", [1, 8, 64])
@pytest.mark.parametrize("act", ["f16", "bf16"])
def test_sums_in_halves_would_be_wrong(act, lanes):
    total = np.zeros(lanes)
    for summands in SUMMANDS.reshape(-1, lanes):
        total = halves.rounded(total + summands, act)
    assert abs(total.sum() - SUM) > SUM / 4


def of_channels(p):
    one = np.zeros((1, 1), int)
    v = {"x": SUMMANDS.reshape(1, -1, 1), "w": np.ones((1, len(SUMMANDS)))}
    return {**v, "knn": kernels.Index(one, 1, True)}, {"knn_conv": {"y": (1, 1, 1)}}


def of_outputs(p):
    """Of the gradient of a weight, over outputs, and of an input, over what reads it."""
    v = {"x": np.ones((1, 1, 1)), "w": np.ones((1, 1)), "gy": SUMMANDS.reshape(1, 1, -1)}
    v.update({"hx": np.ones((1, 1, 1)), "hw": np.zeros((1, 1))})
    v["knn"] = kernels.Index(np.zeros((1, len(SUMMANDS)), int), 1, True)
    functions = {"knn_conv_bwd": {"gx": (1, 1, 1), "gw": (1, 1)}, "knn_conv_bwd2": {"dw": (1, 1)}}
    functions["knn_conv_bwd2"].update({"dgy": (1, 1, len(SUMMANDS)), "dx": (1, 1, 1)})
    return v, functions


def of_edges(p):
    v = {"rows": SUMMANDS.reshape(-1, 1, 1), "h": SUMMANDS.reshape(-1, 1, 1)}
    v["index"] = kernels.Index(np.zeros(len(SUMMANDS), int), 1)
    return v, {"segment_sum": {"out": (1, 1, 1)}, "segment_sum_bwd2": {"dg": (1, 1, 1)}}


def of_weights(p):
    v = {"q": SUMMANDS.reshape(-1, 1, 1), "gkc": np.ones((len(SUMMANDS), 1, 1))}
    v.update({"A": np.ones((1, 1)), "hq": SUMMANDS.reshape(-1, 1, 1)})
    return v, {
        "radial_head_train_bwd": {"gq": (len(SUMMANDS), 1, 1), "gA": (1, 1)},
        "radial_head_force_bwd2": {"dgkc": (len(SUMMANDS), 1, 1), "dA": (1, 1)},
    }


CONV = {"Cout": 1, "K": 1, "V": 1, "biased": 0}
RADIAL = {"L": 0, "Cr": 1, "Cw": 1, "R": 0}
SUMS = {
    "channels": (kernels.KNN_CONV, {"Cin": len(SUMMANDS), **CONV}, of_channels),
    "outputs": (kernels.KNN_CONV, {"Cin": 1, **CONV}, of_outputs),
    "edges": (kernels.SEGMENT_SUM, {"A": 1, "B": 1}, of_edges),
    "weights": (kernels.RADIAL_HEAD, RADIAL, of_weights),
}
SUMMED = {"y", "gx", "gw", "dw", "out", "dg", "gA", "dA"}


@each_lowering
@pytest.mark.parametrize("act", ["f16", "bf16"])
@pytest.mark.parametrize("over", list(SUMS))
def test_sums_are_in_f32(sessions, lowering, act, over):
    kernel, sizes, operands = SUMS[over]
    p = {**sizes, "act": act}
    v, functions = operands(p)
    stored = kernels.map_floats(v, lambda array: halves.store(array, act))
    path, made = kernel.path, sessions[lowering].tools
    for function in kernel.functions(p):
        if function.name not in functions:
            continue
        shapes = functions[function.name]
        out = {name: halves.store(np.full(shapes[name], np.nan), act) for name in function.results}
        made.run(path, p, function, stored, out)
        for name in SUMMED & out.keys():
            assert halves.load(out[name], act).tolist() == np.full(shapes[name], SUM).tolist(), name
