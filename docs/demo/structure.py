"""Atoms in a periodic box, and which of them are near each other."""

import dataclasses
import re
import sys

import numpy as np

# vesin imports PyTorch where there is one, and fails with Debian's, which has no uint64.
sys.modules["torch"] = None
import vesin  # noqa: E402

del sys.modules["torch"]


@dataclasses.dataclass
class Structure:
    species: list
    positions: np.ndarray  # (N, 3), in Å
    box: np.ndarray  # (3, 3), its rows are the lattice vectors

    def rotated(self, rotation):
        return Structure(self.species, self.positions @ rotation.T, self.box @ rotation.T)


@dataclasses.dataclass
class Edges:
    """Directed edges src -> dst; the vector from dst to src is r[src] - r[dst] + shift."""

    src: np.ndarray  # (E,)
    dst: np.ndarray  # (E,)
    shift: np.ndarray  # (E, 3), the lattice vector to the periodic image of src

    def differences(self, values):
        """Those of the atoms' values along each edge."""
        return values[self.src] - values[self.dst]

    def vectors(self, positions):
        return self.differences(positions) + self.shift


def read_xyz(path):
    """An extended XYZ file of one frame with columns species and position."""
    with open(path, encoding="utf-8") as file:
        count, comment = int(file.readline()), file.readline()
        rows = [file.readline().split() for _ in range(count)]
    box = np.array(re.search(r'Lattice="([^"]*)"', comment)[1].split(), float).reshape(3, 3)
    positions = np.array([row[1:4] for row in rows], float)
    return Structure([row[0] for row in rows], positions, box)


def neighbours(structure, cutoff):
    """All pairs closer than the cutoff, in both directions, periodic images included."""
    search = vesin.NeighborList(cutoff=cutoff, full_list=True, sorted=True)
    dst, src, cells = search.compute(
        points=structure.positions, box=structure.box, periodic=True, quantities="ijS"
    )
    return Edges(src.astype(np.int64), dst.astype(np.int64), cells @ structure.box)
