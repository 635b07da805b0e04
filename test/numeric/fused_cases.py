"""Cases for fused kernels: what walks a graph, by edges, by the nodes of one map, by those of another;
and what multiplies rows by weights, or has maps of several axes, slots and pads.

A graph is a kind and a number of edges, `hub:2999`. What such kernels may get wrong depends on both:
where blocks of edges end, which nodes have none, how the edges of one node are cut into chunks.
"""

import dataclasses
import functools
import pathlib

import numpy as np

import cases
import graphs
import pairwise
from kernel import Function, Kernel
import kernels
from kernels import SO2_MESSAGE, SO2_ROTATE_MIX

SPECS = pathlib.Path(__file__).resolve().parent / "specs"


# One map for both -----------------------------------------------------------------------------------


def _with_one_map(of):
    """A function of so2_message whose edges end where they start."""

    def both(v):
        return {**v, "dst": v["src"]}

    return Function(
        of.name,
        tuple(name for name in of.arguments if name != "dst"),
        of.results,
        lambda page, p, v: of.reference(page, p, both(v)),
        lambda p, v: of.lengths(p, both(v)),
    )


OWN_MESSAGE = Kernel(
    spec="own_message",
    parameters=SO2_MESSAGE.parameters,
    multilinear=True,
    functions=lambda p: [_with_one_map(function) for function in SO2_MESSAGE.functions(p)],
    derivatives=SO2_MESSAGE.derivatives,
    inputs=SO2_MESSAGE.inputs,
    alternative=SO2_MESSAGE.alternative,
    directory=SPECS,
)

KERNELS = {kernel.spec: kernel for kernel in (SO2_ROTATE_MIX, SO2_MESSAGE, OWN_MESSAGE)}


# Graphs ---------------------------------------------------------------------------------------------


def _hub(rng, edges):
    return np.where(rng.random(edges) < 0.9, 3, rng.integers(0, 11, edges)), 11


def _power_law(rng, edges):
    weights = 1.0 / np.arange(1, 38) ** 2
    return rng.choice(37, size=edges, p=weights / weights.sum()), 37


GRAPHS = {
    "random": lambda rng, edges: (rng.integers(0, 97, edges), 97),
    "hub": _hub,
    "power_law": _power_law,
    "isolated": lambda rng, edges: (rng.choice([1, 4, 5], size=edges), 9),
    "more_nodes": lambda rng, edges: (rng.integers(0, 5, edges), 70),
    "one_node": lambda rng, edges: (np.zeros(edges, int), 1),
    "hubs": graphs.two_hubs,
}


@dataclasses.dataclass(frozen=True)
class FusedCase(cases.Case):
    @classmethod
    def make(cls, kernel, row):
        return super().make(kernel, {**row, "graph": f"{row['graph']}:{row['E']}"})

    def build_graph(self):
        kind, edges = self.graph.split(":")
        src, nodes = GRAPHS[kind](self.rng("graph"), int(edges))
        return src.astype(np.int64), nodes


# Cases ----------------------------------------------------------------------------------------------

FACTORS = {
    "kernel": list(KERNELS),
    "L": list(range(7)),
    "F": [1, 2, 3],
    "C": [1, 3, 4, 7, 16, 31, 32, 33, 64],
    "R": [0, 1, 2],
    "act": ["f32", "f64"],
    "graph": ["random", "hub", "power_law", "isolated", "more_nodes", "one_node"],
    "E": [0, 1, 31, 32, 33, 2999],
}

# Many edges come with few cells an edge: one oracle interprets, the other is NumPy.
MANY_EDGES, FEW_CELLS = 1000, 64


def is_affordable(row):
    channels = row.get("F", 1) * row.get("C", 1) * (row.get("R", 0) + 1)
    cells = (row.get("L", 0) + 1) ** 2 * channels
    return row.get("E", 0) < MANY_EDGES or cells <= FEW_CELLS


OPERATORS = {kernel.spec: kernel for kernel in kernels.ALL if kernel.spec not in KERNELS}

