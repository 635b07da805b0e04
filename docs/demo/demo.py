"""Messages between 192 atoms of water, with forces and a derivative of the forces.

Compiles kernels/so2_rotate_mix.mlir, in which only the forward is written, and uses what comes out
as a model would: it turns features of neighbours into the frame of each edge, makes an energy of
them, forces by the backward, and by the second order how the forces change with the features. Each
step is checked; the exit status is 1 if a check fails.

usage: demo.py DIRECTORY_OF_THE_TOOLS [OPTION...]    (./dev demo builds them and calls this)
"""

import argparse
import pathlib
import sys
import tempfile
import time

import gyre
import numpy as np

from energy import BASIS, Energy
from libraries import call, compile_all, in_f64, time_calls
from structure import neighbours, read_xyz
from wigner import wigner

HERE = pathlib.Path(__file__).resolve().parent
SPEC = HERE.parents[1] / "kernels" / "so2_rotate_mix.mlir"
FUNCTIONS = ["rotate_mix", "rotate_mix_bwd", "rotate_mix_bwd2"]
RANK = 1


class Checks:
    """Prints what is measured beside what is allowed."""

    def __init__(self):
        self.failed = []

    def __call__(self, what, measured, allowed):
        good = bool(measured <= allowed)  # not if it is NaN
        if not good:
            self.failed.append(what)
        print(f"  {what:54} {measured:8.2g} of {allowed:.2g}{'' if good else '  FAILED'}")


def relative(difference, reference):
    """The largest, over the atoms, of an atom's error relative to its values."""
    atoms = len(reference)
    norms = [np.linalg.norm(a.reshape(atoms, -1), axis=1) for a in (difference, reference)]
    return np.max(norms[0] / norms[1])


def check_rounding(check, libraries, arguments, edges):
    """Against f64 by the plain lowering, by the measure that docs/design.md promises:

    |error| <= (8 + 2 sqrt(n)) u |f|(|inputs|) for each element, where u = 2^-24 is the unit roundoff
    of f32 and sums have n terms. Taken here is n = 1, or the fewest edges that a sum goes over.
    """
    print("error of f32 in units of 2^-24 |f|(|inputs|), the worst element, of those allowed:")
    terms = {"gx": np.bincount(edges.src).min(), "dcb": len(edges.src)}
    terms["dx"] = terms["gx"]
    for name in FUNCTIONS:
        actual = call(libraries["f32", "fused"][name], arguments)
        expected = call(libraries["f64", "plain"][name], in_f64(arguments))
        # All terms of these functions have positive signs: on absolute inputs they give |f|.
        size = call(libraries["f64", "fused"][name], in_f64(arguments, np.abs))
        for result, array in actual.items():
            error, unit = np.abs(array - expected[result]), 2.0**-24 * size[result]
            worst = np.max(error[unit > 0] / unit[unit > 0], initial=0)
            if np.any(error[unit == 0]):
                worst = np.inf
            allowed = 8 + 2 * np.sqrt(terms.get(result, 1))
            check(f"{name}: {result} {' x '.join(map(str, array.shape))}", worst, allowed)


def check_equivariance(check, model, turned_model, x, positions, rotation):
    print(
        "f32, with the box and the features turned, and neighbours searched anew; relative errors:"
    )
    turn = wigner(rotation, model.library.params["L"])
    energy, gx, forces = model.gradients(x, positions)
    turned_energy, turned_gx, turned_forces = turned_model.gradients(
        turn @ x, positions @ rotation.T
    )
    check("energy stays", abs(turned_energy - energy) / energy, 1e-5)
    check("its gradient by the features turns", relative(turned_gx - turn @ gx, gx), 1e-5)
    check("forces turn", relative(turned_forces - forces @ rotation.T, forces), 1e-5)


