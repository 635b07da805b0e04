"""Holds constraint ids together: the descriptions that name them, the code that emits them, the tests.

usage: lint_ids.py ROOT

* An id that code under lib/, tools/ or python/ emits has a negative test.
* An id that a description under dialects/ names is emitted, and one of lib/Dialect is described.
* A message is `[id] expected ...`.
* Each op, attribute and type is in the CHECK lines of a test that takes it through all forms.
* Each op has an example of itself in its description.
* `expected-...` lines of tests are ones that --verify-diagnostics knows.
"""

import pathlib
import re
import sys

ID = r"[a-z]+(?:-[a-z0-9]+)+"
EMITTED = re.compile(rf'"\[({ID})\]([^"]*)"')
# In lib/Runtime ids are words by themselves, some of a single one.
EMITTED_BY_RUNTIME = re.compile(rf'Message\(\s*"([a-z-]+)"|"({ID})"')
EMITTED_BY_PYTHON = re.compile(rf'"\[({ID})\]|\b_error\(\s*"([a-z]+)",')
DESCRIBED = re.compile(rf"`\[({ID})\]`")
# In regular expressions brackets are escaped.
TESTED = re.compile(rf"\\?\[({ID})\\?\]")
OP = re.compile(r'def Gyre_\w+ : Gyre_\w*Op<"(\w+)"')
ATTR = re.compile(r'def Gyre_\w+ : (?:Gyre_Attr<"\w+", |EnumAttr<Gyre_Dialect, \w+, )"(\w+)"')
TYPE = re.compile(r'def Gyre_\w+ : Gyre_Type<"\w+", "(\w+)"')
# The words are put together here, so that this file passes its own check.
DIRECTIVE = re.compile(r"//.*?(expect" + r"ed-[\w-]*)(.?)(.*)")
FILECHECK = re.compile(r"(?://|#)\s*[A-Z][A-Z0-9_-]*:")
# Guards against mistakes of the compiler itself, which no input provokes.
GUARDS = {"simplify-converge"}
DIRECTIVES = {
    "error",
    "warning",
    "remark",
    "note",
    "error-re",
    "warning-re",
    "remark-re",
    "note-re",
}


def read(root, folder, *suffixes):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in suffixes and path.is_file():
            yield path.relative_to(root), path.read_text(encoding="utf-8").splitlines()


def find(root, folder, pattern, *suffixes, only=lambda path, line: True):
    """Where each id first stands: {id: "path:line"}."""
    found = {}
    for path, lines in read(root, folder, *suffixes):
        for number, line in enumerate(lines, 1):
            if only(path, line):
                for match in pattern.finditer(line):
                    found.setdefault(match.group(1), f"{path}:{number}")
    return found


def find_in_text(root, folder, pattern, prefix, suffix):
    """As `find`, for patterns of two groups that may span lines; the second one's ids get a prefix."""
    found = {}
    for path, lines in read(root, folder, suffix):
        text = "\n".join(lines)
        for match in pattern.finditer(text):
            name = match.group(1) or prefix + match.group(2)
            found.setdefault(name, f"{path}:{text.count(chr(10), 0, match.start()) + 1}")
    return found


def find_untested(root):
    """Ids of the runtime and of the package of Python that no test has as a word."""
    emitted = find_in_text(root, "lib/Runtime", EMITTED_BY_RUNTIME, "", ".cpp")
    emitted |= find_in_text(root, "python/gyre", EMITTED_BY_PYTHON, "python-", ".py")
    words = set()
    for path, lines in read(root, "test", ".mlir", ".test", ".cpp", ".py"):
        if path.name != pathlib.Path(__file__).name:
            words.update(re.findall(r"(?<![\w-])[a-z]+(?:-[a-z0-9]+)*(?![\w-])", "\n".join(lines)))
    return {name: place for name, place in emitted.items() if name not in words}


def is_test(path, line):
    if path.suffix in (".mlir", ".test"):
        return "expect" + "ed-" in line or FILECHECK.search(line) is not None
    return path.name != pathlib.Path(__file__).name


def check_ids(root):
    emitted = find(root, "lib", EMITTED, ".cpp", ".h") | find(root, "tools", EMITTED, ".cpp", ".h")
    described = find(root, "dialects", DESCRIBED, ".td")
    tested = find(root, "test", TESTED, ".mlir", ".test", ".cpp", ".py", only=is_test)
    for name in sorted(GUARDS - emitted.keys()):
        yield f"{pathlib.Path(__file__).name}: expected code that emits [{name}], got none"
    untested = {name: place for name, place in emitted.items() if name not in tested}
    untested |= find_untested(root)
    for name in sorted(untested.keys() - GUARDS):
        yield f"{untested[name]}: expected a negative test of [{name}], got none"
    for name in sorted(described.keys() - emitted.keys()):
        yield f"{described[name]}: expected code that emits [{name}], got none"
    for name in sorted(find(root, "lib/Dialect", EMITTED, ".cpp", ".h").keys() - described.keys()):
        yield f"{emitted[name]}: expected a description of [{name}] in dialects/, got none"


def check_forms(root):
    checked = set()
    for _, lines in read(root, "test", ".mlir"):
        if any("RUN: %roundtrip" in line for line in lines):
            for line in lines:
                if FILECHECK.search(line):
                    checked.update(re.findall(r"([#!]?)gyre(?:\.|<)(\w+)", line))
    for mark, pattern in (("", OP), ("#", ATTR), ("!", TYPE)):
        for name, place in find(root, "dialects", pattern, ".td").items():
            if (mark, name) not in checked:
                yield f"{place}: expected {mark}gyre.{name} in the CHECK lines of a test with %roundtrip, got none"


def check_examples(root):
    for path, lines in read(root, "dialects", ".td"):
        for definition in re.split(r"(?m)^(?=def )", "\n".join(lines)):
            op = OP.match(definition)
            examples = "".join(re.findall(r"```mlir\n(.*?)```", definition, re.DOTALL))
            if op and not re.search(rf"\bgyre\.{op.group(1)}\b", examples):
                yield f"{path}: expected an example of gyre.{op.group(1)} in its description, got none"


def check_messages(root):
    for folder in ("lib", "tools"):
        for path, lines in read(root, folder, ".cpp", ".h"):
            for number, line in enumerate(lines, 1):
                for name, rest in EMITTED.findall(line):
                    # The literal may end where clang-format broke it.
                    if not " expected ".startswith(rest[:10]):
                        yield f"{path}:{number}: expected `[{name}] expected ...`, got `[{name}]{rest}`"


def check_directives(root):
    for path, lines in read(root, "test", ".mlir", ".test"):
        for number, line in enumerate(lines, 1):
            match = DIRECTIVE.search(line)
            if not match:
                continue
            word, after, rest = match.groups()
            kind = word.split("-", 1)[1]
            if kind not in DIRECTIVES or after not in ("@", " ") or "{{" not in rest:
                yield f"{path}:{number}: expected one of {sorted(DIRECTIVES)} with {{{{text}}}}, got `{line.strip()}`"


def main(root):
    root = pathlib.Path(root)
    problems = [
        *check_ids(root),
        *check_forms(root),
        *check_examples(root),
        *check_messages(root),
        *check_directives(root),
    ]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
