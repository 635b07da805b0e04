"""Kernels that walk graphs, orders 0 to 2: values, exact integers, bits that never change.

GYREC_FLAGS says how they are compiled; nothing below depends on it.
"""

import threading

import pytest

import checks
import fused_cases
import gyre
import measure
import threads
import tools

GYREC_FLAGS = ("--lowering=fused",)
RUNS = 100
THREADS = (1, 2, 16)

WALKS = fused_cases.pairwise_cases()
OPERATORS = fused_cases.operator_cases()
CASES = WALKS + OPERATORS
# The parameter is not called `case`, for which the shared session would compile, with its own flags.
each_case = pytest.mark.parametrize("walk", CASES, ids=lambda case: case.name)
each_repeated = pytest.mark.parametrize(
    "walk", fused_cases.repeated_cases(), ids=lambda case: case.name
)


class Session(checks.Session):
    """The oracle works in the background, beside the compiler."""

    def __init__(self, page, made):
        super().__init__(page, made)
        self._ahead = {}

    def prepare(self, case):
        self.tools.prepare(case.kernel.path, case.p)
        for function in case.kernel.functions(case.p):
            self._ahead[case, function.name, "random"] = self.tools.pool.submit(
                super().interpreted, case, function
            )

    def interpreted(self, case, function, kind="random"):
        ahead = self._ahead.get((case, function.name, kind))
        return ahead.result() if ahead else super().interpreted(case, function, kind)


@pytest.fixture(scope="module")
def fused(page, build, kept, tmp_path_factory, request):
    made = tools.Tools(build, tmp_path_factory.mktemp("fused"), flags=GYREC_FLAGS, kept=kept)
    session = Session(page, made)
    walks = dict.fromkeys(
        item.callspec.params["walk"]
        for item in request.session.items
        if "walk" in getattr(getattr(item, "callspec", None), "params", {})
        and not item.get_closest_marker("nightly")
    )
    for case in walks:
        session.prepare(case)
    yield session
    made.close()


@pytest.fixture(autouse=True)
def poisoned_workspace(monkeypatch):
    """All bytes set: a NaN in every float type, and no index of anything."""
    allocate = gyre._abi.aligned_bytes

    def poisoned(*arguments):
        workspace = allocate(*arguments)
        workspace[...] = 0xFF
        return workspace

    monkeypatch.setattr(gyre._abi, "aligned_bytes", poisoned)


@each_case
def test_equals_interpreter(fused, walk):
    checks.compiled_equals_interpreter(fused, walk)


@pytest.mark.nightly
@pytest.mark.parametrize("walk", fused_cases.wide_cases(), ids=lambda case: case.name)
def test_wide_rows_equal_interpreter(fused, walk):
    in_halves = walk.p["act"] in ("f16", "bf16")
    checks.compiled_equals_interpreter(fused, walk, rounded_once=in_halves)


@pytest.mark.parametrize(
    "walk", [case for case in CASES if case.kernel.exact_inputs], ids=lambda case: case.name
)
def test_small_integers_are_exact(fused, walk):
    checks.integers_are_exact(fused, walk)


@pytest.mark.parametrize("walk", WALKS, ids=lambda case: case.name)
def test_unread_wigner_entries_change_nothing(fused, walk):
    checks.unread_entries_change_nothing(fused, walk)


@pytest.mark.parametrize("R", [0, 2])
def test_interpreter_of_one_map_equals_page(fused, R):
    """The spec that stands here; test_values.py has those of kernels/."""
    row = {"L": 2, "F": 2, "C": 3, "R": R, "act": "f64", "graph": "power_law", "E": 31}
    checks.interpreter_equals_page(fused, fused_cases.make({"kernel": "own_message", **row}))


def each_function(session, case):
    v = session.inputs(case, "random")
    for function in case.kernel.functions(case.p):
        first = session.compiled(case, function, v)

        def expect_same(when, function=function, first=first):
            again = session.compiled(case, function, v)
            for name in function.results:
                if again[name].tobytes() != first[name].tobytes():
                    raise measure.Mismatch(
                        f"{function.name}: {name}: expected the same bits {when}, got others"
                    )

        yield expect_same


@each_repeated
def test_runs_are_equal_bit_for_bit(fused, walk):
    for expect_same in each_function(fused, walk):
        for run in range(1, RUNS):
            expect_same(f"in run {run}")


@each_repeated
def test_numbers_of_threads_are_equal_bit_for_bit(fused, build, walk):
    runtime = threads.Runtime(build / "lib")
    for expect_same in each_function(fused, walk):
        for count in THREADS:
            with runtime.on_threads(count, seed=count):
                expect_same(f"on {count} threads")


@pytest.mark.parametrize("count", THREADS)
def test_loops_run_on_the_threads_of_the_hook(build, count):
    """What the test above relies on: loops of kernels are this function's."""
    runtime = threads.Runtime(build / "lib")
    ranges, names = [], set()
    barrier = threading.Barrier(count, timeout=30)

    def body(begin, end):
        barrier.wait()  # as many blocks as threads: each thread gets one
        ranges.append((begin, end))
        names.add(threading.get_ident())

    with runtime.on_threads(count):
        runtime.loop(3 * count - 1, 3, body)
    assert sorted(ranges) == [(3 * i, min(3 * i + 3, 3 * count - 1)) for i in range(count)]
    assert len(names) == count


@pytest.mark.nightly
@pytest.mark.parametrize("walk", fused_cases.nightly_cases(), ids=lambda case: case.name)
def test_many_edges(fused, build, walk):
    checks.compiled_equals_interpreter(fused, walk)
    checks.integers_are_exact(fused, walk)
    runtime = threads.Runtime(build / "lib")
    for expect_same in each_function(fused, walk):
        for count in THREADS:
            with runtime.on_threads(count, seed=count):
                expect_same(f"on {count} threads")
