"""The demo's Wigner matrices (docs/demo/wigner.py)."""

import itertools
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "demo"))

import wigner  # noqa: E402

DEGREES = range(9)
AXES = np.concatenate([np.eye(3), -np.eye(3)])


def rotations():
    """Random ones, and all that permute the axes: their Euler angles are on the edge of what they may be."""
    random = np.linalg.qr(np.random.default_rng(1).standard_normal((20, 3, 3)))[0]
    signed = [
        np.eye(3)[list(order)] * np.array(signs)
        for order in itertools.permutations(range(3))
        for signs in itertools.product((1, -1), repeat=3)
    ]
    both = np.concatenate([random, signed])
    return both * np.round(np.linalg.det(both))[:, None, None]


def harmonics(r):
    """Real spherical harmonics of degrees 0 to 2 of unit vectors, up to a factor for each degree."""
    x, y, z = np.moveaxis(r, -1, 0)
    root = np.sqrt(3)
    return np.stack(
        [
            np.ones_like(x),
            *(y, z, x),
            *(
                root * x * y,
                root * y * z,
                (3 * z * z - 1) / 2,
                root * x * z,
                root / 2 * (x * x - y * y),
            ),
        ],
        axis=-1,
    )


@pytest.mark.parametrize("L", DEGREES)
def test_they_are_orthogonal(L):
    D = wigner.wigner(rotations(), L)
    np.testing.assert_allclose(
        np.swapaxes(D, 1, 2) @ D, np.broadcast_to(np.eye(D.shape[1]), D.shape), atol=2e-14
    )


@pytest.mark.parametrize("L", DEGREES)
def test_they_multiply_like_rotations(L):
    first, second = rotations(), rotations()[::-1]
    product = wigner.wigner(first, L) @ wigner.wigner(second, L)
    np.testing.assert_allclose(wigner.wigner(first @ second, L), product, atol=4e-14)


def test_they_turn_spherical_harmonics():
    points = np.random.default_rng(2).standard_normal((10, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    for rotation in rotations():
        turned = harmonics(points) @ wigner.wigner(rotation, 2).T
        np.testing.assert_allclose(harmonics(points @ rotation.T), turned, atol=1e-14)


@pytest.mark.parametrize("L", DEGREES)
def test_order_zero_is_the_legendre_polynomial(L):
    angle = np.linspace(0, np.pi, 9)
    at = L * L + L
    expected = np.polynomial.legendre.Legendre.basis(L)(np.cos(angle))
    np.testing.assert_allclose(wigner.about(1, angle, L)[:, at, at], expected, atol=1e-14)


@pytest.mark.parametrize("axis", range(3))
def test_generators_are_derivatives(axis):
    """Of D(rotation by t about the axis) at t = 0, and degree 1 is the rotation itself."""
    step, L = 1e-4, 8
    cross = np.cross(np.eye(3)[axis], np.eye(3)).T  # cross @ r = axis x r
    ahead, behind = (
        np.eye(3) + np.sin(t) * cross + (1 - np.cos(t)) * cross @ cross for t in (step, -step)
    )
    slope = (wigner.wigner(ahead, L) - wigner.wigner(behind, L)) / (2 * step)
    np.testing.assert_allclose(wigner.generators(L)[axis], slope, atol=2e-6)


@pytest.mark.parametrize("L", DEGREES)
def test_edges_are_turned_onto_the_polar_axis(L):
    """Along z the harmonics of order 0 alone do not vanish; edges along the axes are no exception."""
    vectors = np.concatenate([AXES, np.random.default_rng(3).standard_normal((10, 3))])
    frames = wigner.to_edge_frame(vectors, L)
    first = np.zeros((L + 1) ** 2)
    first[[l * l + l for l in range(L + 1)]] = 1
    # D(R) of the frame, applied to what a rotation from z onto the edge makes of `first`.
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    if L >= 1:
        np.testing.assert_allclose(
            (frames[:, 1:4, 1:4] @ unit[:, [1, 2, 0], None])[..., 0],
            [[0, 1, 0]] * len(unit),
            atol=1e-15,
        )
    if L >= 2:
        np.testing.assert_allclose(
            (frames[:, :9, :9] @ harmonics(unit)[..., None])[..., 0],
            [first[:9]] * len(unit),
            atol=1e-15,
        )
    np.testing.assert_allclose(
        np.swapaxes(frames, 1, 2) @ frames, [np.eye(len(first))] * len(unit), atol=2e-14
    )
