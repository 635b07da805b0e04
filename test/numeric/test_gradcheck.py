"""`gyre-run --gradcheck` on the specs of kernels/, compiled fused, in f64 and in f32."""

import re
import subprocess

import pytest

import kernel
import tools

# Names, parameters, and derivatives with the highest order that is checked of them.
SPECS = [
    ("so2_rotate_mix", {"L": 2, "F": 2, "C": 3, "R": 2}),
    ("so2_rotate_mix", {"L": 1, "F": 1, "C": 3, "R": 0}),
    ("so2_message", {"L": 1, "F": 1, "C": 2, "R": 1}),
    ("gated_activation", {"L": 2, "F": 2, "C": 3}),
    ("gated_activation", {"L": 0, "F": 1, "C": 3}),
    ("gated_layer", {"L": 1, "F": 2, "C": 3}),
    ("segment_sum", {"A": 2, "B": 3}),
    ("segment_broadcast", {"A": 2, "B": 3}),
    ("radial_head", {"L": 1, "Cr": 3, "Cw": 4, "R": 2}),
    ("focus_competition", {"F": 3, "C": 4, "normalised": 1, "biased": 1}),
    ("so2_mixing_stack", {"L": 1, "F": 1, "C": 2, "T": 1, "competing": 1}),
    ("knn_conv", {"Cin": 3, "Cout": 2, "K": 3, "V": 2, "biased": 1}),
    ("knn_max_pool", {"K": 3}),
    ("knn_avg_pool", {"K": 1}),
]


def name_of(value):
    if isinstance(value, dict):
        return "-".join(f"{name}{item}" for name, item in value.items())
    return value


def gradcheck(built_tools, manifest, *options):
    """(exit status, the table's lines)."""
    done = subprocess.run(
        [built_tools.gyre_run, manifest, "--gradcheck", *options],
        capture_output=True,
        text=True,
        timeout=tools.TIMEOUT_S,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


@pytest.fixture(scope="module")
def fused(build, kept, tmp_path_factory):
    scratch = tmp_path_factory.mktemp("fused")
    made = tools.Tools(build, scratch, flags=("--lowering=fused",), kept=kept)
    yield made
    made.close()


@pytest.mark.parametrize("act", ["f64", "f32"])
@pytest.mark.parametrize("spec, p", SPECS, ids=name_of)
def test_derivatives_are_right(fused, spec, p, act):
    manifest = fused.manifest(kernel.KERNELS / f"{spec}.mlir", {**p, "act": act})
    status, lines = gradcheck(fused, manifest)
    print("\n".join(lines))
    assert status == 0
    assert re.fullmatch(rf"{len(lines) - 2} checks, 0 failed", lines[-1])
    # Every derivative is in the table.
    described = fused.described(kernel.KERNELS / f"{spec}.mlir", {**p, "act": act})["functions"]
    derivatives = {f["name"] for f in described if "derivative" in f}
    assert derivatives == {line.split()[0] for line in lines[1:-1]}
    assert any(line.split()[1] == "2" for line in lines[1:-1])


def test_a_wrong_cell_is_found(fused, tmp_path):
    """Of a gradient of many cells, one is off by a thousandth."""
    spec = tmp_path / "wrong.mlir"
    spec.write_text(
        """
!x = !gyre.tensor<N x 8 x f64>
module attributes {gyre.spec = "wrong"} {
gyre.func @f(%x: !x) -> (y: !x) {
  %y = arith.mulf %x, %x : !x
  gyre.return %y : !x
}
gyre.func @f_bwd(%x: !x, %g: !x) -> (gx: !x)
    attributes {gyre.derivative = {of = "f", wrt = {x = "gx"}, given = {y = "g"}}} {
  %gx = gyre.contract %x[n, c], %g[n, c] -> [n, c]
    over [c] {(0) * 2.0, (1) * 2.0, (2) * 2.0, (3) * 2.002, (4) * 2.0, (5) * 2.0, (6) * 2.0, (7) * 2.0} : !x, !x
  gyre.return %gx : !x
}
}
""",
        encoding="utf-8",
    )
    status, lines = gradcheck(fused, fused.manifest(spec, {}), "--size", "N=1000")
    assert status == 1
    assert lines[-1] == "1 checks, 1 failed" and lines[1].endswith("NO")
