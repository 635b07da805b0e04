"""Pairwise covering arrays: few cases in which every two values of two factors meet.

A greedy generator in the manner of AETG: each new row starts from a pair that is not covered yet,
gives the remaining factors their values in random order by how many new pairs each value covers,
and the best of a few such candidates is kept. The seed fixes the result.
"""

import itertools
import random


def feasible(partial, factors, allowed):
    """Completes `partial` to a full row that `allowed` accepts; None if there is no such row."""
    if not allowed(partial):
        return None
    missing = [name for name in factors if name not in partial]
    if not missing:
        return dict(partial)
    for value in factors[missing[0]]:
        row = feasible({**partial, missing[0]: value}, factors, allowed)
        if row is not None:
            return row
    return None


def pairs_of(row, names):
    """The pairs that a row covers, each as ((name, value), (name, value)) in factor order."""
    return set(itertools.combinations([(name, row[name]) for name in names if name in row], 2))


def required_pairs(factors, allowed=lambda row: True):
    """Every pair of values that some allowed row contains."""
    wanted = set()
    for a, b in itertools.combinations(factors, 2):
        for va, vb in itertools.product(factors[a], factors[b]):
            if feasible({a: va, b: vb}, factors, allowed) is not None:
                wanted.add(((a, va), (b, vb)))
    return wanted


def _candidate(rng, factors, allowed, uncovered, ordered):
    names = list(factors)
    row = dict(rng.choice(ordered))
    rest = [name for name in names if name not in row]
    rng.shuffle(rest)
    for name in rest:
        values = list(factors[name])
        rng.shuffle(values)
        known = pairs_of(row, names)

        def gain(value):
            return len((pairs_of({**row, name: value}, names) - known) & uncovered)

        for value in sorted(values, key=gain, reverse=True):
            if feasible({**row, name: value}, factors, allowed) is not None:
                row[name] = value
                break
    return row


def covering(factors, allowed=lambda row: True, seed=0, candidates=24):
    """Rows (dicts in factor order) that cover every feasible pair of values.

    factors: name -> list of distinct hashable values, at least two factors.
    allowed: tells whether a row, possibly partial, may be completed; it must accept a partial row
             as long as the names that it looks at are missing.
    """
    if len(factors) < 2:
        raise ValueError(f"expected at least two factors, got {len(factors)}")
    for name, values in factors.items():
        if len(set(values)) != len(values) or not values:
            raise ValueError(f"factor `{name}`: expected distinct values, got {values}")
    rng = random.Random(seed)
    names = list(factors)
    order = {pair: i for i, pair in enumerate(sorted(required_pairs(factors, allowed), key=repr))}
    uncovered = set(order)
    rows = []
    while uncovered:
        ordered = sorted(uncovered, key=order.__getitem__)
        best = max(
            (_candidate(rng, factors, allowed, uncovered, ordered) for _ in range(candidates)),
            key=lambda row: len(pairs_of(row, names) & uncovered),
        )
        row = {name: best[name] for name in names}
        uncovered -= pairs_of(row, names)
        rows.append(row)
    return rows