# Of weights there are some that fit a body and some that do not; sums over edges of several ranges.
OPERATOR_FACTORS = {
    "gated_activation": {"L": [0, 1, 3], "F": [1, 2], "C": [1, 5, 16, 33], "E": [0, 1, 33, 300]},
    "gated_layer": {"L": [1, 3], "F": [1, 2], "C": [1, 5, 16], "E": [0, 1, 33, 300]},
    "segment_sum": {"A": [1, 4], "B": [1, 3, 33, 64], "E": [0, 33, 2999]},
    "segment_broadcast": {"A": [1, 5], "B": [1, 33, 64], "E": [0, 33, 2999]},
    "radial_head": {
        "L": [0, 1, 3],
        "Cr": [0, 1, 12],
        "Cw": [1, 16],
        "R": [0, 1, 3],
        "E": [0, 1, 300],
    },
    "focus_competition": {
        "F": [1, 2, 11],
        "C": [1, 33],
        "normalised": [0, 1],
        "biased": [0, 1],
        "E": [0, 1, 300],
    },
    "so2_mixing_stack": {
        "L": [0, 1, 2],
        "F": [1, 2],
        "C": [1, 3, 16],
        "T": [0, 1, 2],
        "competing": [0, 1],
        "E": [0, 1, 40],
    },
    "knn_conv": {
        "Cin": [1, 3, 16],
        "Cout": [1, 4, 33],
        "K": [1, 2, 5],
        "V": [1, 3],
        "biased": [0, 1],
        "graph": cases.TABLES,
    },
    "knn_max_pool": {"K": [1, 5, 9], "graph": cases.TABLES},
    "knn_avg_pool": {"K": [1, 5, 9], "graph": cases.TABLES},
}


def make(row):
    """A row has a number of edges, or else a graph of cases.py."""
    kernel = KERNELS.get(row["kernel"]) or OPERATORS[row["kernel"]]
    return (FusedCase if "E" in row else cases.Case).make(kernel, row)


def row_of(case):
    """What `make` makes the case of."""
    kind, _, edges = case.graph.partition(":")
    row = {"kernel": case.kernel.spec, **case.p, "graph": kind}
    return {**row, "E": int(edges)} if edges else row


def packed_cases():
    """Matrices of which only the entries that the relation reads are stored."""
    shapes = [
        {"L": 0, "F": 1, "C": 3, "R": 0, "act": "f64", "graph": "hub", "E": 33},
        {"L": 2, "F": 2, "C": 16, "R": 1, "act": "f32", "graph": "isolated", "E": 31},
        {"L": 3, "F": 1, "C": 64, "R": 1, "act": "f32", "graph": "power_law", "E": 33},
        {"L": 6, "F": 1, "C": 7, "R": 0, "act": "f32", "graph": "random", "E": 32},
    ]
    return [make({"kernel": "so2_rotate_mix", "packed": 1, **shape}) for shape in shapes]


@functools.cache
def pairwise_cases():
    rows = pairwise.covering(FACTORS, allowed=is_affordable, seed=2025)
    return [make(row) for row in rows] + packed_cases()


@functools.cache
def operator_cases():
    found = []
    for spec, factors in OPERATOR_FACTORS.items():
        graph = {} if "graph" in factors else {"graph": ["random", "hub", "isolated"]}
        rows = pairwise.covering(
            {**factors, **graph, "act": ["f32", "f64"]},
            allowed=cases.allowed(OPERATORS[spec]),
            seed=2027,
        )
        found += [make({"kernel": spec, **row}) for row in rows]
    return found


@functools.cache
def nightly_cases():
    """More edges than 16 bits count."""
    factors = {**FACTORS, "L": [0, 1, 2, 3], "C": [1, 3, 4], "F": [1, 2], "E": [65537]}
    return [make(row) for row in pairwise.covering(factors, allowed=is_affordable, seed=2026)]


WIDE_FACTORS = {
    "kernel": list(KERNELS),
    "L": list(range(7)),
    "F": [1, 2, 3],
    "C": [1, 7, 16, 31, 32, 33, 64, 96, 100, 128, 129, 256],
    "R": [0, 1, 2, 3, 4],
    "act": ["f32", "bf16", "f16"],
    "graph": list(GRAPHS),
    "E": [0, 1, 33, 300],
}
MOST_VALUES = 1 << 21  # of a case: edges, rows, channels, ranks


def is_compiled_in_seconds(row):
    """A body of degree 5 and more has so many products a rank that it is cut into dozens of kernels."""
    return row.get("L", 0) < 5 or row.get("R", 0) < 2


def is_computed_in_seconds(row):
    rows = row.get("E", 0) * (row.get("L", 0) + 1) ** 2
    return rows * row.get("F", 1) * row.get("C", 1) * max(row.get("R", 1), 1) <= MOST_VALUES


@functools.cache
def wide_cases():
    """Rows that take several warps, high ranks, and halves."""

    def is_affordable_here(row):
        return is_compiled_in_seconds(row) and is_computed_in_seconds(row)

    rows = pairwise.covering(WIDE_FACTORS, allowed=is_affordable_here, seed=2029)
    return [make(row) for row in rows]


def repeated_cases():
    """For checks that call a kernel many times: many chunks, and tails."""
    shapes = [
        {"L": 1, "F": 1, "C": 7, "R": 1, "act": "f32", "graph": "hub", "E": 2999},
        {"L": 3, "F": 2, "C": 33, "R": 2, "act": "f32", "graph": "random", "E": 33},
    ]
    return [make({"kernel": name, **shape}) for name in KERNELS for shape in shapes]
