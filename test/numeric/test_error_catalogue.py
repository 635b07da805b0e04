"""errors.txt: each wrong spec and each wrong call has the message that stands there, in full.

`python3 test/numeric/test_error_catalogue.py`, after ./dev build, prints the file anew with the
messages of today.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "python")]

import gyre  # noqa: E402
from package_fixtures import run_compiler  # noqa: E402

CATALOGUE = HERE / "errors.txt"
SPEC = ROOT / "docs" / "example" / "weighted_sum.mlir"
CASE = re.compile(r"(spec|c|map|py) +(.*)")
LEAST = 40  # from C, and from Python


def read():
    """[(kind, what is wrong, message)] in order."""
    cases = []
    for line in CATALOGUE.read_text(encoding="utf-8").splitlines():
        match = CASE.fullmatch(line)
        if match:
            cases.append([*match.groups(), ""])
        elif line.startswith("      ") and cases:
            cases[-1][2] = line.strip()
    return [tuple(case) for case in cases]


def compile_wrong(build, scratch, change):
    """The first error of gyrec, behind the file's name."""
    old, new = change.split(" => ")
    text = SPEC.read_text(encoding="utf-8")
    settings = new if old == "set" else "C=3"
    assert old == "set" or old in text, f"expected `{old}` in the spec"
    (scratch / "wrong.mlir").write_text(text if old == "set" else text.replace(old, new, 1))
    done = subprocess.run(
        [build / "bin" / "gyrec", scratch / "wrong.mlir", "--set", settings, "-o", scratch / "out"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and not (scratch / "out").exists(), change
    return done.stderr.splitlines()[0].replace(f"{scratch}/wrong.mlir:", "")


def call_from_c(build, library, scratch, cases):
    """What the calls print, in their order."""
    statements = (f"{'CALL' if kind == 'c' else 'MAP'}(({what}))" for kind, what, _ in cases)
    (scratch / "cases.h").write_text(f"#define CASES {' '.join(statements)}\n")
    run_compiler(
        ("clang-22", "cc", "gcc"),
        *("-std=c11", "-Wall", "-Wextra", "-Wno-cast-qual", "-pedantic", "-Werror"),
        *("-include", scratch / "cases.h", HERE / "fixtures" / "wrong_calls.c"),
        *(f"-I{library}", f"-L{library}", "-lweighted_sum", f"-L{build}/lib", "-lgyre_runtime"),
        *(f"-Wl,-rpath,{library}:{build}/lib", "-o", scratch / "wrong_calls"),
    )
    return subprocess.run(
        [scratch / "wrong_calls"], check=True, capture_output=True, text=True
    ).stdout.splitlines()


def call_from_python(library, change):
    names = {
        "gyre": gyre,
        "x": np.zeros((4, 3), np.float32),
        "w": np.zeros(4, np.float32),
        "src": gyre.Map([0, 0, 1, 3], target=4),
        "dst": gyre.Map([1, 2, 2, 1], target=4),
    }
    given = {name: names[name] for name in ("x", "w", "src", "dst")}
    try:
        given.update(eval(f"dict({change})", names))
        gyre.load(library / "weighted_sum.json").weighted_sum(**given)
    except gyre.Error as error:
        return str(error)
    return "nothing was wrong"


def messages(build, scratch):
    """{(kind, what is wrong): the message of today}"""
    library = scratch / "library"
    command = [build / "bin" / "gyrec", SPEC, "--set", "C=3", "-o", library]
    subprocess.run(command, check=True)
    cases = read()
    from_c = [case for case in cases if case[0] in ("c", "map")]
    found = dict(zip((case[:2] for case in from_c), call_from_c(build, library, scratch, from_c)))
    for kind, what, _ in cases:
        if kind == "spec":
            found[kind, what] = compile_wrong(build, scratch, what)
        elif kind == "py":
            found[kind, what] = call_from_python(library, what)
    return found


def test_messages(build, tmp_path):
    found = messages(build, tmp_path)
    wrong = [
        f"{kind} {what}: expected {message!r}, got {found[kind, what]!r}"
        for kind, what, message in read()
        if found[kind, what] != message
    ]
    assert not wrong, "\n".join(wrong)


def test_the_catalogue_is_large():
    """Each case is one of its own, and each message says what was expected and what came."""
    cases = read()
    assert len({case[:2] for case in cases}) == len(cases)
    for kind, what, message in cases:
        assert re.search(r"\[[a-z]+(-[a-z]+)*\] .*expected .*got", message), (kind, what, message)
    count = collections.Counter(kind for kind, _, _ in cases)
    assert count["c"] + count["map"] >= LEAST, count
    assert count["py"] + count["spec"] >= LEAST, count


def main():
    build = pathlib.Path(os.environ.get("GYRE_BUILD", ROOT / "build")).resolve()
    os.environ.setdefault("GYRE_RUNTIME", str(build / "lib"))
    with tempfile.TemporaryDirectory() as scratch:
        found = messages(build, pathlib.Path(scratch))
    for line in CATALOGUE.read_text(encoding="utf-8").splitlines():
        match = CASE.fullmatch(line)
        if not line.startswith("      "):
            print(line)
        if match:
            print(f"      {found[match.groups()]}")


if __name__ == "__main__":
    main()
