"""Values of all kernels, all orders: the interpreter against the page, compiled kernels against the interpreter."""

import pytest

import cases
import checks
import kernels

CASES = [case for kernel in kernels.ALL for case in cases.pairwise_cases(kernel)]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@each_case
def test_interpreter_equals_page(session, case):
    checks.interpreter_equals_page(session, case)


@each_case
def test_compiled_equals_interpreter(session, case):
    checks.compiled_equals_interpreter(session, case)


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.kernel.exact_inputs], ids=lambda case: case.name
)
def test_small_integers_are_exact(session, case):
    checks.integers_are_exact(session, case)


@each_case
def test_repeats_bit_for_bit(session, case):
    checks.repeats_bit_for_bit(session, case)


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.kernel in kernels.ROTATING], ids=lambda case: case.name
)
def test_unread_wigner_entries_change_nothing(session, case):
    checks.unread_entries_change_nothing(session, case)


@pytest.mark.parametrize(
    "case", [cases.ROTATE_MIX_SMALL, cases.ROTATE_MIX_DIAGONAL], ids=lambda case: case.name
)
def test_interpreter_does_not_read_unread_wigner_entries(session, case):
    checks.unread_entries_change_nothing(session, case, interpret=True)
