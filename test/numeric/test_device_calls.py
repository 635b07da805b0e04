"""One process of gyre-call that takes many calls: what happens when a call fails, crashes or hangs."""

import argparse
import pathlib
import stat
import sys

import measure
import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "device"))
import calls  # noqa: E402

FAKE = f"""#!{sys.executable}
import os, sys, time
for count, line in enumerate(sys.stdin, 1):
    manifest, *words = line.rstrip("\\n").split("\\t")
    if "crash" in words:
        print("going down", flush=True)
        os.abort()
    if "hang" in words:
        time.sleep(60)
    print("call", count, *words)
    print("gyre-call: status", int("fail" in words), flush=True)
"""


@pytest.fixture
def server(tmp_path, monkeypatch):
    tool = tmp_path / "bin" / "gyre-call"
    tool.parent.mkdir()
    tool.write_text(FAKE, encoding="utf-8")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(calls, "HERE", tmp_path)
    made = calls.Server()
    yield made
    made.close()


def run(server, *words, timeout=30):
    options = argparse.Namespace(sanitize=None, device=0, timeout=timeout)
    server.run(options, "lib.json", "f", *words)


def test_one_process_takes_all_calls(server):
    run(server, "--func", "f")
    first = server._process.pid
    run(server, "--func", "g")
    assert server._process.pid == first


def test_the_next_call_after_a_failure_has_a_new_process(server):
    run(server, "good")
    with pytest.raises(measure.Mismatch, match=r"^f: call 2 fail$"):
        run(server, "fail")
    with pytest.raises(measure.Mismatch, match=r"^f: call 1 fail$"):
        run(server, "fail")
    run(server, "good")


@pytest.mark.parametrize("word, message", [("crash", "going down"), ("hang", "took too long")])
def test_a_call_that_ends_its_process_fails(server, word, message):
    with pytest.raises(measure.Mismatch, match=message):
        run(server, word, timeout=1 if word == "hang" else 30)
    run(server, "good")
