"""The covering arrays of the kernels that walk graphs: the checks of the numeric tests, by gyre-call.

The folder has no files for these cases: inputs are drawn here, from the seed of a case, and the oracle
is the page's python. The modules of test/numeric and the page lie here as they do in the repository.
"""

import concurrent.futures
import functools
import multiprocessing
import os
import pathlib
import tempfile

import calls
import checks
import fused_cases
import halves
import measure
import spec_reference
import tools


def in_file(value):
    """NumPy has no bf16: files hold its numbers in f4, here they are bits."""
    is_bf16 = getattr(value, "dtype", None) == "uint16"
    return halves.from_bf16(value) if is_bf16 else value


class Calls:
    """What checks.Session asks of the tools: runs of compiled functions, here of one library.

    Each run is a number of runs that have to give the same bits: the first plain, others by a graph.
    """

    def __init__(self, options, entry, scratch):
        self.options, self.manifest, self.scratch = (
            options,
            entry["manifest"],
            pathlib.Path(scratch),
        )
        self._repeat = ("--repeat", entry["runs"], *options.again)
        self._repeat += ("--load",) if options.load else ()
        self._written = {}

    def _inputs(self, v):
        """The directory with the arguments of all functions. It is written once."""
        if id(v) not in self._written:
            place = self.scratch / f"in{len(self._written)}"
            tools.write_inputs(place, tuple(v), {name: in_file(v[name]) for name in v})
            self._written[id(v)] = place, v  # v as well: another one would get its id
        return self._written[id(v)][0]

    def run(self, path, p, function, v, out):
        del path, p  # the manifest is theirs
        with tempfile.TemporaryDirectory(dir=self.scratch) as results:
            files = (*tools.size_options(function, v), "--in", self._inputs(v), "--out", results)
            name = function.name
            server().run(self.options, self.manifest, name, "--func", name, *files, *self._repeat)
            for name, array in tools.read_results(pathlib.Path(results), function).items():
                if out[name].dtype == "uint8":
                    array = array.view("uint8")  # slots: the ABI's i8, read as unsigned
                if out[name].dtype == "uint16":
                    array = halves.to_bf16(array)
                expected, got = ((a.shape, a.dtype) for a in (out[name], array))
                if expected != got:
                    raise measure.Mismatch(
                        f"{function.name}: {name}: expected {expected}, got {got}"
                    )
                out[name][...] = array


class Session(checks.Session):
    """The page is the oracle; clean inputs are given to a function once."""

    def __init__(self, page, made):
        super().__init__(page, made)
        self._compiled = {}

    def interpreted(self, case, function, kind="random"):
        return self.reference(case, function, kind)

    def compiled(self, case, function, v):
        if v is not self.inputs(case, "random"):
            return super().compiled(case, function, v)
        key = case, function.name
        if key not in self._compiled:
            self._compiled[key] = super().compiled(case, function, v)
        return self._compiled[key]


@functools.cache
def server():
    """Of this process."""
    return calls.Server()


@functools.cache
def page():
    return spec_reference.load()


def check(options, entry):
    """(worst error in bounds, text of the failures or None)"""
    case = fused_cases.make(entry["row"])
    largest, failures = 0.0, []
    with tempfile.TemporaryDirectory() as scratch:
        session = Session(page(), Calls(options, entry, scratch))
        in_halves = case.p["act"] in ("f16", "bf16")
        runs = [functools.partial(checks.compiled_equals_interpreter, rounded_once=in_halves)]
        if case.kernel.exact_inputs and not in_halves:  # their sums are no integers of halves
            runs.append(checks.integers_are_exact)
        if case.kernel.spec in fused_cases.KERNELS:
            runs.append(checks.unread_entries_change_nothing)
        for run in runs:
            try:
                largest = max(largest, run(session, case) or 0.0)
            except Exception as error:  # whatever a check meets, the others run
                largest = max(largest, getattr(error, "worst", 0.0))
                failures.append(f"{type(error).__name__}: {error}")
    return largest, "\n     ".join(failures) or None


def outcome(future):
    try:
        return future.result()
    except concurrent.futures.BrokenExecutor as error:  # as when memory runs out
        return 0.0, str(error)


def run(options, entries):
    """The outcomes of the cases, in order. NumPy computes on one thread in each of the processes."""
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))
    fresh = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=fresh) as pool:
        for future in [pool.submit(check, options, entry) for entry in entries]:
            yield outcome(future)
