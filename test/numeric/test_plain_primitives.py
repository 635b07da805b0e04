"""Every primitive, compiled by itself for every element type, against NumPy in fp64.

Inputs are rounded to the element type first. A sum of n products may differ from fp64 by n
roundoffs of the accumulator's type at the sum of magnitudes, and by one of its own type.
"""

import numpy as np
import pytest

import gyre
from fixture_libraries import compiled  # noqa: F401
from halves import ROUNDOFF, SMALLEST, STORAGE, load, store

TYPES = ("f64", "f32", "f16", "bf16")
N, E, K, M = 5, 9, 4, 6


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@pytest.fixture(params=TYPES)
def act(request):
    return request.param


class Kernels:
    """Calls functions of the primitives on fp64 numbers, rounded to an element type."""

    def __init__(self, library, act):
        self.library, self.act = library, act

    def round(self, values):
        return load(store(values, self.act), self.act)

    def __call__(self, name, *arguments):
        stored = [
            store(a, self.act) if getattr(a, "dtype", None) == np.float64 else a for a in arguments
        ]
        results = self.library[name](*stored)
        results = results if isinstance(results, tuple) else (results,)
        loaded = [
            load(r, self.act) if r.dtype == STORAGE[self.act] and r.dtype != np.int32 else r
            for r in results
        ]
        return loaded[0] if len(loaded) == 1 else loaded

    def check(self, got, want, magnitude=None, n=4):
        """|got - want| within n roundoffs of the accumulator at `magnitude`, and one of the result."""
        magnitude = np.abs(want) if magnitude is None else magnitude
        accumulator = ROUNDOFF["f64" if self.act == "f64" else "f32"]
        bound = n * accumulator * magnitude + ROUNDOFF[self.act] * np.abs(want) + SMALLEST[self.act]
        assert got.shape == want.shape
        assert (np.abs(got - want) <= bound).all(), np.abs(got - want).max()


@pytest.fixture
def kernels(compiled, act):
    return Kernels(compiled("primitives", act), act)


@pytest.fixture
def normal(kernels, rng):
    return lambda *shape: kernels.round(rng.standard_normal(shape))


@pytest.fixture
def src(rng):
    return rng.integers(0, N, E)


@pytest.fixture
def knn(rng):
    """References of which some are pads, one node is referred to by nobody, and one by all of a row."""
    index = rng.integers(0, N + 2, (K, M))
    index[index == 3] = N
    index[:, 2] = N
    return index


def padded(x, axis=1):
    """x with zeros for the node that pads refer to."""
    widths = [(0, 0)] * x.ndim
    widths[axis] = (0, 1)
    return np.pad(x, widths)


# Index maps ---------------------------------------------------------------------------------------


def test_gather(kernels, normal, src, knn):
    x, nodes = normal(N, 3), normal(2, N, 3)
    np.testing.assert_array_equal(kernels("gather", x, gyre.Map(src, N)), x[src])
    pads = np.minimum(knn, N)
    got = kernels("gather_padded", nodes, gyre.Map(knn, N, padded=True))
    np.testing.assert_array_equal(got, padded(nodes)[:, pads])
    integers = np.arange(10, 10 + N, dtype=np.int32)
    got = kernels("gather_integers", integers, gyre.Map(knn, N, padded=True))
    np.testing.assert_array_equal(got, np.append(integers, 0)[pads])
    np.testing.assert_array_equal(kernels("valid", gyre.Map(knn, N, padded=True)), knn < N)


def test_segment_sum(kernels, normal, src, knn):
    x, want, magnitude = normal(E, 3), np.zeros((N, 3)), np.zeros((N, 3))
    np.add.at(want, src, x)
    np.add.at(magnitude, src, np.abs(x))
    kernels.check(kernels("segment_sum", x, gyre.Map(src, N)), want, magnitude, n=E)
    x = normal(2, K, M, 3)
    want, magnitude = np.zeros((2, N + 1, 3)), np.zeros((2, N + 1, 3))
    np.add.at(want, (slice(None), np.minimum(knn, N)), x)
    np.add.at(magnitude, (slice(None), np.minimum(knn, N)), np.abs(x))
    got = kernels("segment_sum_padded", x, gyre.Map(knn, N, padded=True))
    kernels.check(got, want[:, :N], magnitude[:, :N], n=K * M)
    assert (got[:, 3] == 0).all()


