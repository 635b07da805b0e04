"""gyre.compile: what it compiles, what it keeps, what it refuses."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import gyre

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPEC = ROOT / "kernels" / "segment_sum.mlir"
TEXT = """
gyre.spec @doubled {
  gyre.param "C" in [1, 64] default 1
  gyre.type_param "act" in [f32, f64] default f32
  gyre.func @twice(%x: !gyre.tensor<N x C x act>) -> (y: !gyre.tensor<N x C x act>) {
    %y = arith.addf %x, %x : !gyre.tensor<N x C x act>
    gyre.return %y : !gyre.tensor<N x C x act>
  }
  gyre.derive @twice_bwd = vjp @twice wrt (x)
}
"""

# Runs gyrec after a line in a log, a pause and a line on stderr, if they are asked for.
SLOW = """#!/bin/sh
echo run >> "$GYREC_LOG"
[ -z "$GYREC_SAYS" ] || echo "$GYREC_SAYS" >&2
sleep "${GYREC_PAUSE:-0}"
exec "%s" "$@"
"""


@pytest.fixture
def cache(build, tmp_path, monkeypatch):
    """The directory of a cache that is empty, with a compiler that logs its runs to `gyrec.log` beside it."""
    compiler = tmp_path / "gyrec"
    # Another text for each test, so that no test has the libraries of another one.
    compiler.write_text(SLOW % (build / "bin" / "gyrec") + f"# {tmp_path}\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("GYREC", str(compiler))
    monkeypatch.setenv("GYREC_LOG", str(tmp_path / "gyrec.log"))
    monkeypatch.setenv("GYRE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))
    return tmp_path / "cache"


def runs(cache):
    log = cache.parent / "gyrec.log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def entries(cache):
    return [path for path in cache.iterdir() if path.is_dir()]


CALL = f"""
import sys, numpy as np, gyre
library = gyre.compile({TEXT!r}, C=2)
print(library.twice(np.ones((3, 2), np.float32)).sum(), library.path)
"""


def start(code=CALL):
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process):
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return out


# What it compiles -------------------------------------------------------------------------------


def test_a_file_and_a_text(cache):
    library = gyre.compile(SPEC, B=3, act="f64")
    assert library.spec == "segment_sum" and library.params == {"A": 1, "B": 3, "act": "f64"}
    rows = np.arange(12.0).reshape(4, 1, 3)
    out = library.segment_sum(rows, gyre.Map([1, 0, 1, 1], 2))
    assert out.tolist() == [[[3, 4, 5]], [[15, 18, 21]]]
    assert gyre.compile(TEXT).twice(np.float32([[2]])).tolist() == [[4]]
    assert runs(cache) == 2


def test_the_same_again_is_the_same_library(cache):
    library = gyre.compile(str(SPEC), B=3, A=2)
    assert gyre.compile(SPEC, A=np.int64(2), B=3) is library
    assert gyre.compile(SPEC.read_text(), "cpu", B=3, A=2) is library
    assert runs(cache) == 1 and len(entries(cache)) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"C": 3},
        {"act": "f64"},
        {"lowering": "plain"},
        {"derive": "twice"},
        {"derive": ["twice", "twice_bwd"]},
        {"spec": TEXT + "\n// another text\n"},
        {"name": "doubled"},
        {"precision": "tf32"},
    ],
    ids=str,
)
def test_what_makes_another_library(cache, change):
    first = gyre.compile(TEXT, C=2)
    other = gyre.compile(**{"spec": TEXT, "C": 2, **change})
    assert other is not first and runs(cache) == 2
    assert other["twice"].name == "twice"


def test_another_compiler_compiles_again(cache):
    first = gyre.compile(TEXT, C=2)
    with open(os.environ["GYREC"], "a", encoding="utf-8") as file:
        file.write("# another version\n")
    assert gyre.compile(TEXT, C=2) is not first and runs(cache) == 2


def test_other_libraries_of_the_compiler_compile_again(cache, tmp_path, monkeypatch):
    """LLVM's are updated without it."""
    library, ldd = tmp_path / "libLLVM.so", tmp_path / "bin" / "ldd"
    library.write_text("one")
    ldd.parent.mkdir()
    ldd.write_text(f"#!/bin/sh\necho '\tlibLLVM.so => {library} (0x00007f0000000000)'\n")
    ldd.chmod(0o755)
    monkeypatch.setenv("PATH", f"{ldd.parent}:{os.environ['PATH']}")
    first = gyre.compile(TEXT, C=2)
    library.write_text("another")
    monkeypatch.setattr(gyre._compile, "_identities", {})
    assert gyre.compile(TEXT, C=2) is not first and runs(cache) == 2


def test_only_the_functions_that_are_wanted(cache):
    assert [function.name for function in gyre.compile(TEXT, derive="twice_bwd")] == ["twice_bwd"]


def test_warnings_of_the_compiler(cache, monkeypatch):
    monkeypatch.setenv("GYREC_SAYS", "warning: kernel spills")
    with pytest.warns(UserWarning, match="kernel spills"):
        gyre.compile(TEXT)


# Processes ----------------------------------------------------------------------------------------


def test_a_new_process_finds_it(cache):
    first = finish(start())
    assert finish(start()) == first and first.startswith("12.0 ")
    assert runs(cache) == 1


def test_processes_at_once_compile_once(cache, monkeypatch):
    monkeypatch.setenv("GYREC_PAUSE", "0.5")
    outputs = {finish(process) for process in [start() for _ in range(5)]}
    assert len(outputs) == 1 and runs(cache) == 1
    assert [path.suffix for path in cache.iterdir()] == [""]


