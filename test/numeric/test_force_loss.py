"""Training on forces: atoms of water, an energy by the value path, compared with PyTorch's double backward.

The energy is quadratic in the nodes' values; forces are its gradient through the rotations and the
radial features of the edges; the loss is their distance from given ones. What a step needs is three
calls of the compiled library beyond the forward: the forces' backward, its second order, and the
training backward with what that says of the nodes and of what the forward saves.
"""

import itertools
import pathlib
import re
import sys

import numpy as np
import pytest

import value_path
from kernel import Index
from test_value_path import Path

DEMO = pathlib.Path(__file__).resolve().parents[2] / "docs" / "demo"
CURVATURE = 0.05


def parameters(act):
    return {"L": 2, "F": 2, "C": 4, "Cr": 3, "R": 2, "T": 2, "competing": 1, "act": act}


class Water:
    """Positions, edges, and the linear map from gradients of an energy to forces."""

    def __init__(self, p, cutoff, rng):
        sys.path.insert(0, str(DEMO))
        try:
            from energy import BASIS, Geometry
        finally:
            sys.path.remove(str(DEMO))
        species, positions, box = read_water()
        self.atoms, self.oxygen = len(species), np.array([s == "O" for s in species], int)
        self.src, self.dst, vectors = periodic_neighbours(positions, box, cutoff)
        mixing = rng.standard_normal((BASIS, (p["L"] + 1) * p["Cr"]))
        self.geometry = Geometry(vectors, mixing, p["L"], cutoff)
        self.wigner = self.geometry.wigner
        self.q = self.geometry.kc.reshape(len(vectors), p["L"] + 1, p["Cr"])

    def forces(self, gwigner, gq):
        pull = self.geometry.pull_back(gwigner, gq.reshape(len(gq), -1))
        forces = np.zeros((self.atoms, 3))
        np.add.at(forces, self.src, -pull)
        np.add.at(forces, self.dst, pull)
        return forces

    def adjoint(self, cotangent):
        """Of `forces`: what a cotangent of the forces says of gwigner and gq."""
        hwigner, hq = self.geometry.move(cotangent[self.dst] - cotangent[self.src])
        return hwigner, hq.reshape(self.q.shape)


def read_water():
    """(species, positions, box) of the demo's atoms, in Å."""
    lines = (DEMO / "water192.xyz").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines[2 : 2 + int(lines[0])]]
    box = np.array(re.search(r'Lattice="([^"]*)"', lines[1])[1].split(), float).reshape(3, 3)
    return [row[0] for row in rows], np.array([row[1:4] for row in rows], float), box


def periodic_neighbours(r, box, cutoff):
    """(src, dst, r[src] - r[dst]) of all pairs within the cutoff, images included."""
    found = []
    for cell in itertools.product((-1, 0, 1), repeat=3):
        d = r[None] + np.array(cell) @ box - r[:, None]
        length = np.linalg.norm(d, axis=-1)
        dst, src = np.nonzero((length < cutoff) & (length > 1e-9))
        found.append((src, dst, d[dst, src]))
    return tuple(np.concatenate(parts) for parts in zip(*found))


def readout_gradient(nodes, readout):
    g = CURVATURE * nodes
    g[:, :, 0] += readout
    return g


class Ours:
    def __init__(self, session, act, water, x, readout):
        self.p, self.dtype = parameters(act), {"f64": np.float64, "f32": np.float32}[act]
        self.path, self.water, self.readout = Path(session, self.p), water, readout
        self.fixed = {
            "src": Index(water.src, water.atoms),
            "dst": Index(water.dst, water.atoms),
            **self.cast({"x": x, "wigner": water.wigner, "q": water.q, **NUMBERS}),
        }

    def cast(self, v):
        return {name: np.asarray(array, self.dtype) for name, array in v.items()}

    def loss_and_gradients(self, weights, target):
        saved = value_path.saved_names(self.p)
        v = {**self.fixed, **self.cast(weights)}
        out = self.path("value_path", v)
        v.update({name: out[name] for name in saved})
        v["g_nodes"] = self.cast({"g": readout_gradient(out["nodes"], self.readout)})["g"]
        b = self.path("value_path_bwd", v)
        miss = self.water.forces(b["gwigner"], b["gq"]) - target
        hwigner, hq = self.water.adjoint(2 * miss)
        v.update(self.cast({"hwigner": hwigner, "hq": hq, "hx": 0 * v["x"]}))
        second = self.path("value_path_bwd2", v)
        v.update({"g_" + name: second["d" + name] for name in saved})
        v["g_nodes"] = self.cast({"g": CURVATURE * second["dg_nodes"]})["g"]
        v["g_rad0"] = np.zeros_like(out["rad0"])
        again = self.path("value_path_train_bwd", v)
        return np.sum(miss**2), {
            name: second["d" + name].astype(np.float64) + again["g" + name] for name in weights
        }


NUMBERS = {"tau": 1.0, "smooth": 0.02, "eps": 1e-6}


