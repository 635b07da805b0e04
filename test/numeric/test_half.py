"""Kernels of 16-bit floats: products and sums in fp32, results rounded as they are stored.

NumPy has no bf16, so its bits travel as uint16 (python/gyre says so too).
"""

import numpy as np
import pytest

import cases
import kernels
import measure

CASES = [
    cases.ROTATE_MIX_SMALL,
    cases.MESSAGE_SMALL,
    cases.GATED_SMALL,
    cases.single(kernels.GATED_LAYER, L=2, F=2, C=3),
    cases.single(kernels.RADIAL_HEAD, L=2, Cr=3, Cw=5, R=2),
    cases.single(kernels.FOCUS_COMPETITION, F=3, C=5, normalised=1, biased=1),
    cases.single(kernels.SO2_MIXING_STACK, L=1, F=2, C=2, T=1, competing=1),
    cases.single(kernels.KNN_CONV, "padded_table", Cin=3, Cout=4, K=5, V=3, biased=1),
    cases.single(kernels.KNN_MAX_POOL, "padded_table", K=5),
    cases.single(kernels.KNN_AVG_POOL, "padded_table", K=5),
]
WITH_WEIGHTS = [
    case
    for case in CASES
    if case.kernel
    in (
        kernels.RADIAL_HEAD,
        kernels.FOCUS_COMPETITION,
        kernels.SO2_MIXING_STACK,
        kernels.KNN_CONV,
    )
]


def encode(act, array):
    """The nearest values of the type, ties to even, as the array that a kernel takes."""
    if act in cases.DTYPES:
        return array.astype(cases.DTYPES[act])
    if act == "f16":
        return array.astype(np.float16)
    bits = array.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def decode(act, array):
    if act != "bf16":
        return array.astype(np.float64)
    return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def test_bf16_rounds_to_nearest_even():
    values = np.array([1.0, -2.5, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-20, 0.0])
    expected = [1.0, -2.5, 1.0, 1 + 2.0**-6, 1 + 2.0**-7, 0.0]
    assert decode("bf16", encode("bf16", values)).tolist() == expected


def check_half(session, case, act, **types):
    """Operands are in the types that the manifest says, and reference and inputs in what these can hold."""
    p = {**case.p, "act": act, **types}
    described = session.tools.described(case.kernel.path, p)["functions"]
    operands = {
        operand["name"]: operand["dtype"]
        for entry in described
        for operand in entry["arguments"] + entry["results"]
        if operand["kind"] == "tensor"
    }
    inputs = case.random_inputs()
    stored = {
        name: encode(operands[name], x) if name in operands and operands[name] != "i8" else x
        for name, x in inputs.items()
    }
    v = {
        name: decode(operands[name], x) if name in operands and operands[name] != "i8" else x
        for name, x in stored.items()
    }
    names = {entry["name"] for entry in described}
    for function in case.kernel.functions(p):
        assert function.name in names
        reference = session.tools.interpret(case.kernel.path, case.p, function, v)
        scale = kernels.magnitude(session.page, case.kernel, p, function, v)
        out = {
            name: np.full(array.shape, 0xA5, np.uint8)
            if operands[name] == "i8"
            else encode(operands[name], np.full(array.shape, np.nan))
            for name, array in reference.items()
        }
        session.tools.run(case.kernel.path, p, function, stored, out)
        lengths = function.lengths(p, v)
        for name in function.results:
            measure.within(
                f"{function.name}: {name}",
                out[name] if operands[name] == "i8" else decode(operands[name], out[name]),
                reference[name],
                scale[name],
                lengths[name],
                measure.UNIT_ROUNDOFF[act],
            )
    return operands


@pytest.mark.parametrize(
    "case, act",
    [
        (case, act)
        for case in CASES
        for act in ("f16", "bf16")
        if act == "bf16" or case.kernel is not kernels.SO2_MIXING_STACK  # slow to compile
    ],
    ids=lambda value: value if isinstance(value, str) else value.kernel.spec,
)
def test_half_precision_equals_the_interpreter(session, case, act):
    check_half(session, case, act)


@pytest.mark.parametrize("case", WITH_WEIGHTS, ids=lambda case: case.kernel.spec)
def test_gradients_of_weights_have_their_type(session, case):
    """Activations in bf16, weights and their gradients in f32."""
    operands = check_half(session, case, "bf16", par="f32")
    weights = {"A", "Bm", "wc", "b", "sc", "W0", "W1", "G", "w", "bias"} & operands.keys()
    assert weights
    for name in weights:
        for gradient in ("g" + name, "d" + name):
            assert operands.get(gradient, "f32") == "f32"
        assert operands[name] == "f32"
