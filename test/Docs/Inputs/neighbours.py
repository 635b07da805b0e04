"""Compares the demo's neighbour search with a search among all images: neighbours.py FOLDER_OF_THE_DEMO"""

import itertools
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
from structure import neighbours, read_xyz  # noqa: E402

structure = read_xyz(f"{sys.argv[1]}/water192.xyz")
turn = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))[0]
for atoms in (structure, structure.rotated(turn)):
    edges = neighbours(atoms, 6)
    found = {
        (dst, src, *np.round(vector, 6))
        for dst, src, vector in zip(edges.dst, edges.src, edges.vectors(atoms.positions))
    }
    between = atoms.positions[None] - atoms.positions[:, None]
    expected = set()
    for cell in itertools.product((-1, 0, 1), repeat=3):
        vectors = between + np.array(cell) @ atoms.box
        length = np.linalg.norm(vectors, axis=2)
        for dst, src in np.argwhere((length < 6) & (length > 0)):
            expected.add((dst, src, *np.round(vectors[dst, src], 6)))
    print(len(edges.src), len(found), len(found ^ expected))
