"""Arrays that carry, beside a value, the magnitude |f|(|inputs|) of the expression behind it.

The page's python is executed unchanged on such arrays. The rules:

  input               |x|
  a + b, a - b        mag(a) + mag(b)              every sign becomes positive
  -a                  mag(a)
  a * b, a @ b,       the same operation on mag(a), mag(b)
  einsum, sum
  phi(a)              |phi(a)| + |phi'(a)| * mag(a)
  1 / b               mag(b) / b^2
  max                 the largest mag: whichever element it is, it is not less certain

For a multilinear expression this is the expression evaluated on absolute inputs with all signs
positive, exactly what the measure asks for. For the others it is the usual first-order running
error analysis: an argument that is uncertain by u * mag(a) moves phi(a) by |phi'(a)| * u * mag(a),
and rounding phi's result adds u * |phi(a)|. In particular the magnitude of
sigma(t) = 1 / (1 + exp(-t)) comes out as sigma(t) + sigma'(t) * mag(t).

An operation that has no rule raises TypeError: nothing falls back to a guess.
"""

import contextlib

import numpy as np


def split(operand):
    """(value, magnitude) of an operand; plain numbers and arrays are exact inputs."""
    if isinstance(operand, Magnitude):
        return operand.value, operand.mag
    value = np.asarray(operand, np.float64)
    return value, np.abs(value)


def _add(a, b, sign):
    (va, ma), (vb, mb) = split(a), split(b)
    return Magnitude(va + sign * vb, ma + mb)


def _bilinear(op):
    def rule(a, b):
        (va, ma), (vb, mb) = split(a), split(b)
        return Magnitude(op(va, vb), op(ma, mb))

    return rule


def _divide(a, b):
    (va, ma), (vb, mb) = split(a), split(b)
    return Magnitude(va / vb, ma * mb / vb**2)


def _negative(a):
    value, mag = split(a)
    return Magnitude(-value, mag)


def _exp(a):
    value, mag = split(a)
    result = np.exp(value)
    return Magnitude(result, result * (1 + mag))


def _power(a, exponent):
    """Of a number that is no array of magnitudes, exactly."""
    (value, mag), power = split(a), float(exponent)
    result = value**power
    return Magnitude(result, np.abs(result) + np.abs(power * value ** (power - 1)) * mag)


UFUNCS = {
    np.add: lambda a, b: _add(a, b, 1),
    np.subtract: lambda a, b: _add(a, b, -1),
    np.negative: _negative,
    np.multiply: _bilinear(np.multiply),
    np.matmul: _bilinear(np.matmul),
    np.divide: _divide,
    np.exp: _exp,
    np.power: _power,
}


def _einsum(subscripts, *operands):
    parts = [split(operand) for operand in operands]
    return Magnitude(
        np.einsum(subscripts, *(value for value, _ in parts)),
        np.einsum(subscripts, *(mag for _, mag in parts)),
    )


def _concatenate(arrays, axis=0):
    parts = [split(array) for array in arrays]
    return Magnitude(
        np.concatenate([value for value, _ in parts], axis),
        np.concatenate([mag for _, mag in parts], axis),
    )


FUNCTIONS = {
    np.einsum: _einsum,
    np.concatenate: _concatenate,
    np.swapaxes: lambda a, i, j: a.map(lambda array: np.swapaxes(array, i, j)),
    np.zeros_like: lambda a: a.map(np.zeros_like),
}


class Magnitude(np.lib.mixins.NDArrayOperatorsMixin):
    """A float64 array `value` with its magnitude `mag` (see the module)."""

    def __init__(self, value, mag=None):
        self.value = np.asarray(value, np.float64)
        self.mag = np.abs(self.value) if mag is None else mag

    @property
    def shape(self):
        return self.value.shape

    @property
    def dtype(self):
        return self.value.dtype

    def map(self, op):
        """Applies a function that moves elements without computing with them."""
        return Magnitude(op(self.value), op(self.mag))

    def __getitem__(self, key):
        return self.map(lambda array: array[key])

    def reshape(self, *shape):
        return self.map(lambda array: array.reshape(*shape))

    def __setitem__(self, key, value):
        self.value[key], self.mag[key] = split(value)

    def __len__(self):
        return len(self.value)

    # In place would change views; a new array is put where the old one stood.
    def __iadd__(self, other):
        return self + other

    def __isub__(self, other):
        return self - other

    def copy(self):
        return self.map(np.copy)

    def transpose(self, *axes):
        return self.map(lambda array: array.transpose(*axes))

    def sum(self, axis=None, keepdims=False):
        return self.map(lambda array: array.sum(axis, keepdims=keepdims))

    def mean(self, axis=None, keepdims=False):
        return self.map(lambda array: array.mean(axis, keepdims=keepdims))

    def max(self, axis=None, keepdims=False):
        return self.map(lambda array: array.max(axis, keepdims=keepdims))

    @property
    def T(self):
        return self.map(np.transpose)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs or ufunc not in UFUNCS:
            return NotImplemented
        return UFUNCS[ufunc](*inputs)

    def __array_function__(self, func, types, args, kwargs):
        if func not in FUNCTIONS:
            return NotImplemented
        return FUNCTIONS[func](*args, **kwargs)


class Numpy:
    """NumPy, but `array` stacks such arrays: NumPy offers no hook for that."""

    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def array(parts, *args, **kwargs):
        if not any(isinstance(part, Magnitude) for part in parts):
            return np.array(parts, *args, **kwargs)
        pairs = [split(part) for part in parts]
        return Magnitude(np.array([v for v, _ in pairs]), np.array([m for _, m in pairs]))


@contextlib.contextmanager
def numpy_of(page):
    """The page's python on such arrays, while this is open."""
    page.np = Numpy()
    try:
        yield
    finally:
        page.np = np
