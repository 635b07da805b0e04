"""Every primitive for every layout of its operands: none at all, strided, broadcast, refused."""

import numpy as np
import pytest

import gyre
from fixture_libraries import compiled  # noqa: F401
from halves import STORAGE, store

SIZES = {"N": 8, "E": 9, "K": 4, "M": 6}
EMPTY = dict.fromkeys(SIZES, 0)
INTEGERS = {"i1": np.bool_, "i8": np.int8, "i32": np.int32}


@pytest.fixture(scope="module", params=["f32", "bf16"])
def library(request, compiled):  # noqa: F811
    return compiled("primitives", request.param)


def shape_of(operand, sizes):
    return tuple(size(sizes) for size in operand.shape)


def make(operand, sizes, rng):
    shape = shape_of(operand, sizes)
    if operand.kind == "map":
        target = operand.target(sizes)
        return gyre.Map(rng.integers(0, target + operand.padded, shape), target, operand.padded)
    if operand.dtype in INTEGERS:
        return rng.integers(0, 2, shape).astype(INTEGERS[operand.dtype])
    return store(rng.uniform(0.5, 2, shape), operand.dtype)


def scatter(array):
    """The same array with its axes in another order in memory, and gaps between the elements."""
    if not array.ndim:
        return array
    wide = np.zeros(tuple(2 * size + 1 for size in array.shape[::-1]), array.dtype)
    view = wide[tuple(slice(1, None, 2) for _ in wide.shape)].T
    view[...] = array
    return view


def call(function, arguments, out=None):
    results = function(*arguments, **({"out": out} if out else {}))
    return results if isinstance(results, tuple) else (results,)


def test_strides_do_not_matter(library):
    rng = np.random.default_rng(1)
    for function in library:
        arguments = [make(a, SIZES, rng) for a in function.arguments]
        expected = call(function, arguments)
        strided = [a if isinstance(a, gyre.Map) else scatter(a) for a in arguments]
        out = [scatter(np.zeros_like(result)) for result in expected]
        for got, want, place in zip(call(function, strided, out), expected, out):
            assert got is place and got.tobytes() == want.tobytes(), function.name


def test_broadcast_arguments(library):
    rng = np.random.default_rng(2)
    for function in library:
        arguments = [make(a, SIZES, rng) for a in function.arguments]
        first = [
            a if isinstance(a, gyre.Map) or not a.ndim else np.broadcast_to(a[:1], a.shape)
            for a in arguments
        ]
        copies = [a if isinstance(a, gyre.Map) else a.copy() for a in first]
        for got, want in zip(call(function, first), call(function, copies)):
            assert got.tobytes() == want.tobytes(), function.name


def test_nothing_to_do(library):
    """No nodes, no edges, no neighbours: empty results, and sums that are zero."""
    rng = np.random.default_rng(3)
    for function in library:
        if function.name in ("slice_nodes", "related_nodes", "related_nodes_bwd"):
            continue  # they need 8 and 5 nodes
        arguments = [make(a, EMPTY, rng) for a in function.arguments]
        for got, described in zip(call(function, arguments), function.results):
            assert got.shape == shape_of(described, EMPTY) and not got.any(), function.name


def test_nodes_without_edges(library):
    sizes = {**SIZES, "E": 0, "K": 0}
    sums = library.segment_sum(
        np.zeros((0, 3), STORAGE[library.params["act"]]), gyre.Map(np.zeros(0, int), 8)
    )
    assert sums.shape == (8, 3) and not sums.any()
    rng = np.random.default_rng(4)
    best = call(library.max_slot, [make(a, sizes, rng) for a in library.max_slot.arguments])
    assert (best[0] == store(np.float64(-np.inf), library.params["act"])).all()
    assert not best[1].any()


def test_slices_of_too_few_nodes_are_refused(library):
    act = library.params["act"]
    ones = store(np.ones(8), act)
    assert library.slice_nodes(ones).tobytes() == ones[:3].tobytes()
    with pytest.raises(gyre.Error, match="slice_nodes: expected .* at least 0 .*got -1 for N - 8"):
        library.slice_nodes(ones[:7])


def test_sizes_of_workspaces(library):
    """Bytes are counted in 64 bits, and refused where they do not fit or make no sense."""
    function = library.choose  # one buffer of N elements
    element = np.dtype(STORAGE[library.params["act"]]).itemsize
    assert function.workspace_bytes({"N": 0}) == 0
    assert function.workspace_bytes({"N": 1}) == 64
    assert function.workspace_bytes({"N": 2**40}) == element * 2**40
    with pytest.raises(gyre.Error, match="size `N`: expected at least 0, got -1"):
        function.workspace_bytes({"N": -1})
    with pytest.raises(gyre.Error, match="expected a workspace of at most 64-bit size"):
        function.workspace_bytes({"N": 2**62})
    assert library.returned.workspace_bytes({"N": 2**62}) == 0