def check_derivatives(check, model, x, positions, rng):
    print("f64, derivatives against differences; relative errors:")
    forces, step = model.gradients(x, positions)[2], 1e-4
    for atom, axis in zip(rng.integers(0, len(positions), 3), range(3)):
        move = np.zeros_like(positions)
        move[atom, axis] = step
        slope = (model.energy(x, positions + move) - model.energy(x, positions - move)) / (2 * step)
        error = abs(slope + forces[atom, axis]) / np.abs(forces[atom]).max()
        check(f"force on atom {atom} along {'xyz'[axis]}, by the backward", error, 1e-6)

    velocities, change = rng.standard_normal(positions.shape), rng.standard_normal(x.shape)

    def power(step):
        return np.sum(model.gradients(x + step * change, positions)[2] * velocities)

    difference = power(0.5) - power(-0.5)  # exact but for rounding: the forces are quadratic in x
    slope = np.sum(model.gradient_of_power(x, positions, velocities) * change)
    check("change of forces with features, by the second order", abs(slope / difference - 1), 1e-9)


def show_times(check, libraries, arguments):
    print("time of a call in f32; GB/s if each tensor is moved once:")
    same = True
    for name in FUNCTIONS:
        line = f"  {name:16}"
        for lowering, calls in (("fused", 6), ("plain", 1)):
            function = libraries["f32", lowering][name]
            seconds, moved, same_now = time_calls(function, arguments, calls)
            line += f"  {lowering} {seconds * 1e3:7.1f} ms, {moved / seconds / 1e9:5.2f} GB/s"
            same &= same_now
        print(line)
    check("calls that did not give the same bits", int(not same), 0)


def main(options):
    start, check, rng = time.perf_counter(), Checks(), np.random.default_rng(1)
    L, C = options.degree, options.channels
    structure = read_xyz(HERE / "water192.xyz")
    positions, atoms = structure.positions, len(structure.species)
    edges = neighbours(structure, options.cutoff)
    print(f"{atoms} atoms, {len(edges.src)} directed edges within {options.cutoff:g} Å, periodic")

    with tempfile.TemporaryDirectory() as directory:
        setting, begin = f"L={L},F=1,C={C},R={RANK}", time.perf_counter()
        gyrec = options.tools / "gyrec"
        libraries = compile_all(gyrec, options.spec, setting, FUNCTIONS, directory)
        print(
            f"{options.spec.name} with {setting}: {len(FUNCTIONS)} functions in f32 and f64, fused"
        )
        print(f"and plain, compiled in {time.perf_counter() - begin:.1f} s")

        x = rng.standard_normal((atoms, (L + 1) ** 2, C))
        mixing = rng.standard_normal((BASIS, ((L + 1) ** 2 + L * L) * RANK)) / BASIS
        cb = rng.standard_normal((RANK, C))

        def model(act, edges):
            maps = {"src": gyre.Map(edges.src, atoms)}
            return Energy(libraries[act, "fused"], maps, edges, mixing, cb, options.cutoff)

        single = model("f32", edges)
        velocities = rng.standard_normal(positions.shape)
        arguments = single.second_order_arguments(x, positions, velocities)
        for name in ("g", "hx"):
            arguments[name] = rng.standard_normal(arguments[name].shape).astype(np.float32)
        check_rounding(check, libraries, arguments, edges)

        rotation = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        rotation *= np.linalg.det(rotation)
        turned = model("f32", neighbours(structure.rotated(rotation), options.cutoff))
        check_equivariance(check, single, turned, x, positions, rotation)
        check_derivatives(check, model("f64", edges), x, positions, rng)
        show_times(check, libraries, arguments)

    seconds = time.perf_counter() - start
    if check.failed:
        print(f"{len(check.failed)} checks failed, in {seconds:.0f} s: {'; '.join(check.failed)}")
        return 1
    print(f"all checks passed, in {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tools", type=pathlib.Path, help="directory of gyrec")
    parser.add_argument("--degree", type=int, default=3, help="L, the maximal degree (3)")
    parser.add_argument("--channels", type=int, default=32, help="of each component (32)")
    parser.add_argument("--cutoff", type=float, default=6, help="of the neighbours in Å (6)")
    parser.add_argument(
        "--spec", type=pathlib.Path, default=SPEC, help="in place of so2_rotate_mix"
    )
    sys.exit(main(parser.parse_args()))
