"""Holds the pages of documentation to the tree: links.py ROOT

* The target of each relative link is a file or a folder.
* Each file or folder that stands in backquotes, with a `/` or with the ending of a source file, is one.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#:]+)\)")
QUOTED = re.compile(r"`([\w./-]+)`")
SOURCE = re.compile(r"\w\.(?:td|h|c|cpp|py|mlir|md|test)$")
# What a reader makes, and headers of others.
MADE = {"projection.mlir", "cross.mlir", "setup.py", "check.py", "call.c"}


def main(root):
    root = pathlib.Path(root)
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    # Tests that run at the same time change what is in build.
    own = [top for top in root.iterdir() if not top.name.startswith((".git", "build"))]
    files = [path for top in own for path in (top, *top.rglob("*"))]
    known = MADE | {
        "/".join(path.parts[at:])
        for path in files
        for at in range(len(root.parts), len(path.parts))
    }
    tops = {path.name for path in root.iterdir()}
    wrong = []
    for page in pages:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{page.relative_to(root)}:{number}"
            for target in LINK.findall(line):
                if not (page.parent / target).exists():
                    wrong.append(f"{where}: expected a link to a file, got {target}")
            for name in QUOTED.findall(line):
                path = name.rstrip("/")
                named = path.split("/")[0] in tops if "/" in path else SOURCE.search(path)
                if named and path not in known and not path.startswith("build"):
                    wrong.append(f"{where}: expected the name of a file, got {name}")
    print("\n".join(wrong) or f"{len(pages)} pages name what there is")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
