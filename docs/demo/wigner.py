"""Wigner matrices in the basis of real spherical harmonics.

A feature of degree l has 2l+1 components, one for each order m = -l..l, which turn like the real
spherical harmonics Y(l, m) of the polar axis z; degree 1 is (y, z, x). Degrees 0..L are packed,
(l, m) at l*l + l + m. The Wigner matrix D(R) of a rotation R is the block diagonal matrix with

    Y(R r) = D(R) Y(r),    D(R S) = D(R) D(S),    D(R)^T D(R) = 1.

It is built from its generators X_a = d/dt D(rotation by t about the axis a) at t = 0, which are
textbook angular momentum matrices (D. A. Varshalovich, A. N. Moskalev, V. K. Khersonskii, Quantum
Theory of Angular Momentum, 1988, section 2.2 for the matrices, 4.1 for D from Euler angles):

    D(Rz(a) Ry(b) Rz(c)) = exp(a X_z) exp(b X_y) exp(c X_z).
"""

import functools

import numpy as np


def complex_to_real(l):
    """The unitary matrix from Y_lm (Condon-Shortley phase) to real spherical harmonics."""
    matrix = np.zeros((2 * l + 1, 2 * l + 1), complex)
    matrix[l, l] = 1
    for m in range(1, l + 1):
        sign = (-1) ** m
        matrix[l + m, [l + m, l - m]] = np.array([sign, 1]) / np.sqrt(2)
        matrix[l - m, [l + m, l - m]] = np.array([sign, -1]) / (1j * np.sqrt(2))
    return matrix


@functools.cache
def generators(L):
    """X_x, X_y, X_z for degrees 0..L: an array (3, D, D) of antisymmetric matrices, D = (L+1)^2."""
    result = np.zeros((3, (L + 1) ** 2, (L + 1) ** 2))
    for l in range(L + 1):
        m = np.arange(-l, l)
        raising = np.diag(np.sqrt(l * (l + 1) - m * (m + 1)), -1)  # L+ Y_m = sqrt(..) Y_(m+1)
        lowering = raising.T
        momentum = (
            (raising + lowering) / 2,
            (raising - lowering) / 2j,
            np.diag(np.arange(-l, l + 1)),
        )
        to_real, block = complex_to_real(l), slice(l * l, (l + 1) ** 2)
        # A rotation by t about a changes Y_m at the rate i L_a Y_m = i sum_k (L_a)_km Y_k.
        for axis, matrix in enumerate(momentum):
            result[axis, block, block] = (to_real @ (1j * matrix.T) @ to_real.conj().T).real
    return result


@functools.cache
def _modes(L, axis):
    """exp(t X_axis) = V exp(-i t n) V^H: the integers n and the unitary V."""
    n, vectors = np.linalg.eigh(1j * generators(L)[axis])
    return np.round(n), vectors


def about(axis, angle, L):
    """D of rotations about axis 1 (y) or 2 (z) by an array of angles: (..., D, D)."""
    n, vectors = _modes(L, axis)
    phases = np.exp(-1j * n * np.asarray(angle)[..., None])
    return ((vectors * phases[..., None, :]) @ vectors.conj().T).real


def wigner(rotation, L):
    """D of rotation matrices (..., 3, 3)."""
    rotation = np.asarray(rotation, float)
    a, b = _azimuth_and_polar(rotation[..., :, 2])
    # What is left of R after Rz(a) Ry(b) is a rotation about z, also where a is arbitrary.
    x = rotation[..., :, 0]
    y_axis = np.stack([-np.sin(a), np.cos(a), np.zeros_like(a)], -1)
    x_axis = np.stack([np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), -np.sin(b)], -1)
    c = np.arctan2(np.sum(x * y_axis, -1), np.sum(x * x_axis, -1))
    return about(2, a, L) @ about(1, b, L) @ about(2, c, L)


def to_edge_frame(direction, L):
    """D of a rotation that takes each vector (..., 3) to the z axis, for any length but 0.

    The frame's turn about the edge is a choice: orders +m and -m of a degree mix under it.
    """
    a, b = _azimuth_and_polar(np.asarray(direction, float))
    return about(1, -b, L) @ about(2, -a, L)


def _azimuth_and_polar(v):
    """The angles with v = |v| Rz(azimuth) Ry(polar) z."""
    return np.arctan2(v[..., 1], v[..., 0]), np.arctan2(np.hypot(v[..., 0], v[..., 1]), v[..., 2])
