"""What a kernel is to the numeric tests: functions with references, and derivatives among them.

A reference takes (page, p, v): the page as a module, the parameters, and the inputs by argument
name; it returns the results by name. Arguments that are index maps are `Index` values.

`lengths` gives the n of the measure: the longest sum behind any element of a result, nested sums
added up, and 4 more for the terms of a second order, which are added to one another.
"""

import dataclasses
import pathlib
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from magnitude import Magnitude, numpy_of, split

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
TERMS = 4


class Index(NamedTuple):
    """An index map: the node that each edge refers to, and the number of nodes."""

    array: np.ndarray
    target: int
    padded: bool = False


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    arguments: tuple
    results: tuple
    reference: Callable
    lengths: Callable  # (p, v) -> {result: n}
    sizes: tuple = ()  # runtime sizes that no tensor argument binds: (name, map argument)


@dataclasses.dataclass(frozen=True)
class Derivative:
    """`gradients[a]` = (function, result): the gradient of sum_r <cotangents[r], of(...)[r]> in `a`."""

    of: str
    cotangents: dict
    gradients: dict


@dataclasses.dataclass(frozen=True)
class Kernel:
    spec: str
    parameters: tuple
    multilinear: bool
    functions: Callable  # p -> [Function]
    derivatives: Callable  # p -> [Derivative]
    inputs: Callable  # (p, graph, draw) -> every argument of every function
    # Parameters that a case may leave to their defaults.
    optional: tuple = ()
    alternative: Callable = lambda p: (
        None
    )  # p -> the condition of the `gyre.alternative` that p selects
    # Small integers -> inputs on which every operation is exact; None where there are none.
    exact_inputs: Optional[Callable] = lambda p, v: v
    # (page, p, function, v) -> {result: magnitude}, where neither rule of `magnitude` below serves.
    magnitudes: Optional[Callable] = None

    # Operands in the type `par`, and in that of accumulators; the others are of the type `act`. A
    # gradient or cotangent `g`, `d` or `h` of an operand has its type.
    weights: tuple = ()
    wide: tuple = ()

    directory: pathlib.Path = KERNELS

    @property
    def path(self):
        return self.directory / f"{self.spec}.mlir"

    def dtype_of(self, p, name):
        """The element type of a float operand or result."""
        names = {name, name[1:]} if name[0] in "gdh" else {name}
        if names & set(self.weights):
            return p.get("par", p["act"])
        if name in self.wide and p["act"] != "f64":
            return "f32"
        return p["act"]

    def function(self, p, name):
        return next(f for f in self.functions(p) if f.name == name)


def max_degree(index):
    """The most references to one node; pads refer to none."""
    real = index.array[(index.array >= 0) & (index.array < index.target)]
    return int(np.bincount(real, minlength=1).max())


# Evaluation ---------------------------------------------------------------------------------------


def map_named_floats(v, op):
    """Applies `op` to the name and value of every floating operand."""
    return {
        name: value
        if isinstance(value, Index) or np.issubdtype(value.dtype, np.integer)
        else op(name, value)
        for name, value in v.items()
    }


def map_floats(v, op):
    return map_named_floats(v, lambda name, value: op(value))


def evaluate(page, p, function, v, **options) -> dict:
    """The page's results of a function, fp64."""
    results = function.reference(
        page, p, map_floats(v, lambda array: np.asarray(array, np.float64)), **options
    )
    return {name: results[name] for name in function.results}


def magnitude(page, kernel, p, function, v, **options: Any) -> dict:
    """|f|(|inputs|) of every element of every result (measure.py says how it is defined)."""
    if kernel.magnitudes:
        return kernel.magnitudes(page, p, function, v, **options)
    if kernel.multilinear:
        return evaluate(page, p, function, map_floats(v, np.abs), **options)
    with numpy_of(page):
        results = function.reference(page, p, map_floats(v, Magnitude), **options)
    return {name: split(results[name])[1] for name in function.results}
