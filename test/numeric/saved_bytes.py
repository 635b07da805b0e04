"""What crosses from a forward to its derivatives: the results that these take, by the manifest.

Operands of the forward are the caller's in any case; the page's section 12 says what may be kept
beyond them. `python3 test/numeric/saved_bytes.py BUILD` prints the table of docs/performance.md.
"""

import math
import pathlib
import re
import sys
import tempfile

import kernel
import tools

BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "i8": 1}


def row(p):
    return p["F"] * (3 * p["L"] + 1) * p["C"]


def stack(p):
    return 4 * (p["T"] + 1) * row(p)


# Spec, parameters, derivatives of first order, the bytes for an edge (or output) that section 12
# allows beyond input and output, and its words for them.
STACK = {"L": 3, "F": 1, "C": 64, "T": 3}
OPERATORS = [
    ("so2_rotate_mix", {"L": 3, "F": 1, "C": 64, "R": 1}, lambda p: 0, "operands only"),
    ("gated_activation", {"L": 3, "F": 1, "C": 64}, lambda p: 0, "`z`, an operand"),
    ("segment_sum", {"A": 10, "B": 64}, lambda p: 0, "the map only"),
    ("segment_broadcast", {"A": 10, "B": 64}, lambda p: 0, "the map only"),
    (
        "radial_head",
        {"L": 3, "Cr": 64, "Cw": 64, "R": 1},
        lambda p: 4 * (p["L"] + 1) * p["Cw"],
        "`q`, and `rad` where `Bm` needs a gradient",
    ),
    (
        "focus_competition",
        {"F": 2, "C": 32, "normalised": 1, "biased": 1},
        lambda p: 0,
        "`p`, an operand",
    ),
    ("so2_mixing_stack", {**STACK, "competing": 0}, stack, "`(T+1)*F*E*ROW*s`"),
    (
        "so2_value_path",
        {"L": 3, "F": 2, "C": 32, "Cr": 64, "R": 1, "T": 2, "competing": 1},
        lambda p: stack(p) + 4 * row(p) + 4 * p["F"] * p["C"],
        "the stack's, its input, and `p`",
    ),
    ("knn_conv", {"Cin": 16, "Cout": 16, "K": 5, "V": 3, "biased": 1}, lambda p: 0, "operands"),
    ("knn_max_pool", {"K": 9}, lambda p: 1, "`B*C*Nout` bytes"),
    ("knn_avg_pool", {"K": 9}, lambda p: 0, "nothing"),
]


def size(dims, sizes):
    return math.prod(eval(dim, {"__builtins__": {}}, sizes) for dim in dims)


def saved(described):
    """{derivative of first order: the primal's results that it takes}"""
    functions = {entry["name"]: entry for entry in described["functions"]}
    found = {}
    for entry in described["functions"]:
        primal = functions.get(entry.get("derivative", {}).get("of"))
        if primal is None or "derivative" in primal:
            continue
        operands = {argument["name"] for argument in primal["arguments"]}
        cotangents = entry["derivative"]["given"].values()
        taken = {a["name"] for a in entry["arguments"]} - operands - set(cotangents)
        found[entry["name"]] = [r for r in primal["results"] if r["name"] in taken]
    return found


def first_order(path):
    """The functions of a spec and their derivatives, without those of second order."""
    text = path.read_text(encoding="utf-8")
    functions = re.findall(r"gyre\.func @(\w+)", text)
    derived = re.findall(r"gyre\.derive @(\w+) = vjp @(\w+)", text)
    names = functions + [name for name, primal in derived if primal in functions]
    return ",".join(dict.fromkeys(names))  # some stand there once for each of several settings


def described(made, spec, p):
    path = kernel.KERNELS / f"{spec}.mlir"
    return made.described(path, p, first_order(path))


def bytes_of(results):
    """For one edge, or one output."""
    return sum(
        BYTES[result["dtype"]] * size(result["shape"], dict.fromkeys(("E", "B", "C", "Nout"), 1))
        for result in results
    )


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    with tempfile.TemporaryDirectory() as scratch:
        made = tools.Tools(build, scratch)
        print("| derivative | parameters | saved | bytes | allowed | section 12 |")
        print("|---|---|---|---|---|---|")
        for spec, p, allowed, words in OPERATORS:
            for name, results in saved(described(made, spec, p)).items():
                shapes = "; ".join(
                    f"`{r['name']}` ({', '.join(r['shape'])}) {r['dtype']}" for r in results
                )
                text = ", ".join(f"{key} = {value}" for key, value in p.items())
                print(
                    f"| `{name}` | {text} | {shapes or 'nothing'} | {bytes_of(results)} | {allowed(p)} | {words} |",
                    flush=True,
                )
        made.close()


if __name__ == "__main__":
    sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "python")]
    main()
