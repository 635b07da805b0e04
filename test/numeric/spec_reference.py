"""The mathematics that the tests compare with: the python blocks of docs/operators.md.

The blocks are read verbatim from the page when a test session starts and executed, in order, in
one module. No formula is copied into the tests, so a test cannot agree with a kernel that the
page contradicts.
"""

import pathlib
import re
import types

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "operators.md"
FENCE = re.compile(r"^```python\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)


def blocks(text):
    """(line number, source) of every python block of a Markdown text."""
    return [(text.count("\n", 0, m.start(1)) + 1, m.group(1)) for m in FENCE.finditer(text)]


def load(page=PAGE):
    """Executes the page's blocks and returns them as a module."""
    page = pathlib.Path(page)
    found = blocks(page.read_text(encoding="utf-8"))
    if not found:
        raise ValueError(f"{page}: expected python blocks, got none")
    module = types.ModuleType("operators_md")
    module.__file__ = str(page)
    for line, source in found:
        # Leading newlines make tracebacks point at the page's own lines.
        exec(compile("\n" * (line - 1) + source, str(page), "exec"), module.__dict__)
    return module