def test_half_sums_are_taken_in_f32(compiled):
    """2048 + 1 is no f16, so a sum in f16 would stop there; bf16 would stop at 256."""
    for act, count in (("f16", 4096), ("bf16", 1024)):
        kernels = Kernels(compiled("primitives", act), act)
        index = gyre.Map(np.zeros(count, int), 1)
        assert (kernels("segment_sum", np.ones((count, 3)), index) == count).all()
        assert kernels("sum_all", np.ones((count, 3))) == kernels.round(3 * count)
    narrow, wide = compiled("conversions").accumulate(np.ones(4096, np.float16))
    assert narrow == 2048 and wide == 4096


# Contractions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, subscripts, shapes, length",
    [
        ("matmul", "nk,ko->no", [(N, 3), (3, 5)], 3),
        ("outer_sum", "nk,no,n->ok", [(N, 3), (N, 5), (N,)], 2 * N),
        ("sum_all", "nk->", [(N, 3)], 3 * N),
    ],
)
def test_einsums(kernels, normal, name, subscripts, shapes, length):
    operands = [normal(*shape) for shape in shapes]
    want = np.einsum(subscripts, *operands)
    magnitude = np.einsum(subscripts, *map(np.abs, operands))
    kernels.check(kernels(name, *operands), want, magnitude, n=length)


def test_broadcasts_and_groups(kernels, normal):
    x = normal(N)
    np.testing.assert_array_equal(
        kernels("spread", x), np.broadcast_to(x[None, :, None], (4, N, 2))
    )
    x, w = normal(N, 6), normal(2, 3)
    want = np.einsum("nfc,fc->cfn", x.reshape(N, 2, 3), w).reshape(3, 2 * N)
    kernels.check(kernels("groups", x, w), want, n=1)


def test_relations(kernels, normal):
    tuples = [(2 * l, l + 1, j, 1.0) for l in range(3) for j in range(l + 1)]
    tuples += [(0, 0, 3, -2.0), (0, 1, 3, 0.5)]
    w, x = normal(N, 4, 4), normal(N, 4, 3)
    want, magnitude = np.zeros((N, 5, 3)), np.zeros((N, 5, 3))
    unread = np.full((N, 4, 4), np.nan)
    for r, k, d, coefficient in tuples:
        term = coefficient * w[:, k, d, None] * x[:, d]
        want[:, r] += term
        magnitude[:, r] += np.abs(term)
        unread[:, k, d] = w[:, k, d]
    got = kernels("related", unread, x)
    kernels.check(got, want, magnitude, n=8)
    assert (got[:, 1::2] == 0).all() and not np.signbit(got[:, 1::2]).any()
    x = normal(N, 4)
    kernels.check(kernels("related_sum", x), -x[:, 1] - x[:, 3], np.abs(x[:, 1]) + np.abs(x[:, 3]))
    x, want = normal(N, 3), np.zeros((3, N, 3))
    for a in range(3):
        want[a, :, a] = x[:, a]
    np.testing.assert_array_equal(kernels("related_diagonal", x), want)


