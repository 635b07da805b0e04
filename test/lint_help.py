"""Holds what tools offer and what tests run together.

usage: lint_help.py ROOT BIN

* Each pass and pipeline of Gyre that gyre-opt lists runs in a lit test; each option of theirs with a pass
  or pipeline that has it.
* Each option of the other tools is used in a lit test; gyre-run and gyre-call share theirs.
* Each of them has a description in --help, as have those of MLIR in gyre-opt's, and passes one in
  dialects/Gyre/Passes.td.
"""

import pathlib
import re
import subprocess
import sys

# Their options are LLVM's and MLIR's.
OPT = "gyre-opt"
TOOLS = {"gyrec": "gyrec", "gyre-run": "gyre-run|gyre-call", "gyre-call": "gyre-run|gyre-call"}
OPTION = re.compile(r"^( *)--?([\w-]+)(?:[= ]<.*?>)? +- *(.*)$", re.M)
GENERIC = {"help", "help-list", "help-hidden", "help-list-hidden", "version"}


def run_lines(root):
    """The RUN lines of all lit tests, continued ones as one."""
    lines = []
    for path in sorted((root / "test").rglob("*")):
        if path.suffix in (".mlir", ".test") and "Inputs" not in path.parts:
            text = path.read_text(encoding="utf-8").replace("\\\n", " ")
            lines += re.findall(r"RUN:\s*(.*)", text)
    return lines


def list_options(binary):
    done = subprocess.run([binary, "--help"], capture_output=True, text=True, check=True)
    return [(len(m.group(1)), m.group(2), m.group(3)) for m in OPTION.finditer(done.stdout)]


def passes_of_gyre(binary):
    """Of each pass and pipeline the description, and its options with theirs."""
    passes, current = {}, None
    for indent, name, description in list_options(binary):
        if name.startswith("gyre-"):
            current, depth = passes.setdefault(name, (description, {})), indent
        elif current and indent > depth:
            current[1][name] = description
        else:
            current = None
    return passes


def check_passes(root, binary):
    lines, passes = run_lines(root), passes_of_gyre(binary)
    documented = set(
        re.findall(
            r'Pass<"(gyre-[\w-]+)".*?>\s*\{\s*let summary = "[^"]+";\s*let description = \[\{',
            (root / "dialects/Gyre/Passes.td").read_text(encoding="utf-8"),
        )
    )
    pipelines = set(
        re.findall(
            r'Registration<\w*>\(\s*"(gyre-[\w-]+)"',
            (root / "lib/Pipelines/Pipelines.cpp").read_text(encoding="utf-8"),
        )
    )
    if passes.keys() != documented | pipelines:
        yield f"{OPT}: expected the passes and pipelines {sorted(documented | pipelines)}, got {sorted(passes)}"
    tested, options = set(), {}
    for name, (description, own) in sorted(passes.items()):
        uses = [line for line in lines if re.search(rf"\b{name}(?![\w-])", line)]
        if not uses:
            yield f"{name}: expected a lit test that runs it, got none"
        if not description:
            yield f"{name}: expected a description in --help, got none"
        for option, text in own.items():
            options.setdefault(option, name)
            if not text:
                yield f"{name}: expected a description of {option} in --help, got none"
            if any(re.search(rf"{name}=[^|]*?\b{option}(?![\w-])", line) for line in uses):
                tested.add(option)
    for _, name, description in list_options(binary):
        if not description and name not in passes.keys() | options.keys():
            yield f"{OPT}: expected a description of --{name} in --help, got none"
    for option in sorted(options.keys() - tested):
        yield f"{options[option]}: expected a lit test with its option {option}, got none"


def check_tools(root, directory):
    for tool, pattern in TOOLS.items():
        lines = [line for line in run_lines(root) if re.search(rf"\b({pattern})\b", line)]
        for _, name, description in list_options(directory / tool):
            if name in GENERIC:
                continue
            if not description:
                yield f"{tool}: expected a description of --{name} in --help, got none"
            if not any(re.search(rf"\s--?{name}(?![\w-])", line) for line in lines):
                yield f"{tool}: expected a lit test with its option --{name}, got none"


def main(root, directory):
    root, directory = pathlib.Path(root), pathlib.Path(directory)
    problems = [*check_passes(root, directory / OPT), *check_tools(root, directory)]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
