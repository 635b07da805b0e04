"""Calls kernels that gyrec has compiled, on NumPy arrays.

    import gyre

    library = gyre.load("out/so2_rotate_mix.json")
    u = library.rotate_mix(x, gyre.Map(src, nodes), wigner, kc, cb)
    gx, gwigner, gkc = library.rotate_mix_bwd(x, src_map, wigner, kc, cb, gu)

Arguments are taken as they are: any strides, never converted. What does not fit is refused by the
runtime with a text that names the argument, what was expected and what came (`gyre.Error`).
"""

from ._errors import Error
from ._library import Function, Library, load
from ._map import Map

__all__ = ["Error", "Function", "Library", "Map", "load"]
