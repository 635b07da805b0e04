"""Kernels of 16-bit floats: products and sums in fp32, results rounded as they are stored.

NumPy has no bf16, so its bits travel as uint16 (python/gyre says so too).
"""

import numpy as np
import pytest

import cases
import kernels
import measure

CASES = [cases.ROTATE_MIX_SMALL, cases.MESSAGE_SMALL, cases.GATED_SMALL]


def encode(act, array):
    """The nearest values of the type, ties to even, as the array that a kernel takes."""
    if act == "f16":
        return array.astype(np.float16)
    bits = array.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def decode(act, array):
    if act == "f16":
        return array.astype(np.float64)
    return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def test_bf16_rounds_to_nearest_even():
    values = np.array([1.0, -2.5, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-20, 0.0])
    expected = [1.0, -2.5, 1.0, 1 + 2.0**-6, 1 + 2.0**-7, 0.0]
    assert decode("bf16", encode("bf16", values)).tolist() == expected


@pytest.mark.parametrize("act", ["f16", "bf16"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel.spec)
def test_half_precision_equals_the_interpreter(session, case, act):
    stored = kernels.map_floats(case.random_inputs(), lambda array: encode(act, array))
    v = kernels.map_floats(stored, lambda array: decode(act, array))
    p = {**case.p, "act": act}
    for function in case.kernel.functions(p):
        reference = session.tools.interpret(case.kernel.path, case.p, function, v)
        scale = kernels.magnitude(session.page, case.kernel, p, function, v)
        out = {name: encode(act, np.full(array.shape, np.nan)) for name, array in reference.items()}
        session.tools.run(case.kernel.path, p, function, stored, out)
        lengths = function.lengths(p, v)
        for name in function.results:
            measure.within(
                f"{function.name}: {name}",
                decode(act, out[name]),
                reference[name],
                scale[name],
                lengths[name],
                measure.UNIT_ROUNDOFF[act],
            )
