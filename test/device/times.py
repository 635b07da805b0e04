"""Times at the sizes of models, beside PyTorch where there is one, and receipts of them.

Each library has a process of its own: what one leaves in the memory of the device is gone for the next.
"""

import concurrent.futures
import json
import multiprocessing
import pathlib

import tensors

HERE = pathlib.Path(__file__).resolve().parent


def measure(entry, target, ordinal, runs, compared):
    import bench  # here: there may be no PyTorch

    found = bench.run(HERE, entry, target, ordinal, runs, compared)
    return found, list(bench.lines(found)), bench.disagreements(found)


def run(options, target, entries, checked):
    """(what was measured, number of failures); prints it, and writes receipts.json for a GPU."""
    if entries and tensors.missing():
        print("     left out: times at the sizes of models, no PyTorch here")
        return [], 0
    compared = [kind for kind in options.compare.split(",") if kind]
    fresh, found, failures = multiprocessing.get_context("spawn"), [], 0
    for entry in entries:
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=fresh) as pool:
            arguments = (entry, target, options.device, options.runs, compared)
            try:
                measured, lines, wrong = pool.submit(measure, *arguments).result()
            except Exception as error:  # of any kind, in that process
                print(f"FAIL {entry['case']}\n     {type(error).__name__}: {error}", flush=True)
                failures += 1
                continue
        print("".join(f"     {line}\n" for line in lines), end="", flush=True)
        if wrong:
            print("".join(f"FAIL {entry['case']}\n     {line}\n" for line in wrong), end="")
            failures += len(wrong)
        found.append(measured)
    write_receipts(entries, found, checked)
    return found, failures


def write_receipts(entries, found, checked):
    import receipts  # needs nothing, but is where bench is

    by_case = {entry["case"]: entry for entry in entries if "ptx" in entry}
    errors = {row["case"]: row for row in checked}
    made = [
        receipt
        for measured in found
        if measured["case"] in by_case
        for receipt in receipts.make(by_case[measured["case"]], measured, errors[measured["case"]])
    ]
    if made:
        text = json.dumps(made, indent=1) + "\n"
        (HERE / "receipts.json").write_text(text, encoding="utf-8")
