"""The checks of a case. They know no pytest: test_harness.py runs them against a stand-in for the tools."""

import copy

import numpy as np

import halves
import kernels
import measure

MULTILINEAR_STEP = 0.5  # central differences are exact there, so the step need not be small
SMOOTH_STEP = 1e-4
DIFFERENCE_TOLERANCE = 1e-6


class Session:
    """The page, the tools, and what has been computed with them already."""

    def __init__(self, page, tools):
        self.page, self.tools = page, tools
        self._inputs, self._interpreted, self._references = {}, {}, {}

    def inputs(self, case, kind):
        key = case, kind
        if key not in self._inputs:
            self._inputs[key] = case.inputs(self.page, kind)
        return self._inputs[key]

    def reference(self, case, function, kind="random"):
        """The page's results."""
        key = case, function.name, kind
        if key not in self._references:
            self._references[key] = kernels.evaluate(
                self.page, case.p, function, self.inputs(case, kind)
            )
        return self._references[key]

    def interpreted(self, case, function, kind="random"):
        key = case, function.name, kind
        if key not in self._interpreted:
            self._interpreted[key] = self.tools.interpret(
                case.kernel.path, case.p, function, self.inputs(case, kind)
            )
        return self._interpreted[key]

    def compiled(self, case, function, v):
        """Results of the compiled kernel on inputs of the case's shapes, written over NaN.

        Halves come and go as their numbers in fp64.
        """

        def dtype(name):
            return case.kernel.dtype_of(case.p, name)

        def store(name, array):
            return halves.store(array, dtype(name))

        out, reals = {}, []
        for name, array in self.reference(case, function).items():
            if np.issubdtype(array.dtype, np.integer):
                out[name] = np.full(array.shape, 0xA5, array.dtype)
            else:
                out[name] = store(name, np.full(array.shape, np.nan))
                reals.append(name)
        if not case.is_half:
            self.tools.run(case.kernel.path, case.p, function, v, out)
            return out
        stored = kernels.map_named_floats(v, store)
        self.tools.run(case.kernel.path, case.p, function, stored, out)
        return {**out, **{name: halves.load(out[name], dtype(name)) for name in reals}}

    def with_tools(self, tools):
        """Other tools, the same oracles."""
        other = copy.copy(self)
        other.tools = tools
        return other


def interpreter_equals_page(session, case):
    v = session.inputs(case, "random")
    for function in case.kernel.functions(case.p):
        reference = session.reference(case, function)
        scale = kernels.magnitude(session.page, case.kernel, case.p, function, v)
        actual = session.interpreted(case, function)
        for name in function.results:
            measure.close(f"{function.name}: {name}", actual[name], reference[name], scale[name])


def compiled_equals_interpreter(session, case, rounded_once=False):
    """Returns the largest error in units of its bound.

    rounded_once: what is computed between operands and results of halves has to be f32.
    """
    v, largest = session.inputs(case, "random"), 0.0
    for function in case.kernel.functions(case.p):
        reference = session.interpreted(case, function)
        scale = kernels.magnitude(session.page, case.kernel, case.p, function, v)
        lengths = function.lengths(case.p, v)
        actual = session.compiled(case, function, v)
        for name in function.results:
            error = measure.within(
                f"{function.name}: {name}",
                actual[name],
                reference[name],
                scale[name],
                lengths[name],
                measure.UNIT_ROUNDOFF["f32" if rounded_once else case.p["act"]],
                case.kernel.dtype_of(case.p, name) if rounded_once else None,
            )
            largest = max(largest, error)
    return largest


def integers_are_exact(session, case):
    """The compiled kernels; and the interpreter in the fp64 cases (its arithmetic is the same in all)."""
    v = session.inputs(case, "integers")
    for function in case.kernel.functions(case.p):
        reference = session.reference(case, function, "integers")
        sides = {"compiled": session.compiled(case, function, v)}
        if case.p["act"] == "f64":
            sides["interpreter"] = session.interpreted(case, function, "integers")
        for side, actual in sides.items():
            for name in function.results:
                measure.exact(f"{side} {function.name}: {name}", actual[name], reference[name])


def pairing(cotangents, results):
    return sum(
        float((np.asarray(cotangents[name], np.float64) * results[name]).sum()) for name in results
    )


def difference(call, v, argument, direction, cotangents, step):
    """The derivative of <cotangents, call(v)> in `argument` along `direction`, by central differences."""
    high, low = (call({**v, argument: v[argument] + sign * step * direction}) for sign in (1, -1))
    return pairing(cotangents, {name: (high[name] - low[name]) / (2 * step) for name in cotangents})


