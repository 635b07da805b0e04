"""Cases of halves, for every operator: a pairwise covering array of element types, odd sizes, edges.

Weights and their gradients are of the type of the activations, or of f32 where the spec has a type of
their own.
"""

import dataclasses
import functools

import fused_cases
import kernels
import pairwise

SIZES = {
    "so2_rotate_mix": [{"L": 1, "F": 2, "C": 3, "R": 0}, {"L": 1, "F": 1, "C": 5, "R": 1}],
    "so2_message": [{"L": 1, "F": 1, "C": 3, "R": 1}, {"L": 1, "F": 2, "C": 5, "R": 0}],
    "gated_activation": [{"L": 0, "F": 1, "C": 5}, {"L": 1, "F": 2, "C": 1}],
    "gated_layer": [{"L": 1, "F": 1, "C": 3}, {"L": 1, "F": 2, "C": 1}],
    "segment_sum": [{"A": 1, "B": 1}, {"A": 4, "B": 33}],
    "segment_broadcast": [{"A": 1, "B": 1}, {"A": 5, "B": 33}],
    "radial_head": [{"L": 1, "Cr": 3, "Cw": 1, "R": 0}, {"L": 1, "Cr": 3, "Cw": 5, "R": 1}],
    "focus_competition": [
        {"F": 2, "C": 1, "normalised": 0, "biased": 0},
        {"F": 3, "C": 3, "normalised": 1, "biased": 1},
    ],
    "so2_mixing_stack": [
        {"L": 0, "F": 1, "C": 3, "T": 1, "competing": 1},
        {"L": 1, "F": 1, "C": 1, "T": 1, "competing": 0},
    ],
    "knn_conv": [
        {"Cin": 3, "Cout": 1, "K": 1, "V": 1, "biased": 0},
        {"Cin": 3, "Cout": 5, "K": 3, "V": 3, "biased": 1},
    ],
    "knn_max_pool": [{"K": 1}, {"K": 5}],
    "knn_avg_pool": [{"K": 1}, {"K": 5}],
}
GRAPHS = {"one": ("random", 1, "table"), "some": ("hub", 33, "padded_table")}
FACTORS = {
    "kernel": list(SIZES),
    "act": ["f16", "bf16"],
    "par": ["act", "f32"],
    "size": [0, 1],
    "graph": list(GRAPHS),
}
BY_SPEC = {kernel.spec: kernel for kernel in kernels.ALL}


def has_type(row):
    kernel = BY_SPEC.get(row.get("kernel"))
    return not kernel or bool(kernel.weights) or row.get("par", "act") == "act"


def make(row):
    kernel = BY_SPEC[row["kernel"]]
    sizes = SIZES[row["kernel"]][row["size"]]
    kind, edges, table = GRAPHS[row["graph"]]
    made = {"kernel": row["kernel"], "act": row["act"], **sizes}
    made.update({"graph": table} if "K" in sizes else {"graph": kind, "E": edges})
    case = fused_cases.make(made)
    if not kernel.weights:
        return case
    par = row["act"] if row["par"] == "act" else row["par"]
    return dataclasses.replace(case, parameters=(*case.parameters, ("par", par)))


@functools.cache
def pairwise_cases():
    return [make(row) for row in pairwise.covering(FACTORS, allowed=has_type, seed=2028)]
