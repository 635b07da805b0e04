"""Says of what kind the echoed random inputs are."""

import pathlib
import sys

import numpy as np

f, h, i, n = (np.load(pathlib.Path(sys.argv[1]) / f"{name}.npy") for name in "fhin")
for name, array in (("f", f), ("h", h)):
    print(
        f"{name}:",
        array.dtype,
        bool(array.min() < -0.95 and array.max() > 0.95),
        bool(np.all(np.abs(array) <= 1)),
    )
print("i:", i.dtype, i.min(), i.max())
print("nodes:", float(np.all(n > 900)), float(n.sum()), bool(n.max() < 1100))
