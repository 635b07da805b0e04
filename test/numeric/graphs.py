"""Small graphs with the shapes that break kernels: where edges start, and how many nodes there are."""

import numpy as np


def _isolated(rng):
    return rng.choice([1, 4, 5], size=7), 9


def _power_law(rng):
    weights = 1.0 / np.arange(1, 9) ** 2
    return rng.choice(8, size=23, p=weights / weights.sum()), 8


BUILDERS = {
    "random": lambda rng: (rng.integers(0, 5, size=9), 5),
    "no_edges": lambda rng: (np.zeros(0, int), 4),
    "no_nodes": lambda rng: (np.zeros(0, int), 0),
    "isolated": _isolated,
    "hub": lambda rng: (np.full(17, 2), 4),
    "power_law": _power_law,
    "one_edge": lambda rng: (np.array([1]), 3),
}
KINDS = tuple(BUILDERS)


def make(kind, rng):
    """(src, nodes): the source node of each edge as int64, and the number of nodes."""
    src, nodes = BUILDERS[kind](rng)
    return src.astype(np.int64), nodes


def two_hubs(rng, edges=460):
    """Two nodes have nearly all edges, those between them none: a range of rows has the end of one and the beginning
    of the other."""
    return rng.choice([0, 2, 40, 41], size=edges, p=[0.02, 0.48, 0.48, 0.02]).astype(np.int64), 43


def big_hub(rng, edges=1537):
    """One node owns nearly all edges: more than any fixed partition of a segment takes in one piece."""
    src = np.where(rng.random(edges) < 0.95, 3, rng.integers(0, 7, size=edges))
    return src.astype(np.int64), 7


LARGE = {"big_hub": big_hub, "two_hubs": two_hubs}
