"""Adds 1 to the first element of an array file."""

import sys

import numpy as np

array = np.load(sys.argv[1])
array.flat[0] += 1
np.save(sys.argv[1], array)
