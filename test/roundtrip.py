"""Takes a file through each form that it can have, and prints the pretty one.

usage: roundtrip.py GYRE-OPT FILE [OPTION...]

The pretty form, the generic form, bytecode, and both texts with locations must lead back to the
same pretty form and to the same generic form: what one form forgets or rewords, another one shows.
"""

import difflib
import subprocess
import sys


def run(tool, data, *options):
    done = subprocess.run([tool, "-", *options], input=data, capture_output=True, check=False)
    if done.returncode:
        sys.exit(
            f"expected exit status 0 with {options}, got {done.returncode}:\n{text(done.stderr)}"
        )
    return done.stdout


def text(data):
    return data.decode(errors="replace")


def diff(want, got):
    return "\n".join(
        difflib.unified_diff(
            text(want).split("\n"), text(got).split("\n"), "want", "got", lineterm="", n=0
        )
    )


def main(tool, path, *options):
    with open(path, "rb") as file:
        source = file.read()
    pretty = run(tool, source, *options)
    generic = run(tool, source, "--mlir-print-op-generic", *options)
    forms = {
        "the pretty form": pretty,
        "the generic form": generic,
        "bytecode": run(tool, source, "--emit-bytecode", *options),
        "the pretty form with locations": run(tool, source, "--mlir-print-debuginfo", *options),
        "the generic form with locations": run(
            tool, source, "--mlir-print-debuginfo", "--mlir-print-op-generic", *options
        ),
    }
    for name, form in forms.items():
        for kind, want, flags in (
            ("pretty", pretty, ()),
            ("generic", generic, ("--mlir-print-op-generic",)),
        ):
            got = run(tool, form, *flags)
            if got != want:
                sys.exit(
                    f"expected {name} to lead back to the {kind} form, got:\n{diff(want, got)}"
                )
    sys.stdout.write(text(pretty))


if __name__ == "__main__":
    main(*sys.argv[1:])
