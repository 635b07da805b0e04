"""The ways to a compiled kernel agree: the manifest, gyre-run on files, and the Python package."""

import json
import re
import subprocess

import numpy as np
import pytest

import cases
import gyre
import kernels

SMALL = [
    cases.ROTATE_MIX_SMALL,
    cases.ROTATE_MIX_DIAGONAL,
    cases.MESSAGE_SMALL,
    cases.GATED_SMALL,
    cases.GATED_SCALAR,
    cases.Case.make(kernels.SEGMENT_SUM, {"A": 4, "B": 3, "act": "f32", "graph": "isolated"}),
]
each_case = pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)


@each_case
def test_manifest_lists_the_functions_of_the_spec(session, case):
    described = session.tools.described(case.kernel.path, case.p)
    assert described["spec"] == case.kernel.spec and case.p.items() <= described["params"].items()
    listed = {entry["name"]: entry for entry in described["functions"]}
    assert listed.keys() == {function.name for function in case.kernel.functions(case.p)}
    for function in case.kernel.functions(case.p):
        entry = listed[function.name]
        assert {argument["name"] for argument in entry["arguments"]} == set(function.arguments)
        assert [result["name"] for result in entry["results"]] == list(function.results)


@each_case
def test_gyre_run_equals_the_package(session, case):
    v = session.inputs(case, "random")
    manifest = session.tools.manifest(case.kernel.path, case.p)
    for function in case.kernel.functions(case.p):
        through_files, called = (
            session.tools.run_manifest(manifest, function, v),
            session.compiled(case, function, v),
        )
        for name in function.results:
            assert through_files[name].dtype == called[name].dtype == cases.DTYPES[case.p["act"]]
            assert through_files[name].shape == called[name].shape
            assert through_files[name].tobytes() == called[name].tobytes(), (
                f"{function.name}: {name}"
            )


def test_a_kernel_refuses_what_does_not_fit(session):
    """The message names the argument, what was expected and what came, and nothing is written."""
    case = cases.ROTATE_MIX_SMALL
    v, function = session.inputs(case, "random"), case.kernel.function(case.p, "rotate_mix")
    edges, out = len(v["src"].array), np.full(session.reference(case, function)["u"].shape, 7.0)
    for change, text in (
        (
            {"wigner": np.concatenate([v["wigner"], v["wigner"][:1]])},
            rf"rotate_mix: argument `wigner`: dimension 0 \(E\): expected {edges} .*, got {edges + 1}",
        ),
        ({"x": v["x"].astype(np.float32)}, "argument `x`.*expected.*f64.*got.*f32"),
        ({"kc": v["kc"][:, :-1]}, "argument `kc`: dimension 1"),
    ):
        with pytest.raises(gyre.Error, match=text):
            session.tools.run(case.kernel.path, case.p, function, {**v, **change}, {"u": out})
        assert (out == 7).all()


def test_gyre_run_refuses(session, tmp_path):
    """One line on stderr, exit status 1, no file."""
    case = cases.single(kernels.SEGMENT_SUM, A=2, B=3)
    manifest = session.tools.manifest(case.kernel.path, case.p)
    v = session.inputs(case, "random")
    inputs = {"rows": v["rows"], "index": v["index"].array}
    sized = ("--size", f"N={v['index'].target}")

    def refused(text, changed=None, options=sized, func="segment_sum", path=manifest):
        for name, array in {**inputs, **(changed or {})}.items():
            np.save(tmp_path / f"{name}.npy", array)
        done = subprocess.run(
            [session.tools.gyre_run, path, "--func", func, *options]
            + ["--in", tmp_path, "--out", tmp_path / "out"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 1 and re.search(text, done.stderr), done.stderr
        assert done.stderr.count("\n") == 1 and done.stdout == ""
        assert not (tmp_path / "out").exists()

    refused("expected one of the functions segment_sum, .*, got `other`", func="other")
    refused(r"\[run-size\] expected a value for `N`", options=())
    refused("index.*expected.*got", {"index": v["index"].array + v["index"].target})
    refused("index.*expected.*got f64", {"index": v["index"].array.astype(float)})
    refused("`rows`: expected.*f64, got f32", {"rows": v["rows"].astype(np.float32)})
    refused(r"`rows`: dimension 1: expected 2.*got 1", {"rows": v["rows"][:, :1]})
    refused(r"`index`: axis 0 \(E\): expected 8", {"rows": v["rows"][1:]})
    refused("manifest", path=tmp_path / "none.json")
    for text in ("{", "[]", '{"gyre": 2}', '{"gyre": 1, "library": "x", "functions": [3]}'):
        (tmp_path / "bad.json").write_text(text)
        refused(r"\[run-(manifest|function)\] expected", path=tmp_path / "bad.json")
    described = {**session.tools.described(case.kernel.path, case.p), "library": "none.so"}
    (tmp_path / "lost.json").write_text(json.dumps(described))
    refused(r"\[run-library\] expected a library", path=tmp_path / "lost.json")
    refused(r"\[run-mode\] expected --interpret", path=case.kernel.path)
