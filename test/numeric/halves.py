"""f16 and bf16 as NumPy has them: bf16 is the upper half of an f32, kept as uint16."""

import numpy as np

# Unit roundoff and smallest positive number of each element type.
ROUNDOFF = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
SMALLEST = {"f64": 2.0**-1074, "f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133}
STORAGE = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16}


def to_bf16(values):
    """Rounds fp64 numbers once, to the nearest, ties to even; NaNs stay NaNs."""
    values = np.asarray(values, np.float64)
    _, exponent = np.frexp(values)
    quantum = np.exp2(np.maximum(exponent - 8, -133).astype(np.float64))
    finite = np.isfinite(values)
    rounded = np.where(finite, np.rint(np.where(finite, values, 0) / quantum) * quantum, values)
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.where(np.abs(rounded) >= 2.0**128, np.copysign(np.inf, rounded), rounded)
        bits = rounded.astype(np.float32).view(np.uint32)
    return np.where(np.isnan(values), 0x7FC0, bits >> 16).astype(np.uint16)


def from_bf16(bits):
    bits = np.asarray(bits, np.uint16)
    return (np.atleast_1d(bits).astype(np.uint32) << 16).view(np.float32).reshape(bits.shape)


def store(values, act):
    """fp64 numbers in the memory format of an element type."""
    if act == "bf16":
        return to_bf16(values)
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float64).astype(STORAGE[act])


def rounded(values, act):
    """The nearest numbers of an element type, in fp64."""
    return load(store(values, act), act)


def load(array, act):
    """The numbers of a stored array, in fp64."""
    with np.errstate(invalid="ignore"):  # signalling NaNs
        return np.asarray(from_bf16(array) if act == "bf16" else array, np.float64)
