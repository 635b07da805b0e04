"""In a folder of bundle.py --modes, results of operands that f16 does not have: overflow.py DIR MODE"""

import argparse
import pathlib
import sys
import tempfile

import numpy as np

folder, mode = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path[:0] = [str(folder), str(folder / "test" / "numeric")]

import calls  # noqa: E402

E, K, N = 70, 65, 71
ROW, LARGE = 3, 1e5
u = np.ones((E, K), np.float32)
u[ROW, 5] = LARGE
(manifest,) = (folder / "kernels").glob(f"product-K{K}-N{N}-precision={mode}/*.json")
options = argparse.Namespace(device=0, timeout=120, sanitize=None)
with tempfile.TemporaryDirectory() as scratch:
    np.save(f"{scratch}/u.npy", u)
    np.save(f"{scratch}/w.npy", np.ones((K, N), np.float32))
    calls.call(options, manifest, "product", "--in", scratch, "--out", scratch)
    y = np.load(f"{scratch}/y.npy")
others = np.delete(y, ROW, axis=0)
print(
    "none finite" if not np.isfinite(y[ROW]).any() else f"finite: {y[ROW][np.isfinite(y[ROW])][0]}"
)
print("others exact" if (others == K).all() else "others differ")
