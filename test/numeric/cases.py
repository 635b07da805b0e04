"""The cases: parameters of a kernel, a graph, and the inputs that follow from them."""

import dataclasses
import functools
import itertools
import zlib

import numpy as np

import graphs
import halves
import kernels
import knn
import pairwise

DTYPES = {"f32": np.float32, "f64": np.float64}
EXACT_LIMIT = {"f32": 2**24, "f64": 2**53}


@dataclasses.dataclass(frozen=True)
class Case:
    kernel: kernels.Kernel
    parameters: tuple  # ((name, value), ...): hashable
    graph: str

    @classmethod
    def make(cls, kernel, row):
        given = [name for name in kernel.parameters if name in row or name not in kernel.optional]
        return cls(kernel, tuple((name, row[name]) for name in given), row["graph"])

    @property
    def p(self):
        return dict(self.parameters)

    @property
    def name(self):
        return (
            f"{self.kernel.spec}-"
            + "-".join(
                f"{name}{value}" if name != "act" else value for name, value in self.parameters
            )
            + "-"
            + self.graph
        )

    def rng(self, purpose):
        return np.random.default_rng(zlib.crc32(f"{self.name} {purpose}".encode()))

    def build_graph(self):
        rng = self.rng("graph")
        if self.graph in knn.TABLES:
            return knn.make_table(self.graph, rng, self.p["K"])
        return (
            graphs.LARGE[self.graph](rng)
            if self.graph in graphs.LARGE
            else graphs.make(self.graph, rng)
        )

    def random_inputs(self):
        """Normal values, rounded to the operands' types: a reference starts from the rounded ones."""
        rng, dtype = self.rng("random"), DTYPES.get(self.p["act"], np.float64)
        v = self.kernel.inputs(
            self.p, self.build_graph(), lambda shape: rng.standard_normal(shape).astype(dtype)
        )
        return kernels.map_named_floats(v, self.rounded) if self.is_half else v

    @property
    def is_half(self):
        """Then the inputs are fp64 numbers that the operands' types have."""
        return self.p["act"] not in DTYPES

    def rounded(self, name, array):
        return halves.rounded(array, self.kernel.dtype_of(self.p, name))

    def integer_inputs(self, page):
        """Integers so small that every sum is exact in the case's dtype, whatever its order."""
        for limit in (3, 2, 1):
            v = self.integers(limit)
            largest = max(
                (
                    array.max(initial=0)
                    for function in self.kernel.functions(self.p)
                    for array in kernels.magnitude(page, self.kernel, self.p, function, v).values()
                ),
                default=0,
            )
            if largest < EXACT_LIMIT[self.p["act"]]:
                return v
        raise ValueError(f"{self.name}: no integers are small enough for exact sums")

    def integers(self, limit):
        rng, dtype = self.rng("integers"), DTYPES[self.p["act"]]
        v = self.kernel.inputs(
            self.p,
            self.build_graph(),
            lambda shape: rng.integers(-limit, limit, shape, endpoint=True).astype(dtype),
        )
        return self.kernel.exact_inputs(self.p, v)

    def inputs(self, page, kind):
        return self.random_inputs() if kind == "random" else self.integer_inputs(page)


SMALL_GRAPHS = list(graphs.KINDS)
EDGE_GRAPHS = ["random", "no_edges", "power_law", "one_edge"]  # for kernels that know no nodes

TABLES = list(knn.TABLES)

