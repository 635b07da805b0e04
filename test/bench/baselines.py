"""What a user of PyTorch would write in place of kernels: forwards as formulas, derivatives by autograd.

Names are those of the specs. A function that a manifest declares as a derivative is autograd's of the
function that it is of, to any order; `compiled` has torch.compile make code of what that amounts to.
"""

import functools

import torch


@functools.cache
def _rows(L, device, dtype):
    """The rows of a Wigner matrix that are kept, by order and degree; which entries each may have; degrees;
    where the entries of packed ones are."""
    kept = [(l, 0) for l in range(L + 1)] + [(l, m) for m in (-1, 1) for l in range(1, L + 1)]
    mask = torch.zeros(len(kept), (L + 1) ** 2)
    for row, (l, _) in enumerate(kept):
        mask[row, l * l : (l + 1) ** 2] = 1
    rows, degrees = ([l * l + l + m for l, m in kept], [l for l, _ in kept])
    # Packed, they follow one another by degree, then by order.
    places = [
        kept.index((l, m)) * (L + 1) ** 2 + l * l + j
        for l, m in sorted(kept)
        for j in range(2 * l + 1)
    ]
    return (
        torch.tensor(rows, device=device),
        mask.to(device, dtype),
        torch.tensor(degrees, device=device),
        torch.tensor(places, device=device),
    )


def _mix(rows, kc, cb, L, R):
    """Degrees of one order with one another: over the orders 0, -1 and 1."""
    edges, first = len(rows), (L + 1) ** 2
    kc = kc.reshape(edges, first + L * L, R)
    blocks = [(0, L + 1, kc[:, :first]), *((1 + L * i, L, kc[:, first:]) for i in (1, 2))]
    mixed = []
    for begin, count, block in blocks:
        part = rows[:, begin : begin + count]
        k = block.reshape(edges, count, count, R)
        mixed.append(sum(torch.bmm(k[..., p].mT, part) * cb[p] for p in range(R)))
    return torch.cat(mixed, 1)


def rotate_mix(params, x, src, wigner, kc, cb=None):
    L, F, R = params["L"], params["F"], params["R"]
    kept, mask, degrees, places = _rows(L, x.device, x.dtype)
    if params.get("packed"):
        matrix = wigner.new_zeros(len(wigner), mask.numel()).index_copy(1, places, wigner)
        matrix = matrix.reshape(-1, *mask.shape)
    else:
        matrix = wigner[:, kept] * mask
    rows = torch.bmm(matrix, x[src])
    y = _mix(rows, kc, cb, L, R) if R else rows * kc[:, degrees]
    edges, count, width = y.shape
    return (y.reshape(edges, count, F, width // F).permute(2, 0, 1, 3).reshape(F, edges, -1),)


def gated_activation(params, z, G=None):
    L, C = params["L"], params["C"]
    scalars, planes = z[..., :C], z[..., C:]
    results = [torch.nn.functional.silu(scalars)]
    if L:
        gates = torch.sigmoid(torch.bmm(scalars, G))
        planes = planes.reshape(*z.shape[:2], 3, L * C) * gates[:, :, None]
        results.append(planes.reshape(*z.shape[:2], -1))
    return (torch.cat(results, -1),)


def segment_sum(params, rows, index, nodes):
    out = torch.zeros(nodes, *rows.shape[1:], dtype=rows.dtype, device=rows.device)
    return (out.index_add(0, index, rows),)


FORMULAS = {
    "rotate_mix": rotate_mix,
    "gated_activation": gated_activation,
    "segment_sum": segment_sum,
}


class Baselines:
    """The functions of a library, in PyTorch's ops."""

    def __init__(self, library, sizes):
        self.library, self.params, self.sizes = library, library.params, sizes
        self.entries = {entry["name"]: entry for entry in library.manifest["functions"]}

    def has(self, name):
        while "derivative" in self.entries.get(name, {}):
            name = self.entries[name]["derivative"]["of"]
        return name in FORMULAS and name in self.entries

    def call(self, name, values, again=False):
        """Results by name, of which there are derivatives `again`. Maps are tensors of i64."""
        entry = self.entries[name]
        given = {o.name: self._given(o, values) for o in self.library[name].arguments}
        if name in FORMULAS:
            if name == "segment_sum":
                given["nodes"] = self.sizes["N"]
            results = FORMULAS[name](self.params, **given)
            return dict(zip((result["name"] for result in entry["results"]), results))
        derivative = entry["derivative"]
        wanted = derivative["wrt"]
        # What a derivative does not take it does not depend on: the primal is linear there.
        given |= {o.name: self._given(o, values) for o in self.library[derivative["of"]].arguments}
        leaves = {key: given[key].detach().requires_grad_() for key in wanted}
        with torch.enable_grad():
            # Of an outer derivative these are no leaves, and have to stay what they depend on.
            inside = {
                key: given[key] if given[key].requires_grad else leaves[key] for key in wanted
            }
            primal = self.call(derivative["of"], {**given, **inside}, again=True)
            outputs = [primal[key] for key in derivative["given"]]
            cotangents = [given[key] for key in derivative["given"].values()]
            gradients = torch.autograd.grad(
                outputs, list(inside.values()), cotangents, create_graph=again
            )
        return dict(zip(wanted.values(), gradients))

    def _given(self, operand, values):
        if operand.name in values:
            return values[operand.name]
        like = next(value for value in values.values() if value.is_floating_point())
        return like.new_zeros([size(self.sizes) for size in operand.shape])

    def function(self, name):
        """One of tensors in the order of the arguments, which returns a tuple in that of the results."""
        entry = self.entries[name]
        names = [argument["name"] for argument in entry["arguments"]]
        results = [result["name"] for result in entry["results"]]

        def run(*values):
            found = self.call(name, dict(zip(names, values)))
            return tuple(found[key].detach() for key in results)

        return run

    def traced(self, name, values):
        """The same as a graph of ops without autograd."""
        from torch.fx.experimental.proxy_tensor import make_fx

        run = self.function(name)
        run(*values)  # constants are made here, not in the graph
        return make_fx(run)(*values)

    def compiled(self, name, values):
        """That graph, compiled."""
        return torch.compile(self.traced(name, values))
