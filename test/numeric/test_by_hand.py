"""Named ops have no privileges: kernels with contracts written in their place are the same bytes.

The kernels' own spec files are rewritten, each named op replaced by the contracts of HAND, and taken
down the same road: the same IR after the passes of the algebra, the same library, header, manifest.
"""

import re

import pytest

import kernels
import tools

ROTATE = """%{y} = gyre.contract %{w}[e, k, d], %{x}[e, d, c] -> [e, r, c] with (r = 3*L + 1) over
          {{(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l]
           | (r = L + l, k = l*l + l - 1, d = l*l + j) : l in [1, L], j in [0, 2*l]
           | (r = 2*L + l, k = l*l + l + 1, d = l*l + j) : l in [1, L], j in [0, 2*l]}} : {W}, {X}"""
PACKED = """%{y} = gyre.contract %{w}[e, p], %{x}[e, d, c] -> [e, r, c] with (r = 3*L + 1) over
          {{(r = 0, p = 0, d = 0)
           | (r = l, p = 3*l*l - 2 + 2*l + 1 + j, d = l*l + j) : l in [1, L], j in [0, 2*l]
           | (r = L + l, p = 3*l*l - 2 + j, d = l*l + j) : l in [1, L], j in [0, 2*l]
           | (r = 2*L + l, p = 3*l*l - 2 + 2*(2*l + 1) + j, d = l*l + j) : l in [1, L], j in [0, 2*l]}} : {W}, {X}"""
RADIAL = """%{y} = gyre.contract %{k}[e, l, c], %{x}[e, r, c] -> [e, r, c] over
          {{(l = i, r = i) : i in [0, L] | (l = i, r = L + i) : i in [1, L] | (l = i, r = 2*L + i) : i in [1, L]}}
          : {K}, {X}"""
MIX = """%{y} = gyre.contract %{k}[e, (s, p)], %{b}[p, c], %{x}[e, i, c] -> [e, o, c]
          with (s = (L+1)*(L+1) + L*L, o = 3*L + 1) over
          {{(s = m*(L + 1) + n, i = m, o = n) : m in [0, L], n in [0, L]
           | (s = (L + 1)*(L + 1) + (m - 1)*L + n - 1, i = L + m, o = L + n) : m in [1, L], n in [1, L]
           | (s = (L + 1)*(L + 1) + (m - 1)*L + n - 1, i = 2*L + m, o = 2*L + n) : m in [1, L], n in [1, L]}}
          : {K}, {B}, {X}"""

# (the named op, the contracts); in both, groups are values and types of the operands.
HAND = [
    (
        r"%(?P<y>\w+) = gyre\.rotate %(?P<x>\w+) by %(?P<w>\w+) degree L : (?P<X>!\w+), (?P<W>!packed)",
        PACKED,
    ),
    (
        r"%(?P<y>\w+) = gyre\.rotate %(?P<x>\w+) by %(?P<w>\w+) degree L : (?P<X>!\w+), (?P<W>!\w+)",
        ROTATE,
    ),
    (
        r"%(?P<y>\w+) = gyre\.degree_mix %(?P<x>\w+) by %(?P<k>\w+) degree L : (?P<X>!\w+), (?P<K>!\w+)",
        RADIAL,
    ),
    (
        r"%(?P<y>\w+) = gyre\.degree_mix %(?P<x>\w+) by %(?P<k>\w+) basis %(?P<b>\w+) degree L"
        r" : (?P<X>!\w+), (?P<K>!\w+), (?P<B>!\w+)",
        MIX,
    ),
]
NAMED = re.compile(r"gyre\.(rotate|degree_mix) %")


def by_hand(kernel, directory):
    """The kernel's spec without named ops, as a file of the same name."""
    text = kernel.path.read_text(encoding="utf-8")
    assert NAMED.search(text)
    for op, contract in HAND:
        text = re.sub(op, lambda match: contract.format(**match.groupdict()), text)
    assert not NAMED.search(text)
    path = directory / kernel.path.name
    path.write_text(text, encoding="utf-8")
    return path


SETS = [
    "L=0,F=1,C=1,R=0,act=f32",
    "L=0,F=1,C=1,R=1,act=f32",
    "L=2,F=2,C=3,R=0,act=f64",
    "L=3,F=1,C=4,R=2,act=f32",
]
CASES = [(kernel, values) for values in SETS for kernel in kernels.ROTATING] + [
    (kernel, f"{values},packed=1")
    for values in SETS[1:3]
    for kernel in kernels.ROTATING
    if kernel.spec == "so2_rotate_mix"
]


def each_of(found):
    ids = [f"{values}-{kernel.spec}" for kernel, values in found]
    return pytest.mark.parametrize("kernel, values", found, ids=ids)


@each_of(CASES)
def test_the_same_algebra(built_tools, tmp_path, kernel, values):
    hand = by_hand(kernel, tmp_path)
    specialise = f"--gyre-specialise=set={values}"
    for passes in (
        ["--gyre-decompose", "--gyre-simplify"],
        ["--gyre-decompose", "--gyre-differentiate", "--gyre-simplify"],
    ):
        named, written = (
            built_tools.optimised(path, specialise, *passes) for path in (kernel.path, hand)
        )
        assert named == written and "gyre.contract" in named and not NAMED.search(named)


@each_of(CASES[4:])
def test_the_same_library(build, kept, tmp_path, kernel, values):
    hand = by_hand(kernel, tmp_path)
    fused = tools.Tools(build, tmp_path / "tools", kept=kept)
    p = dict(pair.split("=") for pair in values.split(","))
    named, written = (fused.contents(path, p) for path in (kernel.path, hand))
    fused.close()
    assert len(named) == 3 and named == written
