"""Modes of precision of a product, of its gradients and of theirs, against fp64: cases for bundle.py."""

import dataclasses
import pathlib

import numpy as np

import kernels

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPECS = ROOT / "test" / "numeric" / "specs"

SCALES = (1e-4, 1.0, 1e2)
# Operands copied 16 bytes at a time and 4; sums of the second cancel. Those of the last two are long enough for warpgroups, and for
# sums of parts in turns.
SIZES = {
    "K68N96": (150, 68, 96),
    "K65N71": (131, 65, 71),
    "K90N60": (70, 90, 60),
    "K356N134": (131, 356, 134),
    "K700N134": (67, 700, 134),
}
# Of more steps of depth than matrix units add to one sum.
DEEP = {"E1400": (1400, 64, 64)}
CANCEL = "K65N71"
ROUNDOFF = 2.0**-24
SMALL = 2.0**-15


@dataclasses.dataclass(frozen=True)
class Mode:
    """What the description of gyre.contract says: times |f|, and times the sum of |x| + |y| + SMALL."""

    relative: float
    absolute: float = 0.0


MODES = {
    "ieee": Mode(0.0),
    "bf16x6": Mode(2.0**-21),
    "tf32x3": Mode(2.0**-20),
    "fp16x3": Mode(2.0**-20, 2.0**-35),
    "bf16x3": Mode(2.0**-14),
    "tf32": Mode(2.0**-9),
    "fp16": Mode(2.0**-9, 2.0**-24),
    "bf16": Mode(2.0**-6),
}

# Each result is a sum of products: (left, right), and which of them is transposed.
FUNCTIONS = {
    "product": {"y": [("u", "w", "")]},
    "product_bwd": {"gu": [("gy", "w", "right")], "gw": [("u", "gy", "left")]},
    "product_bwd2": {
        "dgy": [("hu", "w", ""), ("u", "hw", "")],
        "du": [("gy", "hw", "right")],
        "dw": [("hu", "gy", "left")],
    },
}
DEEP_FUNCTIONS = {"deep_product": {"gw": [("u", "gy", "left")]}}
ARGUMENTS = {
    "deep_product": ("u", "gy"),
    "product": ("u", "w"),
    "product_bwd": ("u", "w", "gy"),
    "product_bwd2": ("u", "w", "gy", "hu", "hw"),
}


def inputs(sizes, scale, cancels):
    """Normal numbers; where they cancel, sums of any result are small beside their terms."""
    E, K, N = sizes
    rng = np.random.default_rng(E + K + N)
    shapes = {"u": (E, K), "w": (K, N), "gy": (E, N), "hu": (E, K), "hw": (K, N)}
    # Neighbours along an axis are each other, or each other's negatives, nearly: any product has one of each.
    signs = {"u": (1, -1), "w": (1, 1), "gy": (-1, -1), "hu": (1, -1), "hw": (1, 1)}
    v = {}
    for name, shape in shapes.items():
        x = rng.standard_normal(shape)
        for sign in signs[name] if cancels else ():
            pairs = x[: len(x) // 2 * 2]
            pairs[1::2] = sign * pairs[::2] * (1 + 1e-3 * rng.standard_normal(pairs[::2].shape))
            x = x.T
        v[name] = (scale * x).astype(np.float32)
    return v


def evaluate(products, v):
    """The value, |f|, the sum of |x| + |y|, and the length of the sum."""
    total = []
    for left, right, transposed in products:
        x, y = v[left].astype(np.float64), v[right].astype(np.float64)
        x, y = (x.T if transposed == "left" else x), (y.T if transposed == "right" else y)
        ones = np.ones_like
        sizes = np.abs(x) @ ones(y) + ones(x) @ (np.abs(y) + SMALL)
        total.append((x @ y, np.abs(x) @ np.abs(y), sizes, x.shape[1]))
    return [sum(parts) for parts in zip(*total)]


def add(bundle, only=()):
    """A check of each function, for each mode, size and scale, or for those of `only`, as `tf32-K68N96-1`."""
    for name, mode in MODES.items():
        for label, (E, K, N) in SIZES.items():
            add_cases(
                bundle, only, name, mode, label, (E, K, N), "product", {"K": K, "N": N}, FUNCTIONS
            )
        for label, (E, K, N) in DEEP.items():
            parameters = {"E": E, "K": K, "N": N}
            add_cases(
                bundle,
                only,
                name,
                mode,
                label,
                (E, K, N),
                "deep_product",
                parameters,
                DEEP_FUNCTIONS,
            )


def add_cases(bundle, only, name, mode, label, sizes, spec, parameters, functions):
    cases = [(f"{name}-{label}-{scale:g}", scale) for scale in SCALES]
    wanted = [pair for pair in cases if not only or pair[0] in only]
    if not wanted:
        return
    flags = [f"--precision={name}"] if name != "ieee" else []
    manifest = bundle.compile(SPECS / f"{spec}.mlir", parameters, *flags)
    for case, scale in wanted:
        v = inputs(sizes, scale, label == CANCEL)
        for function, results in functions.items():
            add_function(bundle, case, manifest, function, results, mode, v)


def add_function(bundle, case, manifest, function, results, mode, v):
    known = {}
    for result, products in results.items():
        value, size, operands, length = evaluate(products, v)
        allowed = (8 + 2 * np.sqrt(length)) * ROUNDOFF + mode.relative
        known[result] = value, allowed * size + mode.absolute * operands
    described = kernels.Function(function, ARGUMENTS[function], tuple(results), None, None)
    bundle.add_check(case, manifest, described, v, known)
