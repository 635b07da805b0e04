"""specs/own_projection.mlir in PyTorch's own ops, with arguments and losses to compare both on."""

import torch

import gyre

NODES, EDGES, C = 4, 7, 4
SRC, DST = [0, 2, 2, 1, 3, 0, 2], [1, 1, 3, 0, 1, 3, 3]
FLOATS = ("v", "r", "f")


def arguments(device="cpu"):
    """Arguments of @projection by name; each float one is a leaf."""
    generator = torch.Generator().manual_seed(3)
    floats = {
        name: torch.randn(shape, generator=generator, dtype=torch.float64)
        .to(device)
        .requires_grad_()
        for name, shape in zip(FLOATS, ((NODES, 3, C), (EDGES, 3), (EDGES, C)))
    }
    src = torch.tensor(SRC, device=device)
    return {**floats, "src": gyre.Map(src, NODES), "dst": gyre.Map(DST, NODES)}


def projection(v, r, f, **_):
    """(p, y) of @projection."""
    src, dst = (torch.tensor(index, device=v.device) for index in (SRC, DST))
    p = torch.einsum("ec,ed,edc->ec", f, r, v[src])
    z = torch.zeros(NODES, C, dtype=p.dtype, device=p.device).index_add(0, dst, p)
    return p, torch.nn.functional.silu(z)


def weigh(*tensors):
    """A loss whose cotangents are all different, and laid out in no usual way."""
    loss = 0
    for i, tensor in enumerate(tensors):
        weights = torch.linspace(
            -1, 2 + i, tensor.numel(), dtype=tensor.dtype, device=tensor.device
        )
        loss = loss + (tensor.mT * weights.reshape(tensor.mT.shape)).sum()
    return loss


def first_order(function, v):
    return torch.autograd.grad(weigh(*function(**v)), [v["v"], v["r"]])


def second_order(function, v):
    """Of a loss of forces: gradients of a gradient in everything that it depends on."""
    p = torch.ones(EDGES, C, dtype=torch.float64, device=v["v"].device)
    cotangents = p.requires_grad_(), torch.full_like(v["v"][:, 0], 0.5).requires_grad_()
    (gr,) = torch.autograd.grad(function(**v), v["r"], cotangents, create_graph=True)
    return torch.autograd.grad(weigh(gr), [*(v[name] for name in FLOATS), *cotangents])
