"""gyrec on wrong specs and parameters: one located error, exit status 1, no file."""

import re
import subprocess

import pytest

import kernels

SPEC = """!x = !gyre.tensor<E x L+1 x act>
!k = !gyre.tensor<E x i32>
gyre.spec @scale {
  gyre.param "L" in [0, 8]
  gyre.type_param "act" in [f32, f64] default f64
  gyre.func @f(%x: !x, %s: !x, %m: !gyre.map<[e: E] to N>, %k: !k) -> (y: !x, j: !k) {
    %y = arith.mulf %x, %s : !x
    gyre.return %y, %k : !x, !k
  }
  gyre.derive @f_bwd = vjp @f wrt (x as gx, s as gs) given (y as g)
}
"""
DERIVE = SPEC.splitlines()[-2].strip()
LINE = SPEC.splitlines().index("  " + DERIVE) + 1


@pytest.fixture
def gyrec(built_tools, tmp_path):
    def run(text, *options):
        (tmp_path / "scale.mlir").write_text(text, encoding="utf-8")
        return subprocess.run(
            [built_tools.gyrec, tmp_path / "scale.mlir", *options, "-o", tmp_path / "out"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


def assert_refused(done, place, text):
    """place: `line:column`, or the line alone where columns do not matter."""
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    assert done.returncode == 1 and done.stdout == "" and len(errors) == 1, done.stderr
    assert re.search(rf"scale\.mlir:{place}(:\d+)*: error: .*{text}", errors[0]), done.stderr
    assert re.search(r"\[[a-z]+(-[a-z]+)+\] expected .*got", errors[0]), done.stderr
    assert "see current operation" not in done.stderr  # the generic form, for compiler engineers


def test_the_spec_is_right(gyrec, tmp_path):
    done = gyrec(SPEC, "--set", "L=2")
    assert done.returncode == 0 and done.stderr == "" and done.stdout == ""
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"libscale.so", "scale.h", "scale.json"}


BAD_SETS = {
    "unknown": ("L=2,Q=1", 3, r"parameter of @scale \(L, act\), got `Q`"),
    "missing": ("act=f64", 4, "`L`.*got none"),
    "too large": ("L=9", 4, r"`L` in \[0, 8\], got 9"),
    "too small": ("L=-1", 4, r"`L` in \[0, 8\], got -1"),
    "no integer": ("L=two", 4, "an integer for `L`, got `two`"),
    "empty": ("L=", 4, "an integer for `L`, got ``"),
    "no value": ("L", 3, "name=value, got `L`"),
    "twice": ("L=1,L=2", 3, "two for `L`"),
    "type": ("L=1,act=i32", 5, "one of f32, f64 for `act`, got `i32`"),
    "unknown type": ("L=1,act=f128x", 5, "one of f32, f64 for `act`, got `f128x`"),
}


@pytest.mark.parametrize("bad", BAD_SETS)
def test_bad_parameters(gyrec, tmp_path, bad):
    assignment, line, text = BAD_SETS[bad]
    assert_refused(gyrec(SPEC, "--set", assignment), line, text)
    assert not (tmp_path / "out").exists()


SECOND = "gyre.derive @f_bwd2 = vjp @f_bwd wrt (g as dg) given (gx as h)"
BAD_DERIVES = {
    "cycle of one": ("gyre.derive @d = vjp @d wrt (x as gx) given (y as g)", LINE, "@d"),
    "cycle of two": (
        "gyre.derive @c = vjp @d wrt (x as gx) given (y as g)\n"
        "  gyre.derive @d = vjp @c wrt (x as hx) given (gx as h)",
        f"({LINE}|{LINE + 1})",
        "derive-cycle",
    ),
    "map": (DERIVE.replace("s as gs", "m as gm"), LINE, "`m`"),
    "integer": (DERIVE.replace("s as gs", "k as gk"), LINE, "`k`"),
    "cotangent of an integer": (DERIVE.replace("(y as g)", "(j as g)"), LINE, "`j`"),
    "unknown argument": (DERIVE.replace("s as gs", "z as gz"), LINE, "got `z`"),
    "unknown result": (DERIVE.replace("(y as g)", "(z as g)"), LINE, "got `z`"),
    "unknown primal": (DERIVE.replace("@f wrt", "@nothing wrt"), LINE, "@nothing"),
    "argument twice": (DERIVE.replace("s as gs", "x as gs"), LINE, "`x`"),
    "name taken": (DERIVE.replace("s as gs", "s as gx"), LINE, "`gx`"),
    "name of an argument": (DERIVE.replace("(y as g)", "(y as x)"), LINE, "`x`"),
    "unknown result of a derivative": (
        f"{DERIVE}\n  {SECOND.replace('gx as h', 'gy as h')}",
        LINE + 1,
        "got `gy`",
    ),
}


@pytest.mark.parametrize("bad", BAD_DERIVES)
def test_bad_derivatives(gyrec, tmp_path, bad):
    line, place, text = BAD_DERIVES[bad]
    assert_refused(gyrec(SPEC.replace(DERIVE, line), "--set", "L=2"), place, text)
    assert not (tmp_path / "out").exists()


def test_syntax_error(gyrec, tmp_path):
    done = gyrec(SPEC.replace("arith.mulf %x, %s", "arith.mulf %x, %z"), "--set", "L=2")
    assert done.returncode == 1 and done.stderr.count("error:") == 1
    assert "scale.mlir:7:" in done.stderr and "%z" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options, text",
    [
        (("--set", "L=2", "--derive", "f_bwd3"), "f_bwd3"),
        (("--set", "L=2", "--spec", "other"), "other"),
        (("--set", "L=2", "--target", "tpu"), "tpu"),
    ],
)
def test_bad_options(gyrec, tmp_path, options, text):
    done = gyrec(SPEC, *options)
    assert done.returncode == 1 and text in done.stderr and done.stdout == ""
    assert done.stderr.count("error:") == 1 and "expected" in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


def test_earlier_files_survive(gyrec, tmp_path):
    """A failed compilation leaves the library of the last good one."""
    assert gyrec(SPEC, "--set", "L=2").returncode == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert_refused(gyrec(SPEC, "--set", "L=9"), 4, "got 9")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


@pytest.mark.parametrize("kernel", kernels.ALL, ids=lambda kernel: kernel.spec)
def test_kernels_need_their_parameters(built_tools, tmp_path, kernel):
    done = subprocess.run(
        [built_tools.gyrec, kernel.path, "-o", tmp_path / "out"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1 and done.stderr.count("error:") == 1
    assert "[specialise-missing-param]" in done.stderr and not (tmp_path / "out").exists()
