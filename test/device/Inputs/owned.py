"""owned.py inputs DIR: operands of owned.mlir. owned.py compare DIR DIR: whether its results are the same but for roundings."""

import pathlib
import sys

import numpy as np

EDGES, NODES = 4300, 41  # so many that some groups of workers have one more than others


def write(place):
    rng = np.random.default_rng(5)
    place.mkdir(parents=True)
    index = rng.integers(0, NODES, EDGES)
    index[index == 7] = 8  # a node without edges
    np.save(place / "x.npy", rng.standard_normal((NODES, 160, 32)).astype(np.float32))
    np.save(place / "w.npy", rng.standard_normal((EDGES, 160)).astype(np.float32))
    np.save(place / "m.npy", index)


def main():
    first, *others = map(pathlib.Path, sys.argv[2:])
    if sys.argv[1] == "inputs":
        write(first)
        return
    results = [np.load(place / "z.npy") for place in (first, *others)]
    np.testing.assert_allclose(*results, rtol=0, atol=1e-4)
    print(f"{results[0].shape} equal")


if __name__ == "__main__":
    main()
