"""Prints the block of a language from a Markdown file: fence.py FILE LANGUAGE"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
(block,) = re.findall(rf"^```{re.escape(sys.argv[2])}\n(.*?)^```$", text, re.M | re.S)
print(block, end="")
