"""Array files for tests of gyre-run.

usage: npy.py write DIRECTORY NAME=DTYPE:LITERAL...    as in x=f4:[[1,2],[3,4]]
       npy.py print FILE...
"""

import ast
import pathlib
import sys

import numpy as np


def write(directory, *arrays):
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    for array in arrays:
        name, rest = array.split("=", 1)
        dtype, literal = rest.split(":", 1)
        np.save(directory / f"{name}.npy", np.array(ast.literal_eval(literal), dtype=dtype))


def show(*files):
    for file in files:
        array = np.load(file)
        print(f"{pathlib.Path(file).stem}: {array.dtype.str} {array.shape} {array.tolist()}")


if __name__ == "__main__":
    {"write": write, "print": show}[sys.argv[1]](*sys.argv[2:])
