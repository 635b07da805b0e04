"""An energy of atoms that goes through the kernel, its forces, and a derivative of the forces.

    u = rotate_mix(x, src, wigner, kc, cb),    energy = 1/2 sum of u^2

`wigner` turns each edge onto the z axis, and `kc` are smooth functions of its length, so u depends
on the positions through these two. The kernel's derivatives give what u does; the geometry here
gives what wigner and kc do when atoms move.
"""

import numpy as np

from wigner import generators, to_edge_frame

BASIS = 8


class Geometry:
    """The kernel's two arguments that vectors along the edges determine, and their derivatives."""

    def __init__(self, vectors, mixing, L, cutoff):
        self.vectors, self.generators = vectors, generators(L)
        self.length = np.linalg.norm(vectors, axis=1, keepdims=True)
        self.wigner = to_edge_frame(vectors, L)
        basis, slope = radial_basis(self.length, cutoff)
        self.kc, self.kc_slope = basis @ mixing, slope @ mixing

    def move(self, velocity):
        """How fast (wigner, kc) change when the vectors change with this velocity: (E, 3) each."""
        turn = np.cross(self.vectors, velocity) / self.length**2
        stretch = np.sum(velocity * self.vectors, axis=1, keepdims=True) / self.length
        # An edge that turns by R has D(R)^T more to undo. The frame's turn about the edge does not
        # matter, since the energy does not change with it.
        along = np.tensordot(turn, self.generators, axes=1)
        return -self.wigner @ along, self.kc_slope * stretch

    def pull_back(self, gwigner, gkc):
        """The gradient with regard to the vectors, (E, 3): the adjoint of `move`."""
        torque = np.stack(
            [-np.sum(gwigner * (self.wigner @ axis), axis=(1, 2)) for axis in self.generators],
            axis=1,
        )
        tension = np.sum(gkc * self.kc_slope, axis=1, keepdims=True)
        return (
            np.cross(torque, self.vectors) / self.length**2 + tension * self.vectors / self.length
        )


def radial_basis(r, cutoff):
    """Bessel functions that vanish smoothly at the cutoff, (E, BASIS), and their slopes.

    sin(k pi r / cutoff) / r (J. Gasteiger et al., DimeNet, ICLR 2020) times (1 - (r / cutoff)^2)^3.
    """
    k = np.arange(1, BASIS + 1) * np.pi / cutoff
    wave, wave_slope = np.sin(k * r) / r, (k * np.cos(k * r) - np.sin(k * r) / r) / r
    inside = np.maximum(1 - (r / cutoff) ** 2, 0)
    return wave * inside**3, wave_slope * inside**3 - wave * 6 * r / cutoff**2 * inside**2


class Energy:
    """The energy of positions (N, 3) for features x (N, (L+1)^2, channels), by one compiled library."""

    def __init__(self, library, maps, edges, mixing, cb, cutoff):
        self.library, self.maps, self.edges = library, maps, edges
        self.mixing, self.cb, self.cutoff = mixing, cb, cutoff
        self.dtype = {"f32": np.float32, "f64": np.float64}[library.params["act"]]

    def geometry(self, positions):
        return Geometry(
            self.edges.vectors(positions), self.mixing, self.library.params["L"], self.cutoff
        )

    def arguments(self, x, geometry, **more):
        """What the kernel and its derivatives are called with, by name."""
        tensors = dict(x=x, wigner=geometry.wigner, kc=geometry.kc, cb=self.cb, **more)
        return {name: np.asarray(value, self.dtype) for name, value in tensors.items()} | self.maps

    def energy(self, x, positions):
        u = self.library.rotate_mix(**self.arguments(x, self.geometry(positions)))
        return np.sum(u * u, dtype=np.float64) / 2

    def gradients(self, x, positions):
        """The energy, its gradient with regard to x, and the forces."""
        geometry = self.geometry(positions)
        arguments = self.arguments(x, geometry)
        u = self.library.rotate_mix(**arguments)
        back = self.library.rotate_mix_bwd(**arguments, g=u)  # u is the gradient of 1/2 u^2
        forces = self.forces_of(geometry.pull_back(back.gwigner, back.gkc), len(positions))
        return np.sum(u * u, dtype=np.float64) / 2, back.gx, forces

    def forces_of(self, gvectors, atoms):
        """Minus the gradient with regard to the positions, given that of r[src] - r[dst]."""
        forces = np.zeros((atoms, 3))
        np.add.at(forces, self.edges.dst, gvectors)
        np.add.at(forces, self.edges.src, -gvectors)
        return forces

    def second_order_arguments(self, x, positions, velocities):
        """Those of rotate_mix_bwd2 for the change of minus the power, sum of forces * velocities."""
        geometry = self.geometry(positions)
        hwigner, hkc = geometry.move(self.edges.differences(velocities))
        u = self.library.rotate_mix(**self.arguments(x, geometry))
        return self.arguments(x, geometry, g=u, hx=np.zeros_like(x), hwigner=hwigner, hkc=hkc)

    def gradient_of_power(self, x, positions, velocities):
        """The gradient, with regard to x, of sum of forces * velocities.

        A loss of forces has such a gradient: its velocities are the derivatives of the loss.
        """
        arguments = self.second_order_arguments(x, positions, velocities)
        second = self.library.rotate_mix_bwd2(**arguments)
        first = {name: arguments[name] for name in ("x", "src", "wigner", "kc", "cb")}
        # g was u, which depends on x as well.
        through_g = self.library.rotate_mix_bwd(**first, g=second.dg)
        return -(second.dx + through_g.gx)
