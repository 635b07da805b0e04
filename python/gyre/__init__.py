"""Compiles specs and calls their functions on NumPy arrays and PyTorch tensors.

    import gyre

    library = gyre.compile("kernels/so2_rotate_mix.mlir", L=3, F=1, C=4, R=1)
    u = library.rotate_mix(x, gyre.Map(src, nodes), wigner, kc, cb)
    gx, gwigner, gkc = library.rotate_mix_bwd(x, src_map, wigner, kc, cb, gu)

Arrays are never converted, and row-major ones taken as they are; fused functions want those
(`numpy.ascontiguousarray`), functions of `lowering="plain"` take any strides. What does not fit is refused
with a text that names the argument, what was expected and what came (`gyre.Error`).

With PyTorch tensors, functions return tensors, which the declared derivatives make differentiable, and
again if these have derivatives: `torch.autograd.grad(..., create_graph=True)`. See `gyre.Function`.

`gyre.compile` runs gyrec, and keeps what it compiled; `gyre.load` takes the manifest of a library that
gyrec has compiled before, and needs no compiler.
"""

from ._compile import compile
from ._errors import Error
from ._library import Function, Library, load
from ._map import Map

__all__ = ["Error", "Function", "Library", "Map", "compile", "load"]