FACTORS = {
    "so2_rotate_mix": {
        "L": list(range(7)),
        "F": [1, 2, 3],
        "C": [1, 2, 3, 4, 5, 7, 8, 11, 16],
        "R": list(range(9)),
        "packed": [0, 1],
        "act": ["f32", "f64"],
        "graph": SMALL_GRAPHS,
    },
    "so2_message": {
        "L": [0, 1, 2, 3, 6],
        "F": [1, 2],
        "C": [1, 3, 8],
        "R": [0, 1, 2, 5],
        "act": ["f32", "f64"],
        "graph": SMALL_GRAPHS,
    },
    "gated_activation": {
        "L": list(range(7)),
        "F": [1, 2, 3],
        "C": [1, 3, 5, 16],
        "act": ["f32", "f64"],
        "graph": EDGE_GRAPHS,
    },
    "gated_layer": {
        "L": [1, 2, 4],
        "F": [1, 2],
        "C": [1, 3, 5],
        "act": ["f32", "f64"],
        "graph": EDGE_GRAPHS,
    },
    "segment_sum": {
        "A": [1, 4, 7],
        "B": [1, 3, 16],
        "act": ["f32", "f64"],
        "graph": SMALL_GRAPHS + ["big_hub"],
    },
    "segment_broadcast": {
        "A": [1, 5],
        "B": [1, 6],
        "act": ["f32", "f64"],
        "graph": ["random", "no_edges", "no_nodes", "power_law"],
    },
    "radial_head": {
        "L": [0, 1, 2, 4],
        "Cr": [0, 1, 3],
        "Cw": [1, 5],
        "R": [0, 1, 3],
        "act": ["f32", "f64"],
        "graph": ["random", "no_edges", "one_edge"],
    },
    "focus_competition": {
        "F": [1, 2, 3],
        "C": [1, 5],
        "normalised": [0, 1],
        "biased": [0, 1],
        "act": ["f32", "f64"],
        "graph": ["random", "no_edges"],
    },
    "so2_mixing_stack": {
        "L": [0, 1, 2],
        "F": [1, 2],
        "C": [1, 3],
        "T": [0, 1],
        "competing": [0, 1],
        "act": ["f32", "f64"],
        "graph": ["random", "no_edges"],
    },
    "knn_conv": {
        "Cin": [1, 3],
        "Cout": [1, 4],
        "K": [1, 2, 5],
        "V": [1, 3],
        "biased": [0, 1],
        "act": ["f32", "f64"],
        "graph": TABLES,
    },
    "knn_max_pool": {"K": [1, 5], "act": ["f32", "f64"], "graph": TABLES},
    "knn_avg_pool": {"K": [1, 5], "act": ["f32", "f64"], "graph": TABLES},
}

# Rows that no spec has.
ALLOWED = {
    # Without weights there is nothing to do.
    "radial_head": lambda row: not (row.get("Cr", 1) == 0 and row.get("R", 1) == 0),
}


def allowed(kernel):
    return ALLOWED.get(kernel.spec, lambda row: True)


def rows_of(kernel):
    return pairwise.covering(FACTORS[kernel.spec], allowed(kernel), seed=2024)


@functools.cache
def pairwise_cases(kernel):
    """The cases of the default run."""
    return [Case.make(kernel, row) for row in rows_of(kernel)]


# The grid of the nightly run has all values above, except that few channel counts are enough there,
# and one layout.
GRID_CHANNELS = {"C": [1, 5, 32], "packed": [0]}


def grid(kernel):
    """Every set of compile-time parameters of the nightly run."""
    factors = {
        name: GRID_CHANNELS.get(name, FACTORS[kernel.spec][name])
        if kernel in (kernels.SO2_ROTATE_MIX, kernels.SO2_MESSAGE, kernels.GATED_ACTIVATION)
        else FACTORS[kernel.spec][name]
        for name in kernel.parameters
    }
    rows = (dict(zip(factors, values)) for values in itertools.product(*factors.values()))
    return [row for row in rows if allowed(kernel)(row)]


def single(kernel, graph="random", **parameters):
    return Case.make(kernel, {**parameters, "act": "f64", "graph": graph})


def in_f32(case):
    """The case with another activation type."""
    return dataclasses.replace(
        case, parameters=tuple((n, "f32" if n == "act" else v) for n, v in case.parameters)
    )


# For checks that run a tool many times.
ROTATE_MIX_SMALL = single(kernels.SO2_ROTATE_MIX, L=2, F=2, C=3, R=2)
ROTATE_MIX_DIAGONAL = single(kernels.SO2_ROTATE_MIX, "isolated", L=1, F=1, C=2, R=0)
MESSAGE_SMALL = single(kernels.SO2_MESSAGE, "power_law", L=2, F=2, C=3, R=2)
GATED_SMALL = single(kernels.GATED_ACTIVATION, L=2, F=2, C=3)
GATED_SCALAR = single(kernels.GATED_ACTIVATION, L=0, F=1, C=2)
