"""The ways to a compiled kernel agree: the manifest, gyre-run on files, and the Python package."""

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
    assert described["spec"] == case.kernel.spec and described["params"] == case.p
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
        through_files, called = session.tools.run_manifest(manifest, function, v), session.compiled(
            case, function, v
        )
        for name in function.results:
            assert through_files[name].dtype == called[name].dtype == cases.DTYPES[case.p["act"]]
            assert through_files[name].shape == called[name].shape
            assert (
                through_files[name].tobytes() == called[name].tobytes()
            ), f"{function.name}: {name}"


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
