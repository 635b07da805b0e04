"""Adds up the reports of a test run: summary.py DIRECTORY

DIRECTORY holds ctest.xml, and for suites that ctest counts as one test a report of their own,
named like that test. Prints a line a suite, the names of failed tests, and the total; exit status 1
if a test failed or none ran.
"""

import collections
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

SKIPPED = {"disabled", "notrun", "skipped"}


def outcome(case):
    if case.get("status") == "fail" or any(
        case.find(tag) is not None for tag in ("failure", "error")
    ):
        return "failed"
    if case.get("status") in SKIPPED or case.find("skipped") is not None:
        return "skipped"
    return "passed"


def read(path):
    """[(name, outcome)]; none where the file is missing or was cut short."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return []
    names = ((case, case.get("classname"), case.get("name")) for case in root.iter("testcase"))
    return [
        (name if classname in (None, name) else f"{classname}/{name}", outcome(case))
        for case, classname, name in names
    ]


def collect(directory):
    """{suite: [(name, outcome)]}"""
    suites = collections.defaultdict(list)
    for name, result in read(directory / "ctest.xml"):
        cases = read(directory / f"{name}.xml")
        if not cases:
            suites["unit" if "." in name else name].append((name, result))
            continue
        suites[name] = cases
        if result == "failed" and not any(own == "failed" for _, own in cases):
            cases.append((f"{name} (the suite itself)", "failed"))
    return suites


def main(directory):
    suites = collect(pathlib.Path(directory))
    if not suites:
        print("no report of ctest: the run was cut short")
    total = collections.Counter()
    for suite, cases in suites.items():
        count = collections.Counter(result for _, result in cases)
        total += count
        for name in (name for name, result in cases if result == "failed"):
            print(f"failed: {suite}: {name}")
        print(
            f"{suite}: {', '.join(f'{count[key]} {key}' for key in ('passed', 'failed', 'skipped') if count[key])}"
        )
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
