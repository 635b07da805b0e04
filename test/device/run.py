"""Runs the checks and benchmarks of the folder that this file is in: run.py [--help]

Prints a row a function, or a case of walks.py; exit status 1 if a check failed. Writes results.json beside bundle.json.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / place) for place in ("test/numeric", "test/bench", "python")]

import calls  # noqa: E402
import many  # noqa: E402
import measure  # noqa: E402
import tensors  # noqa: E402
import times  # noqa: E402
import walks  # noqa: E402


def label(entry):
    """What --only is compared with."""
    return f"{entry.get('case', entry['manifest'])} {entry['function']}"


def sizes(entry):
    return ["--size", entry["sizes"]] if entry["sizes"] else []


def check(options, entry):
    """(worst error in bounds, text of a failure or None)"""
    files, largest = HERE / entry["files"], 0.0
    ways = [()] if options.once else [(), options.again]
    try:
        with tempfile.TemporaryDirectory() as scratch:
            runs = [pathlib.Path(scratch) / str(i) for i in range(len(ways))]
            for out, more in zip(runs, ways):
                arguments = (*sizes(entry), "--in", files / "in", "--out", out, *more)
                calls.call(options, entry["manifest"], entry["function"], *arguments)
            for name in entry["results"]:
                bits = {(out / f"{name}.npy").read_bytes() for out in runs}
                actual = np.load(runs[0] / f"{name}.npy")
                reference, bound = (
                    np.load(files / kind / f"{name}.npy") for kind in ("reference", "bound")
                )
                largest = max(largest, measure.check(name, actual, reference, bound))
                if len(bits) > 1:
                    raise measure.Mismatch(f"{name}: expected the same bits again, got others")
    except (measure.Mismatch, OSError, subprocess.TimeoutExpired) as error:
        return max(largest, getattr(error, "worst", 0.0)), str(error)
    return largest, None


def gradcheck(options, entry):
    try:
        calls.run(options, entry["manifest"], entry["case"], "--gradcheck")
    except (measure.Mismatch, OSError, subprocess.TimeoutExpired) as error:
        return 0.0, str(error)
    return 0.0, None


def bench(options, entry):
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "times.json"
        arguments = (
            "--random",
            "1",
            "--bench",
            "--runs",
            options.runs,
            "--json",
            out,
            *options.again,
        )
        calls.call(options, entry["manifest"], entry["function"], *sizes(entry), *arguments)
        return json.loads(out.read_text(encoding="utf-8"))


def outcomes(options, entries, check=check):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from pool.map(lambda entry: check(options, entry), entries)


def gradchecks(options, entries):
    return outcomes(options, entries, gradcheck)


def run_checks(options, runner, entries):
    """Prints and returns a row an entry."""
    rows = []
    width = max((len(label(entry)) for entry in entries), default=0)
    for entry, (largest, failure) in zip(entries, runner(options, entries)):
        print(
            f"{'FAIL' if failure else 'ok  '} {label(entry):{width}}  {largest:.3f} of the bound",
            flush=True,
        )
        if failure:
            print(f"     {failure}", flush=True)
        rows.append(
            {
                "case": entry["case"],
                "function": entry["function"],
                "worst": largest,
                "failure": failure,
            }
        )
    return rows


def run_benchmarks(options, entries):
    failures, rows = 0, []
    for entry in entries:
        title = (
            f"{pathlib.Path(entry['manifest']).parent.name} {entry['function']} ({entry['sizes']})"
        )
        try:
            row = bench(options, entry)
        except (measure.Mismatch, OSError, subprocess.TimeoutExpired) as error:
            print(f"FAIL {title}\n     {error}")
            failures += 1
            continue
        print(
            f"     {title}: {1e6 * row['median_s']:.1f} us (min {1e6 * row['min_s']:.1f}, max {1e6 * row['max_s']:.1f}, "
            f"middle half {100 * row['spread']:.1f} %), {row['gb_per_s']:.0f} GB/s on {row['device']}",
            flush=True,
        )
        rows.append(row)
    return failures, rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="only cases and functions whose names hold it"
    )
    parser.add_argument(
        "--device", type=int, default=0, metavar="N", help="number of the CUDA device"
    )
    parser.add_argument(
        "--jobs", type=int, default=4, metavar="N", help="checks at a time (default: 4)"
    )
    parser.add_argument(
        "--runs", type=int, default=100, metavar="N", help="runs of a benchmark (default: 100)"
    )
    parser.add_argument(
        "--timeout", type=float, default=120, metavar="S", help="seconds of one call (default: 120)"
    )
    parser.add_argument(
        "--compare",
        default="eager,compile",
        metavar="KIND,..",
        help="what PyTorch makes of a function beside those of a key; '' for nothing (default: both)",
    )
    parser.add_argument(
        "--sanitize",
        choices=("memcheck", "racecheck", "initcheck", "synccheck"),
        help="run each call once, in compute-sanitizer with this tool; only the checks",
    )
    parser.add_argument(
        "--load",
        action="store_true",
        help="where runs are compared, have other calls run at the same time",
    )
    parser.add_argument(
        "--once",
        action="store_true",
        help="run calls of files once: where nothing runs at the same time, a second run is the first",
    )
    parser.add_argument("--no-bench", action="store_true", help="only the checks")
    parser.add_argument("--no-graph", action="store_true", help="on a GPU, record no CUDA graphs")
    options = parser.parse_args()
    contents = json.loads((HERE / "bundle.json").read_text(encoding="utf-8"))
    # The second run of a check, and all of a benchmark, go through a graph where there are any.
    options.no_bench |= options.sanitize is not None
    options.no_graph |= options.sanitize is not None
    options.once |= options.sanitize is not None
    options.again = ["--graph"] if contents["target"] == "cuda" and not options.no_graph else []

    def wanted(kind):
        return [entry for entry in contents[kind] if options.only in label(entry)]

    checked = run_checks(options, outcomes, wanted("checks"))
    if wanted("tensors") and tensors.missing():
        print("     left out: calls with tensors, no PyTorch here")
    else:
        checked += run_checks(options, tensors.run, wanted("tensors"))
    checked += run_checks(options, walks.run, wanted("walks"))
    checked += run_checks(options, many.run, wanted("many"))
    checked += run_checks(options, gradchecks, wanted("gradchecks"))
    at_keys = run_checks(options, walks.run, wanted("keys"))
    failures, timed = sum(row["failure"] is not None for row in checked + at_keys), []
    if not options.no_bench:
        more, timed = run_benchmarks(options, wanted("benchmarks"))
        failures += more
        measured, more = times.run(options, contents["target"], wanted("keys"), at_keys)
        failures += more
        timed += measured
    checked += at_keys
    results = json.dumps({"checks": checked, "benchmarks": timed}, indent=1) + "\n"
    (HERE / "results.json").write_text(results, encoding="utf-8")
    passed = sum(row["failure"] is None for row in checked)
    print(
        f"run.py: {passed} of {len(checked)} checks passed, {len(timed)} functions timed, {failures} failures"
    )
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
