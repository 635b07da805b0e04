"""Says to which nodes a map refers, by the values x of the nodes and y of what it gathers."""

import pathlib
import sys

import numpy as np

x, y = (np.load(pathlib.Path(sys.argv[1]) / f"{name}.npy") for name in "xy")
order = np.argsort(x)
nodes = order[np.searchsorted(x[order], y)]
shares = np.bincount(nodes, minlength=len(x)) / len(y)
print(
    *(f"{share:.2f}" for share in shares[:3]),
    f"of {len(x)} nodes" + ", ascending" * bool(np.all(np.diff(nodes) >= 0)),
)
