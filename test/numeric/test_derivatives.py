"""Derivatives: central differences, every set of cotangents, and a third order."""

import pytest

import cases
import checks
import kernels
import spectext

CASES = [
    case
    for kernel in kernels.ALL
    for case in cases.pairwise_cases(kernel)
    if case.p["act"] == "f64"
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_derivatives_equal_differences(session, case):
    checks.derivatives_equal_differences(session, case)


def extended_spec(case, lines, directory):
    """The kernel's spec with more derivatives declared, as a file."""
    text = case.kernel.path.read_text(encoding="utf-8")
    path = directory / case.kernel.path.name
    path.write_text(
        spectext.add_lines(text, lines, case.kernel.alternative(case.p)), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    "case", [cases.ROTATE_MIX_SMALL, cases.ROTATE_MIX_DIAGONAL], ids=lambda case: case.name
)
def test_rotate_mix_second_order_for_every_set_of_cotangents(session, case, tmp_path):
    lines, functions = kernels.rotate_mix_subsets(case.p)
    assert len(functions) == (15 if case.p["R"] else 7)
    checks.subsets_equal_page(session, case, extended_spec(case, lines, tmp_path), functions)


@pytest.mark.parametrize(
    "case", [cases.GATED_SMALL, cases.GATED_SCALAR], ids=lambda case: case.name
)
def test_gated_second_order_for_every_set_of_cotangents(session, case, tmp_path):
    lines, functions = kernels.gated_subsets(case.p)
    assert len(functions) == (3 if case.p["L"] else 1)
    checks.subsets_equal_page(session, case, extended_spec(case, lines, tmp_path), functions)


@pytest.mark.parametrize(
    "case", [cases.ROTATE_MIX_SMALL, cases.ROTATE_MIX_DIAGONAL], ids=lambda case: case.name
)
def test_rotate_mix_third_order_equals_differences(session, case, tmp_path):
    line, function, derivative = kernels.rotate_mix_third(case.p)
    v = kernels.rotate_mix_third_inputs(
        case.p, session.inputs(case, "random"), case.rng("third").standard_normal
    )
    checks.third_equals_differences(
        session, case, extended_spec(case, [line], tmp_path), function, derivative, v
    )