def test_without_locks_one_entry_wins(cache, monkeypatch):
    """On a file system without them each may compile; all get whole libraries."""
    monkeypatch.setenv("GYREC_PAUSE", "0.5")
    code = "import fcntl\ndef flock(*_): raise OSError('no locks')\nfcntl.flock = flock\n" + CALL
    outputs = {finish(process) for process in [start(code) for _ in range(4)]}
    assert len(outputs) == 1 and 1 <= runs(cache) <= 4
    assert len(entries(cache)) == 1


def test_a_process_that_dies_leaves_no_entry(cache, monkeypatch):
    monkeypatch.setenv("GYREC_PAUSE", "60")
    process = start()
    while not runs(cache):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    monkeypatch.setenv("GYREC_PAUSE", "0")
    assert finish(start()).startswith("12.0 ") and runs(cache) == 2


# Damage -------------------------------------------------------------------------------------------


def truncate(entry):
    os.truncate(entry / "libdoubled.so", 100)


def flip(entry):
    data = bytearray((entry / "libdoubled.so").read_bytes())
    data[len(data) // 2] ^= 1
    (entry / "libdoubled.so").write_bytes(data)


def remove_manifest(entry):
    (entry / "doubled.json").unlink()


def remove_list(entry):
    (entry / "entry.list").unlink()


def spoil_list(entry):
    (entry / "entry.list").write_text('{"files": 3}')


def empty(entry):
    for path in entry.iterdir():
        path.unlink()


def replace_by_file(entry):
    empty(entry)
    entry.rmdir()
    entry.write_text("no directory")


@pytest.mark.parametrize(
    "damage",
    [truncate, flip, remove_manifest, remove_list, spoil_list, empty, replace_by_file],
    ids=lambda damage: damage.__name__,
)
def test_a_damaged_entry_is_made_again(cache, damage):
    first = finish(start())
    (entry,) = entries(cache)
    damage(entry)
    assert finish(start()) == first and runs(cache) == 2
    listed = json.loads((entry / "entry.list").read_text())
    assert set(listed["files"]) | {"entry.list"} == {path.name for path in entry.iterdir()}
    assert finish(start()) == first and runs(cache) == 2


# Places -------------------------------------------------------------------------------------------


def test_where_the_cache_is(monkeypatch):
    monkeypatch.delenv("GYRE_CACHE", raising=False)
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert gyre._cache.root() == pathlib.Path("/home/somebody/.cache/gyre")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert gyre._cache.root() == pathlib.Path("/home/somebody/.cache/gyre")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert gyre._cache.root() == pathlib.Path("/caches/gyre")
    monkeypatch.setenv("GYRE_CACHE", "/here")
    assert gyre._cache.root() == pathlib.Path("/here")


# Errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, text",
    [
        (
            {"C": 65},
            r"<spec>:3:3: error: \[specialise-param-range\] .*, got 65\n  gyre.param \"C\"",
        ),
        ({"D": 1}, r"\[specialise-unknown-param\]"),
        ({"act": "f16"}, r"\[specialise-type-param\]|\[specialise-param"),
        ({"derive": "none"}, r"\[keep-unknown\] expected one of twice, twice_bwd, got none"),
        ({"target": "tpu"}, r"\[gyrec-target\] expected --target=cpu or cuda, got tpu"),
        ({"lowering": "fast"}, "fast"),
        ({"arch": "sm_80"}, r"\[gyrec-target\] expected --target=cuda"),
        ({"name": "other"}, r"\[specialise-spec\]"),
        ({"precision": "fast"}, r"\[set-precision\] expected one of ieee, .*, got fast"),
        ({"C": 1.5}, r"\[python-param\] parameter `C`: expected an integer or .*, got float"),
        ({"C": True}, r"\[python-param\] parameter `C`: .*, got bool"),
        ({"spec": "none.mlir"}, r"\[python-spec\] expected the path or the text of a spec"),
        ({"spec": 3}, r"\[python-spec\]"),
        ({"spec": "not a\nspec"}, "<spec>:1:1: error"),
        ({"spec": ROOT / "kernels"}, r"\[python-spec\]"),
    ],
    ids=str,
)
def test_errors_are_exceptions_with_the_text_of_the_compiler(cache, change, text):
    with pytest.raises(gyre.Error, match=text):
        gyre.compile(**{"spec": TEXT, **change})
    assert not cache.exists() or not list(cache.iterdir())


def test_a_file_is_called_by_its_name(cache):
    with pytest.raises(gyre.Error, match=f"{SPEC}:9:3: error"):
        gyre.compile(SPEC, B=0)


def test_no_compiler(cache, monkeypatch, tmp_path):
    monkeypatch.setenv("GYREC", str(tmp_path / "none"))
    with pytest.raises(gyre.Error, match=r"\[python-compiler\] expected gyrec, .*none"):
        gyre.compile(TEXT)
    broken = tmp_path / "broken"
    broken.write_text("no program")
    broken.chmod(0o755)
    monkeypatch.setenv("GYREC", str(broken))
    with pytest.raises(gyre.Error, match=r"\[python-compiler\] expected .*broken to run, got"):
        gyre.compile(TEXT)
    broken.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(
        gyre.Error, match=r"\[python-compiler\] .* to compile <spec>, got exit status 3"
    ):
        gyre.compile(TEXT)


def test_no_place_for_the_cache(cache, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GYRE_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(gyre.Error, match=r"\[python-cache\] expected a directory .*\$GYRE_CACHE"):
        gyre.compile(TEXT)