def compare_gradient(name, gradient, rng, differentiate):
    """Compares a gradient with the differences along a random direction.

    The direction has the signs of the gradient, so that nothing cancels in its product with it: the
    tolerance is relative to the sum of the sizes of all elements.
    """
    direction = np.copysign(rng.standard_normal(gradient.shape), gradient)
    expected, actual = differentiate(direction), float((gradient * direction).sum())
    if not abs(actual - expected) <= DIFFERENCE_TOLERANCE * max(abs(expected), abs(actual)):
        raise measure.Mismatch(
            f"{name}: expected the central difference {expected!r} to {DIFFERENCE_TOLERANCE}, got {actual!r}"
        )


def derivatives_equal_differences(session, case):
    """Each gradient of orders 1 and 2 along a random direction, in fp64, by the compiled kernels."""
    if case.p["act"] != "f64":
        raise ValueError(
            f"{case.name}: expected act=f64 for central differences, got {case.p['act']}"
        )
    v, rng = session.inputs(case, "random"), case.rng("directions")
    step = MULTILINEAR_STEP if case.kernel.multilinear else SMOOTH_STEP
    computed = {f.name: session.compiled(case, f, v) for f in case.kernel.functions(case.p)}
    for derivative in case.kernel.derivatives(case.p):
        function = case.kernel.function(case.p, derivative.of)
        cotangents = {result: v[argument] for result, argument in derivative.cotangents.items()}
        for argument, (name, result) in derivative.gradients.items():
            compare_gradient(
                f"{name}: {result}",
                computed[name][result],
                rng,
                lambda direction: difference(
                    lambda w: session.compiled(case, function, w),
                    v,
                    argument,
                    direction,
                    cotangents,
                    step,
                ),
            )


def repeats_bit_for_bit(session, case):
    """The same call again, and the same call on strided arguments, give the same bits."""
    v = session.inputs(case, "random")
    for function in case.kernel.functions(case.p):
        first = session.compiled(case, function, v)
        strided = kernels.map_floats(v, spread)
        for label, inputs in (("again", v), ("strided", strided)):
            second = session.compiled(case, function, inputs)
            for name in function.results:
                if first[name].tobytes() != second[name].tobytes():
                    raise measure.Mismatch(
                        f"{function.name}: {name}: expected the same bits {label}, got others"
                    )


def spread(array):
    """The same values with gaps between all elements."""
    if array.ndim == 0:
        return array
    wide = np.full(tuple(2 * size + 1 for size in array.shape), np.nan, array.dtype)
    view = wide[tuple(slice(1, 2 * size + 1, 2) for size in array.shape)]
    view[...] = array
    return view


def structural(page, p):
    """Whether the rotation may read an entry of a Wigner matrix: (D, D)."""
    D = (p["L"] + 1) ** 2
    return page.struct_scatter(page.struct_rows(np.ones((1, D, D)), p["L"]), p["L"])[0] != 0


def unread_entries_change_nothing(session, case, interpret=False):
    """NaN outside the structural set of the Wigner matrices (and of their cotangent) is not read.

    Packed ones have nothing there.
    """
    if case.p.get("packed"):
        return
    v = session.inputs(case, "random")
    inside = structural(session.page, case.p)
    poisoned = {
        **v,
        **{
            name: np.where(inside, v[name], np.nan).astype(v[name].dtype)
            for name in ("wigner", "hwigner")
        },
    }
    for function in case.kernel.functions(case.p):
        if interpret:
            clean = session.interpreted(case, function)
            dirty = session.tools.interpret(case.kernel.path, case.p, function, poisoned)
        else:
            clean, dirty = (session.compiled(case, function, w) for w in (v, poisoned))
        for name in function.results:
            measure.exact(
                f"{function.name}: {name} with NaN in unread entries", dirty[name], clean[name]
            )
            if name in ("gwigner", "dwigner"):
                measure.exact(
                    f"{function.name}: {name} outside the structural set",
                    dirty[name] * ~inside,
                    0 * clean[name],
                )


def subsets_equal_page(session, case, path, functions):
    """Second orders with every set of cotangents, by the interpreter, from a spec at `path` that declares them."""
    v = session.inputs(case, "random")
    for function in functions:
        reference = kernels.evaluate(session.page, case.p, function, v)
        scale = kernels.magnitude(session.page, case.kernel, case.p, function, v)
        actual = session.tools.interpret(path, case.p, function, v)
        for name in function.results:
            measure.close(f"{function.name}: {name}", actual[name], reference[name], scale[name])


def third_equals_differences(session, case, path, function, derivative, v):
    """The interpreter's third order, from a spec at `path`, against differences of the compiled second order."""
    rng, second = case.rng("third"), case.kernel.function(case.p, derivative.of)
    cotangents = {result: v[argument] for result, argument in derivative.cotangents.items()}
    third = session.tools.interpret(path, case.p, function, v)
    for argument, (name, result) in derivative.gradients.items():
        compare_gradient(
            f"{name}: {result}",
            third[result],
            rng,
            lambda direction: difference(
                lambda w: session.compiled(case, second, w),
                v,
                argument,
                direction,
                cotangents,
                MULTILINEAR_STEP,
            ),
        )