def test_relations_over_runtime_sizes(kernels, rng):
    """Small integers: exact, and zeros without a sign in the cells that no tuple names."""

    def small(*shape):
        return rng.integers(1, 9, shape).astype(np.float64)

    for nodes in (N, N + 7):
        x, want = small(nodes, 3), np.zeros((nodes, 5))
        want[3, 2], want[2, 4] = 0.5 * x[1, 0] + x[4, 2], -2 * x[0, 1]
        y, z = kernels("related_nodes", x)
        np.testing.assert_array_equal(y, want)
        np.testing.assert_array_equal(z, x[3])
        assert not np.signbit(y[want == 0]).any()
        gy, gz, want = small(nodes, 5), small(3), np.zeros((nodes, 3))
        want[1, 0], want[4, 2], want[0, 1] = 0.5 * gy[3, 2], gy[3, 2], -2 * gy[2, 4]
        want[3] = gz
        gx = kernels("related_nodes_bwd", gy, gz)
        np.testing.assert_array_equal(gx, want)
        assert not np.signbit(gx[want == 0]).any()
    with pytest.raises(gyre.Error, match="-1 for N - 5"):
        kernels("related_nodes", small(N - 1, 3))


# Static axes, slots -------------------------------------------------------------------------------


def test_static_axes(kernels, normal):
    x, z = normal(N, 3), normal(N, 5)
    wide = normal(N, 6, 2)
    np.testing.assert_array_equal(kernels("slice", wide), wide[:, 2:5])
    np.testing.assert_array_equal(kernels("pad", x), np.pad(x, ((0, 0), (1, 2))))
    np.testing.assert_array_equal(kernels("concat", x, z), np.concatenate([x, z, x], 1))
    z = normal(E, 3)
    np.testing.assert_array_equal(kernels("concat_nodes", x, z), np.concatenate([x, z]))


def test_slots(kernels, normal, knn):
    x = np.round(2 * normal(2, K, M, 3))  # many ties
    x[0, 1, 0, 0] = np.nan
    x[0, :, 1, 1] = np.nan
    best, slot = kernels("max_slot", x)
    filled = np.where(np.isnan(x), -np.inf, x)
    np.testing.assert_array_equal(best, filled.max(1))
    np.testing.assert_array_equal(slot, filled.argmax(1))
    filled = np.where((knn < N)[None, :, :, None], filled, -np.inf)
    best, slot = kernels("max_slot_padded", x, gyre.Map(knn, N, padded=True))
    np.testing.assert_array_equal(best, filled.max(1))
    np.testing.assert_array_equal(slot, filled.argmax(1))
    np.testing.assert_array_equal(
        kernels("select_slot", filled, slot), np.take_along_axis(filled, slot[:, None], 1)[:, 0]
    )


def test_gradients_of_slots(kernels, normal, knn):
    """To the winner; to slot 0 where nothing is above -inf; nowhere where that is a pad."""
    x, gy, hx = np.round(2 * normal(2, K, M, 3)), normal(2, M, 3), normal(2, K, M, 3)
    knn[:, 3], knn[:, 4] = 0, [N, 1, 2, 0]
    x[0, :, 3], x[0, :, 4], x[0, 0, 5] = np.nan, -np.inf, np.nan
    gy[:, 2], gy[0, 4] = np.nan, np.nan  # of rows that give no gradient
    real = np.broadcast_to((knn < N)[None, :, :, None], x.shape)
    slot = np.where(real & ~np.isnan(x), x, -np.inf).argmax(1)[:, None]
    won = np.take_along_axis(real, slot, 1)
    assert slot[0, 0, 3, 0] == 0 and won[0, 0, 3, 0] and not won[0, 0, 4, 0]
    want = np.zeros(x.shape)
    np.put_along_axis(want, slot, np.where(won, gy[:, None], 0), 1)
    pads = gyre.Map(knn, N, padded=True)
    np.testing.assert_array_equal(kernels("max_slot_padded_bwd", x, pads, gy), want)
    hx[np.broadcast_to((knn >= N)[None, :, :, None], x.shape)] = np.nan
    want = np.where(won, np.take_along_axis(hx, slot, 1), 0)[:, 0]
    np.testing.assert_array_equal(kernels("max_slot_padded_bwd2", x, pads, hx), want)


