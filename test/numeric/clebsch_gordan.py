"""Clebsch-Gordan coefficients of real spherical harmonics, from Racah's closed formula."""

import functools
import math

import numpy as np

LMAX = 2


def complex_coefficient(l1, m1, l2, m2, l3, m3):
    """<l1 m1 l2 m2 | l3 m3>."""
    if m1 + m2 != m3 or not abs(l1 - l2) <= l3 <= l1 + l2:
        return 0.0
    f = math.factorial
    norm = (2 * l3 + 1) * f(l1 + l2 - l3) * f(l1 - l2 + l3) * f(-l1 + l2 + l3) / f(l1 + l2 + l3 + 1)
    norm *= f(l1 + m1) * f(l1 - m1) * f(l2 + m2) * f(l2 - m2) * f(l3 + m3) * f(l3 - m3)
    total = 0.0
    for k in range(l1 + l2 - l3 + 1):
        terms = (k, l1 + l2 - l3 - k, l1 - m1 - k, l2 + m2 - k, l3 - l2 + m1 + k, l3 - l1 - m2 + k)
        if min(terms) >= 0:
            total += (-1) ** k / math.prod(map(f, terms))
    return math.sqrt(norm) * total


def to_real(l):
    """The unitary matrix (real order, complex order) from complex to real spherical harmonics."""
    U = np.zeros((2 * l + 1, 2 * l + 1), complex)
    U[l, l] = 1
    for m in range(1, l + 1):
        U[l + m, l - m], U[l + m, l + m] = np.array([1, (-1) ** m]) / math.sqrt(2)
        U[l - m, l - m], U[l - m, l + m] = np.array([1j, -1j * (-1) ** m]) / math.sqrt(2)
    return U


@functools.cache
def real_coefficients(l1, l2, l3):
    """(2*l1+1, 2*l2+1, 2*l3+1), real: an odd l1 + l2 + l3 leaves an imaginary array, its factor i is dropped."""
    coupling = np.array(
        [
            [
                [complex_coefficient(l1, m1, l2, m2, l3, m3) for m3 in range(-l3, l3 + 1)]
                for m2 in range(-l2, l2 + 1)
            ]
            for m1 in range(-l1, l1 + 1)
        ]
    )
    turned = np.einsum("ia,jb,kc,abc->ijk", to_real(l1), to_real(l2), to_real(l3).conj(), coupling)
    kept, dropped = turned.real, turned.imag
    if (l1 + l2 + l3) % 2:
        kept, dropped = dropped, kept
    if np.abs(dropped).max() > 1e-14:
        raise ValueError(
            f"expected a real or an imaginary coupling of {l1}, {l2}, {l3}, got {turned}"
        )
    return np.where(np.abs(kept) < 1e-14, 0, kept)


def paths():
    """Every (l1, l2, l3) up to LMAX that couples."""
    degrees = range(LMAX + 1)
    return [
        (l1, l2, l3)
        for l1 in degrees
        for l2 in degrees
        for l3 in degrees
        if abs(l1 - l2) <= l3 <= l1 + l2
    ]


def block(l):
    """Where degree l stands among the (LMAX+1)^2 coefficients."""
    return slice(l * l, (l + 1) ** 2)


def dense():
    """All paths in one array (i, j, k, p)."""
    size = (LMAX + 1) ** 2
    table = np.zeros((size, size, size, len(paths())))
    for p, (l1, l2, l3) in enumerate(paths()):
        table[block(l1), block(l2), block(l3), p] = real_coefficients(l1, l2, l3)
    return table


def rotation_matrices(rng):
    """A random rotation on the (LMAX+1)^2 coefficients.

    Degree 1 is the rotation matrix in the order y, z, x; degree 2 follows from 1 x 1 -> 2.
    """
    Q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    Q *= np.sign(np.linalg.det(Q))
    order = [1, 2, 0]
    one = Q[np.ix_(order, order)]
    couple = real_coefficients(1, 1, 2)
    two = np.einsum("ijk,ia,jb,abc->kc", couple, one, one, couple)
    D = np.zeros((9, 9))
    D[0, 0], D[block(1), block(1)], D[block(2), block(2)] = 1, one, two
    return D
