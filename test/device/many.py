"""Calls with more edges than an oracle takes: one graph many times over, by gyre-call.

The edges of a small case are repeated, with integers as inputs. What belongs to an edge has to be the
small case's, bit for bit, and a sum into a node that many times the small one's, which is exact, too.
Offsets pass 2^31 elements: an index of 32 bits anywhere in a kernel would read or write elsewhere.
"""

import pathlib
import tempfile

import numpy as np
from numpy.lib.format import open_memmap

import calls
import fused_cases
import kernels
import measure
import spec_reference
import tools

EXACT = 2**24  # integers of f32 up to here


def axis_of(array, edges):
    """The axis of edges; None if there is none."""
    return array.shape.index(edges) if edges in array.shape else None


def copies(array, shape, axis, times):
    """The `times` parts of an array, each of a shape, that lie one after another along an axis."""
    return np.moveaxis(array.reshape(*shape[:axis], times, *shape[axis:]), axis, 0)


def repeat(path, array, axis, times):
    shape = list(array.shape)
    shape[axis] *= times
    out = open_memmap(path, "w+", array.dtype, tuple(shape))
    for block in copies(out, array.shape, axis, times):
        block[...] = array


def compare(name, path, reference, axis, times):
    actual = np.load(path, mmap_mode="r")
    if axis is None:
        measure.exact(name, np.asarray(actual), times * reference)
        return
    shape = list(reference.shape)
    shape[axis] *= times
    if list(actual.shape) != shape:
        raise measure.Mismatch(f"{name}: expected the shape {shape}, got {list(actual.shape)}")
    for number, block in enumerate(copies(actual, reference.shape, axis, times)):
        if not np.array_equal(block, reference):  # takes a tenth of the time of what says where
            measure.exact(f"{name}, copy {number} of the edges", np.asarray(block), reference)


def check(options, entry):
    """(0, text of the failure or None): there is no bound, results are exact."""
    case, times = fused_cases.make(entry["row"]), entry["times"]
    function = case.kernel.function(case.p, entry["function"])
    page = spec_reference.load()
    v = case.integers(2)
    edges = len(v["src"].array)
    reference = kernels.evaluate(page, case.p, function, v)
    scale = kernels.magnitude(page, case.kernel, case.p, function, v)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            given, out = pathlib.Path(scratch, "in"), pathlib.Path(scratch, "out")
            given.mkdir()
            for name in function.arguments:
                array = tools.input_array(v[name])
                axis = axis_of(array, edges)
                repeat(given / f"{name}.npy", array, axis or 0, 1 if axis is None else times)
            files = (*tools.size_options(function, v), "--in", given, "--out", out)
            calls.call(options, entry["manifest"], function.name, *files)
            for name in function.results:
                axis = axis_of(reference[name], edges)
                if axis is None and times * np.max(scale[name], initial=0) >= EXACT:
                    raise ValueError(f"{name}: expected sums below 2^24, for which f32 is exact")
                compare(name, out / f"{name}.npy", reference[name], axis, times)
    except (measure.Mismatch, OSError) as error:
        return 0.0, str(error)
    return 0.0, None


def run(options, entries):
    """One at a time: they take the memory of the device."""
    for entry in entries:
        yield check(options, entry)