def test_more_slots_than_their_type_holds(kernels):
    """An i8 holds 256 of them, whatever the values are."""
    best, slot = kernels("max_slot", np.eye(256)[None, :, 250:, None].repeat(2, 0).repeat(3, 3))
    assert (slot.view(np.uint8) == np.arange(250, 256)[:, None]).all() and (best == 1).all()
    with pytest.raises(gyre.Error, match="max_slot:.*K"):
        kernels("max_slot", np.zeros((2, 257, M, 3)))


def test_slots_are_unsigned(kernels, normal, rng):
    g, slot = normal(2, M, 3), rng.integers(0, 200, (2, M, 3)).astype(np.uint8)
    slot[0, 0, 0], slot[0, 0, 1] = 199, 255  # 255 is no slot of 200
    want = np.zeros((2, 200, M, 3))
    for i in np.ndindex(slot.shape):
        if slot[i] < 200:
            want[i[0], slot[i], i[1], i[2]] = g[i]
    np.testing.assert_array_equal(kernels("spread_slot", g, slot.view(np.int8)), want)
    got = kernels("select_slot", normal(2, K, M, 3), slot.view(np.int8))
    assert (got[slot >= K] == 0).all()


# Elementwise --------------------------------------------------------------------------------------


def test_arithmetic(kernels, normal):
    a, b = normal(100), normal(100)
    a[:3], b[:3] = b[:3], -a[:3]
    add, sub, mul, div, neg, largest, smallest, absolute = kernels("arithmetic", a, b)
    kernels.check(add, a + b, n=1)
    kernels.check(sub, a - b, n=1)
    kernels.check(mul, a * b, n=1)
    kernels.check(div, a / b, n=1)
    np.testing.assert_array_equal(neg, -a)
    np.testing.assert_array_equal(largest, np.maximum(a, b))
    np.testing.assert_array_equal(smallest, np.minimum(a, b))
    np.testing.assert_array_equal(absolute, np.abs(a))


def sigmoid(x):
    t = np.exp(-np.abs(x))
    return np.where(x < 0, t, 1) / (1 + t)


def test_functions(kernels, normal):
    a = 3 * normal(200)
    results = kernels("functions", a)
    a = kernels.round(a)
    wants = (np.exp(a), np.tanh(a), np.sin(a), np.cos(a), sigmoid(a), a * sigmoid(a))
    for got, want in zip(results, wants):
        kernels.check(got, want)
    np.testing.assert_array_equal(results[6], a)


def test_sigmoid_is_finite_and_accurate(kernels):
    largest = {"f64": 1e308, "f32": 3e38, "f16": 65504.0, "bf16": 3e38}[kernels.act]
    x = kernels.round(
        np.array([0.0, -0.0, 1, -1, 17, -17, 80, -80, 95, -95, 700, -700, largest, -largest])
    )
    _, _, _, _, s, y, _ = kernels("functions", x)
    assert np.isfinite(s).all() and np.isfinite(y).all()
    kernels.check(s, sigmoid(x))
    kernels.check(y, x * sigmoid(x), n=64)  # the exponential loses bits below the normal numbers
    assert s[0] == 0.5 and (y[:2] == 0).all()


def test_functions_of_positive_numbers(kernels, normal):
    a, b = kernels.round(np.exp(normal(200))), normal(200)
    log, sqrt, rsqrt, power = kernels("positive", a, b)
    kernels.check(log, np.log(a))
    kernels.check(sqrt, np.sqrt(a), n=1)
    kernels.check(rsqrt, 1 / np.sqrt(a))
    kernels.check(power, a**b)


def test_choice_and_returned_values(kernels, normal):
    a, b = normal(50), normal(50)
    y, less = kernels("choose", a, b)
    np.testing.assert_array_equal(less, a < b)
    np.testing.assert_array_equal(y, np.where(a < b, kernels.round(1 / 3), b))
    for got, want in zip(kernels("returned", a), (a, -a, -a)):
        np.testing.assert_array_equal(got, want)


# Conversions --------------------------------------------------------------------------------------


def halves(act):
    """Every number of the type, NaNs and infinities included, as stored."""
    bits = np.arange(2**16, dtype=np.uint16)
    return bits if act == "bf16" else bits.view(np.float16)


