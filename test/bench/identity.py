"""What device code the compiler makes for a spec: hashes that do not depend on where or when.

The PTX of a function, for an architecture, is made by gyrec alone. With the version of ptxas it stands for
the machine code; the manifest of a library has the hashes of that itself (`sha256` of `kernels`).
"""

import hashlib
import re
import subprocess

KERNEL = re.compile(r"^\.visible \.entry (\w+)\(", re.MULTILINE)
# Of rows, of cells, and the steps that belong to either.
NAME = re.compile(r"gyre_(?P<function>\w+?)(_cells)?_\d+(_\w+)?")
COMMENT = re.compile(r"//.*$", re.MULTILINE)


def function_of(kernel):
    found = NAME.fullmatch(kernel)
    return found["function"] if found else None


def split(text):
    """The kernels of a file of PTX by name, and what stands before them."""
    text = COMMENT.sub("", text)
    begins = [match.start() for match in KERNEL.finditer(text)]
    names = KERNEL.findall(text)
    ends = [*begins[1:], len(text)]
    head = text[: begins[0]] if begins else text
    return head, {name: text[begin:end].strip() for name, begin, end in zip(names, begins, ends)}


def hashes(text):
    """Of the kernels of each function, as they stand in PTX. A kernel that equals another function's is
    only there once, with that one."""
    head, kernels = split(text)
    found = {}
    for name, code in kernels.items():
        found.setdefault(function_of(name), hashlib.sha256(head.encode())).update(code.encode())
    return {function: one.hexdigest() for function, one in found.items()}


def ptx(gyrec, path, words, arch, flags=()):
    """words: as of --set; arch: of machine code, sm_90a."""
    command = [
        gyrec,
        path,
        "--target=cuda",
        "--emit=ptx",
        f"--arch={arch.replace('sm', 'compute')}",
    ]
    command += ["--set", words, *flags]
    command = [str(part) for part in command]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def assembler_version(ptxas="ptxas"):
    """V13.0.88; None where there is none."""
    try:
        done = subprocess.run([ptxas, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r"\bV([\d.]+)", done.stdout)
    return found[1] if found else None
