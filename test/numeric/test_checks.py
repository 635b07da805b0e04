"""Tests of the checks, without a tool.

The checks run against a stand-in that computes with the page, and against the same stand-in with
one thing broken, which the check that names that thing has to notice.
"""

import itertools

import numpy as np
import pytest

import cases
import checks
import kernels
import measure
from stand_in import PageTools

ROTATE = cases.ROTATE_MIX_SMALL
MESSAGE = cases.MESSAGE_SMALL
GATED = cases.GATED_SMALL
SEGMENT = cases.single(kernels.SEGMENT_SUM, A=4, B=3)


# The checks ---------------------------------------------------------------------------------------

VALUE_CHECKS = [
    checks.interpreter_equals_page,
    checks.compiled_equals_interpreter,
    checks.integers_are_exact,
    checks.repeats_bit_for_bit,
]


@pytest.mark.parametrize("kernel", kernels.ALL, ids=lambda kernel: kernel.spec)
def test_checks_pass_on_right_results(page, kernel):
    session = checks.Session(page, PageTools(page))
    for case in cases.pairwise_cases(kernel):
        for check in VALUE_CHECKS:
            if kernel.exact_inputs or check is not checks.integers_are_exact:
                check(session, case)
        if kernel in kernels.ROTATING:
            checks.unread_entries_change_nothing(session, case)
            checks.unread_entries_change_nothing(session, case, interpret=True)


@pytest.mark.parametrize("kernel", kernels.ALL, ids=lambda kernel: kernel.spec)
def test_references_satisfy_central_differences(page, kernel):
    """The wrappers of kernels.py pair the page's functions, operands and cotangents rightly."""
    session = checks.Session(page, PageTools(page))
    for case in cases.pairwise_cases(kernel):
        if case.p["act"] == "f64":
            checks.derivatives_equal_differences(session, case)


@pytest.mark.parametrize("R", [0, 1])
def test_third_order_check(page, R):
    case = cases.single(kernels.SO2_ROTATE_MIX, "one_edge", L=1, F=1, C=1, R=R)
    _, function, derivative = kernels.rotate_mix_third(case.p)
    v = kernels.rotate_mix_third_inputs(
        case.p, case.random_inputs(), case.rng("third").standard_normal
    )
    checks.third_equals_differences(
        checks.Session(page, PageTools(page)), case, None, function, derivative, v
    )
    for result in function.results:
        broken = checks.Session(
            page, PageTools(page, corrupt_result("interpreter", "test_bwd3", result, scale_all))
        )
        with pytest.raises(measure.Mismatch, match=f": {result}"):
            checks.third_equals_differences(broken, case, None, function, derivative, v)


def test_subset_checks(page):
    for case, (lines, functions), count in (
        (ROTATE, kernels.rotate_mix_subsets(ROTATE.p), 15),
        (cases.ROTATE_MIX_DIAGONAL, kernels.rotate_mix_subsets(cases.ROTATE_MIX_DIAGONAL.p), 7),
        (GATED, kernels.gated_subsets(GATED.p), 3),
        (cases.GATED_SCALAR, kernels.gated_subsets(cases.GATED_SCALAR.p), 1),
    ):
        assert len({f.name for f in functions}) == count
        assert all(any(f"@{f.name} =" in line for line in lines) for f in functions)
        checks.subsets_equal_page(checks.Session(page, PageTools(page)), case, None, functions)
        for function in functions:
            broken = PageTools(
                page,
                corrupt_result(
                    "interpreter", function.name, function.results[0], last_element(1e-12)
                ),
            )
            with pytest.raises(measure.Mismatch):
                checks.subsets_equal_page(checks.Session(page, broken), case, None, functions)


def test_derive_lines():
    lines, _ = kernels.rotate_mix_subsets(ROTATE.p)
    assert lines[0] == (
        "gyre.derive @test_bwd = vjp @rotate_mix wrt (x as gx, wigner as gwigner, kc as gkc, cb as gcb) "
        "given (u as g)"
    )
    assert lines[2] == (
        "gyre.derive @test_bwd2_gwigner = vjp @test_bwd wrt (g as dg, x as dx, wigner as dwigner, kc as dkc, "
        "cb as dcb) given (gwigner as hwigner)"
    )


# The checks notice --------------------------------------------------------------------------------


def corrupt_result(side, function, result, change):
    def corrupt(at_side, name, results):
        if at_side == side and name == function:
            results[result][...] = change(results[result])

    return corrupt


def last_element(relative):
    def change(array):
        array = array.copy()
        array.flat[-1] += relative * max(abs(array.flat[-1]), 1)
        return array

    return change


def scale_all(array):
    return array * (1 + 1e-5)


