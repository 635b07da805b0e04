"""Does what a page of the documentation says: page.py PAGE SOURCE BUILD SCRATCH [FEATURE...]

Works through the fenced blocks of the Markdown file SOURCE/PAGE in order, in one shell whose
directory, SCRATCH, looks like a clone that is built: what stands in SOURCE, and BUILD as build.
What a block is stands behind its ```:

    sh                a script, which must succeed
    console           commands behind `$ ` (`> ` on further lines), each followed by what it prints,
                      on both streams; `...` stands for any text, alone on a line for any lines
    LANGUAGE NAME     the file of that name: what SOURCE has, else the block makes it
    LANGUAGE NAME +   lines to insert before the last one of a file made before
    ... needs=THING   done only where THING is among the features

Any other block is an error, so that none goes untested. Exit status 1 with the block on an error.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(?P<info>\S.*)\n(?P<text>(?:.*\n)*?)^```$", re.M)
SKIPPED = {".git", "build"}


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def commands(text):
    """[(command, expected output)] of a console block."""
    result = []
    for line in text.splitlines():
        if line.startswith("$ "):
            result.append([line[2:], []])
        elif line.startswith("> ") and result and not result[-1][1]:
            result[-1][0] += "\n" + line[2:]
        elif result:
            result[-1][1].append(line)
        else:
            raise ValueError("expected a command behind `$ ` first")
    return result


def pattern(lines):
    """The expression for all of an output."""
    parts = (
        "(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in lines
    )
    return re.compile("".join(parts))


class Page:
    def __init__(self, source, features, outputs):
        self.source, self.features, self.outputs = source, features, outputs
        self.script = ["set -e"]
        self.expected = []  # (line, command, output file, expected lines)

    def add(self, info, text, line):
        language, *words = info.split()
        needs = {word.removeprefix("needs=") for word in words if word.startswith("needs=")}
        words = [word for word in words if not word.startswith("needs=")]
        if not needs <= self.features:
            return
        self.script.append(f"echo {line} > {self.outputs}/line")
        if language == "sh" and not words:
            self.script.append(f"{{\n{text}}} > {self.outputs}/text 2>&1 < /dev/null")
        elif language == "console" and not words:
            for command, lines in commands(text):
                file = self.outputs / str(len(self.expected))
                self.script.append(f"{{\n{command}\n}} > {file} 2>&1 < /dev/null || true")
                self.expected.append((line, command, file, lines))
        elif len(words) == 1:
            self.file(words[0], text)
        elif len(words) == 2 and words[1] == "+":
            name = quoted(words[0])
            self.script.append(f"last=$(tail -n 1 {name}) && sed -i '$d' {name}")
            self.script.append(f"printf '%s%s\\n' {quoted(text)} \"$last\" >> {name}")
        else:
            raise ValueError(
                f"expected `sh`, `console` or a language and a file's name, got `{info}`"
            )

    def file(self, name, text):
        path = self.source / name
        if not path.exists():
            self.script.append(f"printf %s {quoted(text)} > {quoted(name)}")
        elif path.read_text(encoding="utf-8") != text:
            raise ValueError(f"expected what {name} has, got another text")

    def run(self, directory):
        done = subprocess.run(
            ["bash"], input="\n".join(self.script), cwd=directory, encoding="utf-8", check=False
        )
        if done.returncode:
            line = (self.outputs / "line").read_text().strip()
            text = self.outputs / "text"
            print(text.read_text(encoding="utf-8") if text.exists() else "", end="")
            raise ValueError(
                f"line {line}: expected this block to succeed, got status {done.returncode}"
            )
        for line, command, file, lines in self.expected:
            actual = file.read_text(encoding="utf-8")
            if not pattern(lines).fullmatch(actual):
                print("\n".join(["$ " + command, *lines, "-- got --", actual]), end="")
                raise ValueError(f"line {line}: expected another output of a command")


def clone(source, build, scratch):
    """Makes SCRATCH look like a clone that is built, with python3 as the one that runs this."""
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "build").mkdir(parents=True)
    for path in source.iterdir():
        if path.name not in SKIPPED and not path.name.startswith("build"):
            (scratch / path.name).symlink_to(path)
    for path in build.iterdir():
        if path.name in ("bin", "lib", "include"):
            (scratch / "build" / path.name).symlink_to(path)


def main(page, source, build, scratch, *features):
    source, build, scratch = (pathlib.Path(path).resolve() for path in (source, build, scratch))
    text = (source / page).read_text(encoding="utf-8")
    clone(source, build, scratch)
    with tempfile.TemporaryDirectory() as outputs:
        work, line = Page(source, set(features), pathlib.Path(outputs)), 0
        try:
            blocks = list(FENCE.finditer(text))
            if 2 * len(blocks) != len(re.findall(r"^ *```", text, re.M)):
                raise ValueError(
                    "expected each ``` to open a block that names its language, or to end one"
                )
            for block in blocks:
                line = text.count("\n", 0, block.start()) + 1
                work.add(block["info"], block["text"], line)
            line = 0
            work.script.insert(0, f'python3() {{ {quoted(sys.executable)} "$@"; }}')
            work.run(scratch)
        except ValueError as error:
            return f"{page}{f', line {line}' if line else ''}: {error}"
    print(f"{page}: {len(blocks)} blocks, {len(work.expected)} outputs compared")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
