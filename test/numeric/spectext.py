"""Adds derivative declarations to the text of a spec file."""

import re

_SKIPPED = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')


def _blanked(text):
    """The text with comments and strings replaced by blanks of the same length."""
    return _SKIPPED.sub(lambda match: " " * len(match.group()), text)


def _closing(text, opening):
    """Position of the `}` that closes the `{` at `opening`, in blanked text."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("expected a `}` for every `{`, got the end of the file")


def _spaces(text):
    return " ".join(text.split())


def add_lines(text, lines, condition=None):
    """The text with lines added at the end of a spec.

    Where the spec has alternatives, `condition` ("R >= 1") chooses the one that gets the lines.
    """
    blanked = _blanked(text)
    places = list(re.finditer(r"\bgyre\.alternative\s+where\b([^{]*)\{", blanked))
    if places:
        places = [m for m in places if _spaces(m.group(1)) == condition]
    else:
        places = list(re.finditer(r"\bgyre\.spec\b[^{]*\{", blanked))
    if len(places) != 1:
        raise ValueError(
            f"expected one place for the lines (alternative: {condition}), got {len(places)}"
        )
    end = _closing(blanked, places[0].end() - 1)
    return text[:end] + "".join(f"\n    {line}" for line in lines) + "\n" + text[end:]
