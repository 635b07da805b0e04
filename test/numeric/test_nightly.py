"""Every check on the full grid of parameters and graphs: pytest -m nightly. Hours."""

import pytest

import cases
import checks
import kernels

pytestmark = pytest.mark.nightly

GRID = [(kernel, row) for kernel in kernels.ALL for row in cases.grid(kernel)]


@pytest.mark.parametrize(
    "kernel, row",
    GRID,
    ids=lambda value: (
        value.spec
        if isinstance(value, kernels.Kernel)
        else "-".join(f"{name}{item}" for name, item in value.items())
    ),
)
def test_grid(page, built_tools, kernel, row):
    """One set of parameters, all graphs. A session of its own: results are not kept."""
    session = checks.Session(page, built_tools)
    for graph in cases.FACTORS[kernel.spec]["graph"]:
        case = cases.Case.make(kernel, {**row, "graph": graph})
        checks.interpreter_equals_page(session, case)
        checks.compiled_equals_interpreter(session, case)
        if kernel.exact_inputs:
            checks.integers_are_exact(session, case)
        checks.repeats_bit_for_bit(session, case)
        if row["act"] == "f64":
            checks.derivatives_equal_differences(session, case)
        if kernel in kernels.ROTATING:
            checks.unread_entries_change_nothing(session, case)
