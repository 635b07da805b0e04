"""A stand-in for the tools: the page's python instead of an interpreter and compiled kernels.

test_harness.py runs the checks against it, to see that they pass on right results and, with a
`corrupt` hook, that each of them fails on wrong ones.
"""

import numpy as np

import cases
import kernels


def affine_gradient(evaluate, v, argument):
    """The gradient of a scalar that is affine in `argument`, one element at a time."""
    base, gradient = evaluate(v), np.zeros(v[argument].shape)
    for where in np.ndindex(gradient.shape):
        moved = v[argument].copy()
        moved[where] += 1
        gradient[where] = evaluate({**v, argument: moved}) - base
    return gradient


class PageTools:
    """Tools that compute with the page; corrupt(side, function name, results) may change them in place."""

    def __init__(self, page, corrupt=lambda side, name, results: None):
        self.page, self.corrupt = page, corrupt

    def interpret(self, path, p, function, v):
        if function.reference is None:
            results = self._third(p, function, v)
        else:
            results = {
                name: array.copy()
                for name, array in kernels.evaluate(self.page, p, function, v).items()
            }
        self.corrupt("interpreter", function.name, results)
        return results

    def run(self, path, p, function, v, out):
        dtype = cases.DTYPES[p["act"]]
        results = function.reference(
            self.page, p, kernels.map_floats(v, lambda array: np.array(array, dtype, order="C"))
        )
        results = {name: np.array(results[name], dtype) for name in function.results}
        self.corrupt("compiled", function.name, results)
        for name, array in results.items():
            out[name][...] = array

    def _third(self, p, function, v):
        _, _, derivative = kernels.rotate_mix_third(p)
        second = kernels.SO2_ROTATE_MIX.function(p, derivative.of)

        def paired(w):
            results = kernels.evaluate(self.page, p, second, w)
            return sum(
                float((w[k] * results[name]).sum()) for name, k in derivative.cotangents.items()
            )

        return {
            result: affine_gradient(paired, v, argument)
            for argument, (_, result) in derivative.gradients.items()
        }
