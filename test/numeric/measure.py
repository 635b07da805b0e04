"""The error measures: per element, never a norm, and never passed by a NaN.

within(actual, reference, magnitude, n, u):

    |a - r| <= (8 + 2 sqrt(n)) u |f|(|inputs|)          for each element

with u the unit roundoff of the computation that is tested, n the longest sum behind the element
(sums that are nested add their lengths) and |f|(|inputs|) the magnitude of the element: the same
kernel with all signs positive on absolute inputs. It is zero where no term reaches an element,
so such elements have to be exactly zero.

How |f|(|inputs|) is obtained, by kernel (kernels.py names the functions):

* so2_rotate_mix, all orders, and segment_sum, all orders, are multilinear and the page's python
  writes them without a subtraction: the magnitude is the page's python evaluated in fp64 on the
  absolute values of all inputs and cotangents.
* gated_activation is not multilinear. The page's python is evaluated on (value, magnitude) pairs:
  products and sums take absolute operands with all signs positive, and a smooth function takes
  |phi(t)| + |phi'(t)| mag(t) (magnitude.py). On a multilinear kernel that rule gives the plain
  definition, which test_harness.py checks.

close(actual, reference, magnitude) is the interpreter's measure: both sides are fp64, and

    |a - r| <= 64 u magnitude,  u = 2^-53.
"""

import numpy as np

from halves import ROUNDOFF as UNIT_ROUNDOFF, SMALLEST


class Mismatch(AssertionError):
    """A result that misses its bound; `worst` is the largest error in units of it, where there is one."""

    def __init__(self, text, worst=0.0):
        super().__init__(text)
        self.worst = worst


def check(name, actual, reference, bound):
    """Raises Mismatch unless |actual - reference| <= bound holds for each element.

    Returns the largest error in units of its bound; an error of 0 counts as 0 of any bound.
    """
    actual, reference, bound = np.asarray(actual), np.asarray(reference), np.asarray(bound)
    if actual.shape != reference.shape or bound.shape != reference.shape:
        raise Mismatch(
            f"{name}: expected shape {reference.shape}, got {actual.shape} with bounds of shape {bound.shape}"
        )
    if not np.isfinite(bound).all():
        raise Mismatch(f"{name}: expected finite bounds, got {bound[~np.isfinite(bound)][0]}")
    with np.errstate(invalid="ignore", over="ignore"):
        error = np.abs(actual.astype(np.float64) - reference)
        bad = ~(error <= bound)  # a comparison with NaN is false
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.where(np.isnan(error), np.inf, np.where(error == 0, 0, error / bound))
    if not bad.any():
        return float(excess.max(initial=0))
    where = np.unravel_index(np.argmax(np.where(bad, excess, -1)), bad.shape)
    where = tuple(int(i) for i in where)
    raise Mismatch(
        f"{name}: {int(bad.sum())} of {bad.size} elements out of bounds, worst at {where}: "
        f"got {actual[where]!r}, expected {reference[where]!r} within {bound[where]:.3g}",
        float(excess[where]),
    )


def within(name, actual, reference, magnitude, n, u, stored=None):
    """The measure of the design for an element that is the end of sums of length n; as `check`.

    stored: the type that the element is rounded to in the end, once.
    """
    bound = (8 + 2 * np.sqrt(n)) * u * np.asarray(magnitude)
    if stored:
        last = UNIT_ROUNDOFF[stored]
        bound = bound * (1 + last) + np.maximum(last * np.abs(reference), SMALLEST[stored] / 2)
    return check(name, actual, reference, bound)


def close(name, actual, reference, magnitude):
    """The measure for two fp64 evaluations."""
    check(name, actual, reference, 64 * UNIT_ROUNDOFF["f64"] * np.asarray(magnitude))


def exact(name, actual, reference):
    """Bit for bit, up to the sign of zero (an empty sum may be either)."""
    check(name, actual, reference, np.zeros(np.shape(reference)))
