"""Holds the versions of formatters together: ./dev, ruff.toml and .pre-commit-config.yaml.

usage: lint_pins.py ROOT
"""

import pathlib
import re
import sys


def main(root):
    def find(file, pattern):
        return set(re.findall(pattern, (root / file).read_text(encoding="utf-8"), re.M))

    hooks = ".pre-commit-config.yaml"
    problems = []
    for what, one, other in (
        (
            "ruff",
            find("ruff.toml", r'^required-version = "==(.*)"$'),
            find(hooks, r"ruff==([\d.]+)"),
        ),
        ("clang-format", find("dev", r"clang-format-(\d+)"), find(hooks, r"clang-format==(\d+)\.")),
    ):
        if one != other or len(one) != 1:
            problems.append(
                f"expected one version of {what}, got {sorted(one)} and, in {hooks}, {sorted(other)}"
            )
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