def equal(got, want):
    """Equal numbers, and signs of zeros; NaN where NaN."""
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(np.signbit(got[want == 0]), np.signbit(want[want == 0]))


@pytest.mark.parametrize("act", ["f16", "bf16"])
def test_all_halves_survive_arithmetic(compiled, act):
    x = halves(act)
    results = compiled("primitives", act).arithmetic(x, x)
    equal(load(results.max, act), load(x, act))
    equal(load(results.neg, act), -load(x, act))
    np.testing.assert_array_equal(load(results.abs, act), np.abs(load(x, act)))


@pytest.mark.parametrize("act", ["f16", "bf16"])
def test_halves_are_rounded_once(compiled, rng, act):
    """Sums, exact in fp64, fall on and beside midpoints of neighbours, beyond the largest number and below the smallest."""
    x = rng.permutation(halves(act))
    x = np.concatenate([x, x, x])
    z = np.concatenate([halves(act), np.roll(halves(act), 1), rng.permutation(halves(act))])
    with np.errstate(invalid="ignore"):
        want = load(x, act).astype(np.longdouble) + load(z, act)
        exact = np.isnan(want) | (want.astype(np.float64) == want)
        want = load(store(want.astype(np.float64), act), act)
    got = load(compiled("conversions")[f"add_{act}"](x, z), act)
    equal(got[exact], want[exact])
    assert exact.mean() > 0.5


@pytest.mark.parametrize("act, digits", [("f16", 11), ("bf16", 8)])
def test_wide_accumulators_are_rounded_once(compiled, rng, act, digits):
    """Products that rounding to f32 first would move onto a midpoint of two halves."""
    factors = load(store(rng.uniform(1, 2, (4, 400000)), act), act)
    product = factors.prod(0)
    if act == "bf16":
        assert (product == np.prod(factors.astype(np.longdouble), 0)).all()
    twice = load(store(product.astype(np.float32).astype(np.float64), act), act)
    once = load(store(product, act), act)
    assert (twice != once).any() or act == "bf16"
    got = compiled("conversions")[f"product_{act}"](*(store(f, act) for f in factors))
    equal(load(got, act), once)


def test_precision_fp64(compiled):
    a, b = (
        np.array([2.0**12 + 1, 1.0, 2.0**24], np.float32),
        np.array([2.0**12 + 1, 1.0, -1.0], np.float32),
    )
    single, double = compiled("conversions").product_f32(a, b)
    assert single == 2.0**13 and double == 2.0**13 + 2


@pytest.mark.parametrize("act", ["f16", "bf16"])
def test_conversions_widen_exactly(compiled, act):
    x = halves(act)
    results = compiled("conversions").widen(
        *(x if a == act else x[:1].repeat(len(x)).astype(STORAGE[a]) for a in ("f16", "bf16"))
    )
    with np.errstate(invalid="ignore"):  # signalling NaNs
        got = np.float64(results.y if act == "f16" else results.w)
    equal(got, load(x, act))


def test_conversions_narrow_once(compiled, rng):
    x = np.concatenate([rng.normal(0, 1e3, 1000), rng.normal(0, 1e-6, 1000), [0, 1e30, np.inf]])
    # Beside the midpoint of two halves: rounding to f32 first would move it there.
    x = np.concatenate([x, [1 + 2.0**-11 + 2.0**-40, -1 - 2.0**-11 - 2.0**-40]])
    single = x.astype(np.float32)
    y, w, v, u = compiled("conversions").narrow(single, x)
    equal(load(y, "f16"), load(store(single, "f16"), "f16"))
    equal(load(w, "bf16"), load(store(single, "bf16"), "bf16"))
    np.testing.assert_array_equal(v, single)
    equal(load(u, "f16"), load(store(x, "f16"), "f16"))
    assert (load(u, "f16")[-2:] == [1 + 2.0**-10, -1 - 2.0**-10]).all()