def leave_nan(array):
    array = array.copy()
    array.flat[0] = np.nan
    return array


def off_by_one_ulp(array):
    array = array.copy()
    at = np.argmax(array != 0)
    array.flat[at] = np.nextafter(array.flat[at], np.inf)
    return array


RESULTS = [
    (case, function.name, result)
    for case in (ROTATE, MESSAGE, GATED, SEGMENT)
    for function in case.kernel.functions(case.p)
    for result in function.results
]
each_result = pytest.mark.parametrize(
    "case, function, result", RESULTS, ids=lambda value: getattr(value, "name", value)
)


def assert_noticed(page, check, case, function, result, side, change):
    session = checks.Session(page, PageTools(page, corrupt_result(side, function, result, change)))
    with pytest.raises(measure.Mismatch, match=rf"{function}: {result}\b"):
        check(session, case)


@each_result
def test_a_wrong_element_is_noticed(page, case, function, result):
    single = cases.in_f32(case)
    assert_noticed(
        page,
        checks.interpreter_equals_page,
        case,
        function,
        result,
        "interpreter",
        last_element(1e-10),
    )
    assert_noticed(
        page,
        checks.compiled_equals_interpreter,
        case,
        function,
        result,
        "compiled",
        last_element(1e-10),
    )
    assert_noticed(
        page,
        checks.compiled_equals_interpreter,
        single,
        function,
        result,
        "compiled",
        last_element(1e-2),
    )
    for side in ("compiled", "interpreter"):
        assert_noticed(
            page, checks.integers_are_exact, case, function, result, side, off_by_one_ulp
        )


@each_result
def test_an_unwritten_element_is_noticed(page, case, function, result):
    assert_noticed(
        page, checks.compiled_equals_interpreter, case, function, result, "compiled", leave_nan
    )
    assert_noticed(page, checks.integers_are_exact, case, function, result, "compiled", leave_nan)
    assert_noticed(
        page, checks.interpreter_equals_page, case, function, result, "interpreter", leave_nan
    )


@pytest.mark.parametrize("case", [ROTATE, MESSAGE, GATED, SEGMENT], ids=lambda case: case.name)
def test_a_wrong_gradient_is_noticed(page, case):
    for derivative in case.kernel.derivatives(case.p):
        for function, result in derivative.gradients.values():
            # Scaled by 1 + 1e-5, a gradient still looks like one: only the differences tell.
            session = checks.Session(
                page, PageTools(page, corrupt_result("compiled", function, result, scale_all))
            )
            with pytest.raises(
                measure.Mismatch, match=rf"{function}: {result}: expected the central difference"
            ):
                checks.derivatives_equal_differences(session, case)


def test_differences_need_fp64(page):
    with pytest.raises(ValueError, match="act=f64"):
        checks.derivatives_equal_differences(
            checks.Session(page, PageTools(page)), cases.in_f32(ROTATE)
        )


@each_result
def test_a_result_that_changes_from_run_to_run_is_noticed(page, case, function, result):
    calls = itertools.count()

    def flicker(array):
        return off_by_one_ulp(array) if next(calls) == 1 else array

    assert_noticed(page, checks.repeats_bit_for_bit, case, function, result, "compiled", flicker)


@pytest.mark.parametrize("interpret", [False, True])
def test_a_read_of_an_unread_entry_is_noticed(page, interpret):
    class Reads(PageTools):
        def spoil(self, v, results):
            results["u"].flat[0] += 0 * v["wigner"].sum()

        def interpret(self, path, p, function, v):
            results = super().interpret(path, p, function, v)
            if function.name == "rotate_mix":
                self.spoil(v, results)
            return results

        def run(self, path, p, function, v, out):
            super().run(path, p, function, v, out)
            if function.name == "rotate_mix":
                self.spoil(v, out)

    checks.compiled_equals_interpreter(checks.Session(page, Reads(page)), ROTATE)
    with pytest.raises(measure.Mismatch, match="rotate_mix: u with NaN in unread entries"):
        checks.unread_entries_change_nothing(checks.Session(page, Reads(page)), ROTATE, interpret)


@pytest.mark.parametrize(
    "function, result", [("rotate_mix_bwd", "gwigner"), ("rotate_mix_bwd2", "dwigner")]
)
def test_a_gradient_outside_the_structural_set_is_noticed(page, function, result):
    def fill(array):
        array = array.copy()
        array[:, 0, -1] = 1e-30
        return array

    assert_noticed(
        page, checks.unread_entries_change_nothing, ROTATE, function, result, "compiled", fill
    )


def test_structural_set_has_the_documented_size(page):
    for L in range(7):
        assert checks.structural(page, {"L": L}).sum() == 3 * (L + 1) ** 2 - 2