class Eager:
    """The same by PyTorch's autograd, in fp64: an eager transcription of the page."""

    def __init__(self, torch, water, x, readout):
        self.torch, self.p, self.water = torch, parameters("f64"), water
        self.x, self.readout = torch.tensor(x), torch.tensor(readout)
        self.src, self.dst = torch.tensor(water.src), torch.tensor(water.dst)

    def energy(self, page, wigner, q, w):
        t, p = self.torch, self.p
        L, F, C, R, E = p["L"], p["F"], p["C"], p["R"], len(self.src)
        M = 3 * L + 1
        kc = t.einsum("eli,io->elo", q, w["A"]).reshape(E, -1) @ w["Bm"]
        xe = self.x[self.src]
        rows = []
        for degree, order in page.row_table(L):
            block = slice(degree * degree, (degree + 1) ** 2)
            k = degree * degree + degree + order
            rows.append(t.einsum("ed,edc->ec", wigner[:, k, block], xe[:, block]))
        xl = t.stack(rows, 1)
        a = (L + 1) ** 2
        compact = kc.reshape(E, a + L * L, R)
        blocks = (
            compact[:, :a].reshape(E, L + 1, L + 1, R),
            compact[:, a:].reshape(E, L, L, R),
        )
        y = t.cat(
            [
                t.einsum("eiop,pc,eic->eoc", blocks[b], w["cb"], xl[:, s])
                for s, b in page.order_blocks(L)
            ],
            1,
        )
        u = y.reshape(E, M, F, C).permute(2, 0, 1, 3).reshape(F, E, M * C)
        scalars = u[..., :C].permute(1, 0, 2)
        rho = ((scalars**2).mean(-1, keepdim=True) + NUMBERS["eps"]) ** -0.5
        logits = t.einsum("efc,cf->ef", w["sc"] * scalars * rho, w["wc"]) + w["b"]
        alpha = (1 - NUMBERS["smooth"]) * t.softmax(logits / NUMBERS["tau"], -1) + NUMBERS[
            "smooth"
        ] / F
        P0 = (L + 1) * C

        def product(u, layer):
            halves = u[..., :P0] @ w["W0"][layer], u[..., P0:] @ w["W1"][layer]
            return t.cat(halves, -1)

        for layer in range(p["T"]):
            z = product(u, layer)
            s, planes = z[..., :C], z[..., C:].reshape(F, E, 3, L * C)
            gate = t.sigmoid(s @ w["G"][layer])[:, :, None]
            u = u + t.cat([s * t.sigmoid(s), (planes * gate).reshape(F, E, -1)], -1)
        y = u + product(u, p["T"])
        local = y.permute(1, 0, 2).reshape(E, F, M, C) * alpha[:, :, None, None]
        nodes = t.zeros(self.water.atoms, F, M, C, dtype=t.float64).index_add(0, self.dst, local)
        return (nodes[:, :, 0] * self.readout).sum() + CURVATURE / 2 * (nodes**2).sum()

    def loss_and_gradients(self, page, weights, target):
        t, water = self.torch, self.water
        w = {name: t.tensor(array, requires_grad=True) for name, array in weights.items()}
        wigner = t.tensor(water.wigner, requires_grad=True)
        q = t.tensor(water.q, requires_grad=True)
        energy = self.energy(page, wigner, q, w)
        gwigner, gq = t.autograd.grad(energy, (wigner, q), create_graph=True)
        miss = water.forces(gwigner.detach().numpy(), gq.detach().numpy()) - target
        hwigner, hq = water.adjoint(2 * miss)
        # The forces are linear in the two gradients, with this adjoint.
        ((gwigner * t.tensor(hwigner)).sum() + (gq * t.tensor(hq)).sum()).backward()
        return np.sum(miss**2), {name: value.grad.numpy() for name, value in w.items()}


def make(cutoff):
    rng, p = np.random.default_rng(3), parameters("f64")
    water = Water(p, cutoff, rng)
    shapes = value_path.value_shapes(p, len(water.src), water.atoms)
    weights = {
        name: rng.standard_normal(shapes[name]) / np.sqrt(shapes[name][-2:][0])
        for name in value_path.value_weights(p)
    }
    x = rng.standard_normal((2,) + shapes["x"][1:])[water.oxygen]
    readout = rng.standard_normal((p["F"], p["C"]))
    return water, weights, x, readout, 0.1 * rng.standard_normal((water.atoms, 3))


def worst(actual, expected):
    return max(
        np.abs(actual[name] - value).max() / np.abs(value).max() for name, value in expected.items()
    )


def check_step(session, page, cutoff):
    torch = pytest.importorskip("torch")
    water, weights, x, readout, target = make(cutoff)
    ours = Ours(session, "f64", water, x, readout)
    loss, gradients = ours.loss_and_gradients(weights, target)
    want, reference = Eager(torch, water, x, readout).loss_and_gradients(page, weights, target)
    assert abs(loss / want - 1) < 1e-9 and want > 0
    error = worst(gradients, reference)
    print(f"{len(water.src)} edges; loss {loss / want - 1:.1e}, gradients {error:.1e}")
    assert error < 1e-9


@pytest.mark.nightly
def test_step_on_water_equals_pytorch(session, page):
    check_step(session, page, 6.0)


@pytest.mark.nightly
def test_ten_steps_in_f32_follow_fp64(session, page):
    torch = pytest.importorskip("torch")
    water, weights, x, readout, target = make(3.0)
    single = Ours(session, "f32", water, x, readout)
    eager = Eager(torch, water, x, readout)
    curves, rate = ([], []), None
    state = [dict(weights), dict(weights)]
    for _ in range(10):
        results = (
            single.loss_and_gradients(state[0], target),
            eager.loss_and_gradients(page, state[1], target),
        )
        if rate is None:  # a step that lowers the loss by a tenth, were it linear
            loss, gradients = results[1]
            rate = 0.1 * loss / sum(np.sum(g * g) for g in gradients.values())
        for side, (loss, gradients) in enumerate(results):
            curves[side].append(loss)
            state[side] = {name: w - rate * gradients[name] for name, w in state[side].items()}
    print(curves)
    np.testing.assert_allclose(curves[0], curves[1], rtol=1e-4)
    assert curves[1][-1] < curves[1][0]
