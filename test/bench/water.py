"""The edges of water: pairs of atoms of docs/demo's box within a cutoff, ordered by their centres."""

import pathlib
import re

import numpy as np

BOX = pathlib.Path(__file__).resolve().parents[2] / "docs" / "demo" / "water192.xyz"
CUTOFF = 6.0  # Å


def edges(copies=1, cutoff=CUTOFF, path=BOX):
    """(neighbours, centres, atoms) of some boxes that have nothing to do with each other."""
    count, comment, *rows = path.read_text(encoding="utf-8").splitlines()
    box = np.array(re.search(r'Lattice="([^"]*)"', comment)[1].split(), float).reshape(3, 3)
    atoms = int(count)
    positions = np.array([row.split()[1:4] for row in rows[:atoms]], float)
    near = []
    images = np.stack(np.meshgrid(*3 * [[-1, 0, 1]], indexing="ij"), -1).reshape(-1, 3)
    for image in images:
        between = positions[None] + image @ box - positions[:, None]
        is_near = np.linalg.norm(between, axis=-1) < cutoff
        if not image.any():
            np.fill_diagonal(is_near, False)
        near.append(np.argwhere(is_near))
    pairs = np.concatenate(near)
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    shift = atoms * np.arange(copies)[:, None]
    centres, neighbours = ((pairs[:, i] + shift).reshape(-1) for i in (0, 1))
    return neighbours, centres, atoms * copies
