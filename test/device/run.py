"""Runs the checks and benchmarks of the folder that this file is in: run.py [--help]

Prints a row a function; exit status 1 if a check failed. Writes results.json beside bundle.json.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import measure

HERE = pathlib.Path(__file__).resolve().parent


def call(options, entry, *more):
    command = [
        HERE / "bin" / "gyre-call",
        HERE / entry["manifest"],
        "--func",
        entry["function"],
        *more,
    ]
    if entry["sizes"]:
        command += ["--size", entry["sizes"]]
    if options.device:
        command += ["--device", str(options.device)]
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": f"{HERE / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}",
    }
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        env=environment,
        timeout=options.timeout,
        check=False,
    )
    if done.returncode:
        raise measure.Mismatch(done.stderr.strip() or f"exit status {done.returncode}")


def worst(actual, reference, bound):
    """The largest error in units of its bound; 0 where both are."""
    error = np.abs(actual.astype(np.float64) - reference)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(error == 0, 0, error / bound)
    return float(ratio.max(initial=0))


def check(options, entry):
    """(worst error in bounds, text of a failure or None)"""
    files, largest = HERE / entry["files"], 0.0
    try:
        with tempfile.TemporaryDirectory() as scratch:
            runs = [pathlib.Path(scratch) / str(i) for i in range(2)]
            for out, more in zip(runs, ((), options.again)):
                call(options, entry, "--in", files / "in", "--out", out, *more)
            for name in entry["results"]:
                first, again = ((out / f"{name}.npy").read_bytes() for out in runs)
                actual = np.load(runs[0] / f"{name}.npy")
                reference, bound = (
                    np.load(files / kind / f"{name}.npy") for kind in ("reference", "bound")
                )
                measure.check(name, actual, reference, bound)
                largest = max(largest, worst(actual, reference, bound))
                if first != again:
                    raise measure.Mismatch(f"{name}: expected the same bits again, got others")
    except (measure.Mismatch, OSError, subprocess.TimeoutExpired) as error:
        return largest, str(error)
    return largest, None


def bench(options, entry):
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch) / "times.json"
        call(
            options,
            entry,
            "--random",
            "1",
            "--bench",
            "--runs",
            options.runs,
            "--json",
            out,
            *options.again,
        )
        return json.loads(out.read_text(encoding="utf-8"))


def run_checks(options, entries):
    failures, rows = 0, []
    width = max((len(f"{e['case']} {e['function']}") for e in entries), default=0)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for entry, (largest, failure) in zip(
            entries, pool.map(lambda e: check(options, e), entries)
        ):
            label = f"{entry['case']} {entry['function']}"
            print(
                f"{'FAIL' if failure else 'ok  '} {label:{width}}  {largest:.3f} of the bound",
                flush=True,
            )
            if failure:
                print(f"     {failure}")
                failures += 1
            rows.append(
                {
                    "case": entry["case"],
                    "function": entry["function"],
                    "worst": largest,
                    "failure": failure,
                }
            )
    return failures, rows


def run_benchmarks(options, entries):
    failures, rows = 0, []
    for entry in entries:
        label = (
            f"{pathlib.Path(entry['manifest']).parent.name} {entry['function']} ({entry['sizes']})"
        )
        try:
            row = bench(options, entry)
        except (measure.Mismatch, OSError, subprocess.TimeoutExpired) as error:
            print(f"FAIL {label}\n     {error}")
            failures += 1
            continue
        print(
            f"     {label}: {1e6 * row['median_s']:.1f} us (min {1e6 * row['min_s']:.1f}, max {1e6 * row['max_s']:.1f}, "
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
    parser.add_argument("--no-bench", action="store_true", help="only the checks")
    parser.add_argument("--no-graph", action="store_true", help="on a GPU, record no CUDA graphs")
    options = parser.parse_args()
    contents = json.loads((HERE / "bundle.json").read_text(encoding="utf-8"))
    # The second run of a check, and all of a benchmark, go through a graph where there are any.
    options.again = ["--graph"] if contents["target"] == "cuda" and not options.no_graph else []

    def wanted(entry):
        return options.only in f"{entry.get('case', entry['manifest'])} {entry['function']}"

    checks = [entry for entry in contents["checks"] if wanted(entry)]
    failures, checked = run_checks(options, checks)
    timed = []
    if not options.no_bench:
        more, timed = run_benchmarks(
            options, [entry for entry in contents["benchmarks"] if wanted(entry)]
        )
        failures += more
    results = json.dumps({"checks": checked, "benchmarks": timed}, indent=1) + "\n"
    (HERE / "results.json").write_text(results, encoding="utf-8")
    passed = sum(row["failure"] is None for row in checked)
    print(
        f"run.py: {passed} of {len(checked)} checks passed, {len(timed)} functions timed, {failures} failures"
    )
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
