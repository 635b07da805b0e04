"""same.py A B: whether the arrays of two folders are the same but for roundings of f32."""

import pathlib
import sys

import numpy as np

ours, theirs = map(pathlib.Path, sys.argv[1:])
names = sorted(path.name for path in theirs.glob("*.npy"))
for name in names:
    a, b = np.load(ours / name), np.load(theirs / name)
    assert a.shape == b.shape, name
    assert np.isfinite(a).all() and np.abs(a - b).max() <= 1e-5 * np.abs(b).max(), name
print(f"{len(names)} arrays are the same")
