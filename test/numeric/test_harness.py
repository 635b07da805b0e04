"""Tests of the harness itself; they need no tool. test_checks.py has those of the checks."""

import itertools
import sys

import numpy as np
import pytest

import cases
import checks
import graphs
import kernels
import measure
import pairwise
import spec_reference
import spectext
import tools
from magnitude import Magnitude
from stand_in import PageTools

ROTATE = cases.ROTATE_MIX_SMALL
SEGMENT = cases.single(kernels.SEGMENT_SUM, A=4, B=3)


# The page -----------------------------------------------------------------------------------------


def test_page_blocks_are_verbatim(page):
    text = spec_reference.PAGE.read_text(encoding="utf-8")
    found = spec_reference.blocks(text)
    assert len(found) == text.count("```python\n") > 5
    lines = text.splitlines()
    for line, source in found:
        assert lines[line - 1] == source.splitlines()[0]
    for name in ("rotate_mix_bwd2", "act_bwd2", "seg_sum", "build_csr"):
        assert callable(getattr(page, name))


def test_page_without_blocks_is_refused(tmp_path):
    (tmp_path / "empty.md").write_text("# nothing\n")
    with pytest.raises(ValueError, match="expected python blocks"):
        spec_reference.load(tmp_path / "empty.md")


# Pairwise -----------------------------------------------------------------------------------------

FACTORS = {"a": [0, 1, 2], "b": list("wxyz"), "c": [True, False], "d": [10, 20, 30]}


def covered(rows, names):
    return set().union(*(pairwise.pairs_of(row, names) for row in rows))


def test_pairwise_covers_every_pair():
    rows = pairwise.covering(FACTORS, seed=3)
    wanted = {
        ((m, x), (n, y))
        for m, n in itertools.combinations(FACTORS, 2)
        for x in FACTORS[m]
        for y in FACTORS[n]
    }
    assert covered(rows, list(FACTORS)) == wanted
    assert len(rows) <= 18 < 72
    assert all(list(row) == list(FACTORS) for row in rows)


def test_pairwise_is_deterministic():
    assert pairwise.covering(FACTORS, seed=5) == pairwise.covering(FACTORS, seed=5)


def test_pairwise_honours_constraints():
    def allowed(row):
        if row.get("a") == 2 and row.get("b") == "w":
            return False
        return not (
            row.get("b") == "z" and "c" in row and "d" in row and row["c"] and row["d"] != 10
        )

    rows = pairwise.covering(FACTORS, allowed, seed=1)
    assert all(allowed(row) for row in rows)
    wanted = pairwise.required_pairs(FACTORS, allowed)
    assert covered(rows, list(FACTORS)) == wanted
    assert (("a", 2), ("b", "w")) not in wanted and (("b", "z"), ("d", 20)) in wanted


def test_pairwise_drops_pairs_that_no_row_can_have():
    # a = 0 forces c, c forces d: the pair (a = 0, d = 20) is infeasible though no rule names it.
    def allowed(row):
        return not (row.get("a") == 0 and row.get("c") is False) and not (
            row.get("c") is True and row.get("d", 10) != 10
        )

    wanted = pairwise.required_pairs(FACTORS, allowed)
    assert (("a", 0), ("d", 20)) not in wanted
    assert covered(pairwise.covering(FACTORS, allowed), list(FACTORS)) == wanted


@pytest.mark.parametrize("factors", [{"a": [1, 2]}, {"a": [1, 1], "b": [1]}, {"a": [], "b": [1]}])
def test_pairwise_refuses_bad_factors(factors):
    with pytest.raises(ValueError, match="expected"):
        pairwise.covering(factors)


# The measure --------------------------------------------------------------------------------------


def test_measure_bound():
    u, n, mag = 2.0**-24, 16, np.array([2.0, 3.0])
    bound = 16 * u * mag
    reference = np.array([1.0, -2.0])
    measure.within("r", reference + bound, reference, mag, n, u)
    with pytest.raises(measure.Mismatch, match=r"1 of 2 elements.*worst at \(1,\)") as caught:
        measure.within("r", reference + [0, 1.01] * bound, reference, mag, n, u)
    assert caught.value.worst == pytest.approx(1.01)


def test_measure_of_one_last_rounding():
    """Computed in f32 and stored in f16: two roundings to f16 are too many, of subnormals too."""

    def within(actual, reference):
        reference = np.array([reference])
        measure.within("r", np.array([actual]), reference, np.abs(reference), 1, 2.0**-24, "f16")

    for reference, spacing in ((1.0, 2.0**-10), (4.21e-5, 2.0**-24)):
        within(reference + spacing / 2, reference)
        with pytest.raises(measure.Mismatch, match="1 of 1 elements"):
            within(reference + spacing, reference)


def test_measure_is_the_largest_error_in_bounds():
    bound = np.array([4.0, 0.0, 2.0])
    assert measure.check("r", np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 4.0]), bound) == 0.5
    assert measure.check("r", np.zeros(0), np.zeros(0), np.zeros(0)) == 0.0


def test_close_bound():
    one = np.ones(3)
    measure.close("r", one + 64 * 2.0**-53, one, one)
    with pytest.raises(measure.Mismatch):
        measure.close("r", one + 68 * 2.0**-53, one, one)


def test_one_wrong_row_is_not_hidden_by_large_values():
    reference = np.array([[1e8, 1e8], [1.0, 1.0]])
    actual = reference.copy()
    actual[1, 0] = 1.001
    with pytest.raises(measure.Mismatch):
        measure.within("r", actual, reference, np.abs(reference), 4, 2.0**-24)


@pytest.mark.parametrize(
    "actual, reference, magnitude",
    [
        (np.nan, 1.0, 1e30),
        (1.0, np.nan, 1e30),
        (np.nan, np.nan, 1e30),
        (np.inf, 1.0, 1e30),
        (np.inf, np.inf, 1.0),
        (1.0, 1.0, np.nan),
        (1.0, 1.0, np.inf),
        (1e-300, 0.0, 0.0),
    ],
)
def test_nothing_special_passes(actual, reference, magnitude):
    with pytest.raises(measure.Mismatch):
        measure.within(
            "r", np.array([actual]), np.array([reference]), np.array([magnitude]), 1, 2.0**-24
        )


def test_shapes_must_agree():
    with pytest.raises(measure.Mismatch, match="expected shape"):
        measure.close("r", np.ones((1, 3)), np.ones(3), np.ones(3))
    with pytest.raises(measure.Mismatch, match="expected shape"):
        measure.close("r", np.ones(3), np.ones(3), np.ones(1))


def test_exact():
    measure.exact("r", np.array([-0.0, 2.0]), np.array([0.0, 2.0]))
    with pytest.raises(measure.Mismatch):
        measure.exact("r", np.array([np.nextafter(2.0, 3.0)]), np.array([2.0]))


# Magnitudes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [ROTATE, cases.ROTATE_MIX_DIAGONAL], ids=lambda case: case.name)
def test_magnitude_of_a_multilinear_kernel_is_the_kernel_of_absolute_inputs(page, case):
    """The two definitions of measure.py agree where both apply, on the parts that need no index updates."""
    v = case.random_inputs()
    plain = kernels.map_floats(v, np.abs)
    pairs = kernels.map_floats(v, Magnitude)
    L, R, cb = case.p["L"], case.p["R"], v.get("cb")
    xe, wr = v["x"][v["src"].array], page.struct_rows(v["wigner"], L)
    rotated = np.einsum("erd,edc->erc", Magnitude(wr), Magnitude(xe))
    mixed = page.mix(rotated, pairs["kc"], pairs.get("cb"), L, R)
    expected = page.mix(
        page.rotate(np.abs(xe), plain["wigner"], L), plain["kc"], plain.get("cb"), L, R
    )
    np.testing.assert_allclose(mixed.mag, expected, rtol=1e-14)
    np.testing.assert_allclose(
        mixed.value,
        page.mix(page.rotate(xe, v["wigner"], L), v["kc"], cb, L, R),
        rtol=1e-12,
        atol=1e-12,
    )


def test_magnitude_of_a_sigmoid(page):
    t = np.linspace(-8, 8, 33)
    got = page.sgm(Magnitude(t, 3 * np.abs(t)))
    s = page.sgm(t)
    np.testing.assert_allclose(got.mag, s + s * (1 - s) * 3 * np.abs(t), rtol=1e-12)
    np.testing.assert_allclose(got.value, s, rtol=1e-15)


def test_magnitude_makes_every_sign_positive():
    a, b = Magnitude([1.0, -2.0]), Magnitude([1.0, -2.0])
    assert (a - b).value.tolist() == [0, 0] and (a - b).mag.tolist() == [2, 4]
    assert (-(a * b)).mag.tolist() == [1, 4]
    assert (1 - Magnitude([1.0])).mag.tolist() == [2]


@pytest.mark.parametrize(
    "op",
    [
        np.log,
        np.maximum.accumulate,
        np.cumsum,
        lambda a: np.add(a, a, where=[True]),
        np.sin,
    ],
)
def test_magnitude_has_no_default_rule(op):
    with pytest.raises(TypeError):
        op(Magnitude([1.0, 2.0]))


# Graphs and cases ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", graphs.KINDS)
def test_graphs_are_valid(kind):
    src, nodes = graphs.make(kind, np.random.default_rng(1))
    assert src.dtype == np.int64 and src.ndim == 1
    assert (src >= 0).all() and (src < nodes).all()


def test_graphs_are_what_they_are_called():
    made = {kind: graphs.make(kind, np.random.default_rng(1)) for kind in graphs.KINDS}
    degrees = {kind: np.bincount(src, minlength=nodes) for kind, (src, nodes) in made.items()}
    assert made["no_edges"][1] > 0 and len(made["no_edges"][0]) == 0
    assert made["no_nodes"][1] == 0 and len(made["no_nodes"][0]) == 0
    assert len(made["one_edge"][0]) == 1
    assert (degrees["isolated"] == 0).sum() >= 6 and degrees["isolated"][[0, -1]].tolist() == [0, 0]
    assert (degrees["hub"] > 0).sum() == 1
    assert degrees["power_law"].max() > 4 * np.median(degrees["power_law"])
    src, nodes = graphs.big_hub(np.random.default_rng(1))
    assert np.bincount(src, minlength=nodes).max() > 5 * 256


@pytest.mark.parametrize("kernel", kernels.ALL, ids=lambda kernel: kernel.spec)
def test_cases_cover_all_pairs(kernel):
    made, factors = cases.pairwise_cases(kernel), cases.FACTORS[kernel.spec]
    rows = [{**case.p, "graph": case.graph} for case in made]
    assert covered(rows, list(factors)) >= pairwise.required_pairs(factors, cases.allowed(kernel))
    assert len({case.name for case in made}) == len(made) < 110


def test_inputs_are_reproducible_and_rounded():
    case = cases.in_f32(ROTATE)
    first, second = case.random_inputs(), case.random_inputs()
    assert (
        first.keys()
        == second.keys()
        >= {"x", "src", "wigner", "kc", "cb", "g", "hx", "hwigner", "hkc", "hcb"}
    )
    for name, value in first.items():
        if not isinstance(value, kernels.Index):
            assert value.dtype == np.float32 and value.tobytes() == second[name].tobytes()


@pytest.mark.parametrize(
    "kernel", [k for k in kernels.ALL if k.exact_inputs], ids=lambda kernel: kernel.spec
)
def test_integer_inputs_are_exact_in_single_precision(page, kernel):
    """In fp32 the page's own arithmetic gives the fp64 result: every sum is exact."""
    made = [case for case in cases.pairwise_cases(kernel) if case.p["act"] == "f32"]
    stand_in = checks.Session(page, PageTools(page))
    nonzero = 0
    for case in made:
        v = case.integer_inputs(page)
        for function in kernel.functions(case.p):
            exact, single = (
                kernels.evaluate(page, case.p, function, v),
                stand_in.compiled(case, function, v),
            )
            for name in function.results:
                measure.exact(f"{case.name}: {name}", single[name], exact[name])
                nonzero += bool(exact[name].any())
    assert nonzero > len(made)


# Spec texts ---------------------------------------------------------------------------------------

SPEC = """// a comment with { and gyre.alternative where R >= 1 {
gyre.spec @s {
  gyre.param "R" in [0, 8] doc "a } in a string"
  gyre.alternative where R >= 1 {
    gyre.func @f() -> () {
      gyre.return // }
    }
  }
  gyre.alternative where R == 0 {
    gyre.func @f() -> () { over {(r = l) : l in [0, L]} }
  }
}
"""


def test_lines_go_into_the_alternative():
    for condition, marker in (
        ("R >= 1", "gyre.return // }\n    }\n  "),
        ("R == 0", "over {(r = l) : l in [0, L]} }\n  "),
    ):
        text = spectext.add_lines(SPEC, ["one", "two"], condition)
        assert text == SPEC.replace(marker, marker + "\n    one\n    two\n")


def test_lines_go_into_a_spec_without_alternatives():
    assert (
        spectext.add_lines("gyre.spec @s {\n  a { b }\n}\n", ["one"])
        == "gyre.spec @s {\n  a { b }\n\n    one\n}\n"
    )


@pytest.mark.parametrize(
    "text, condition",
    [(SPEC, "R >= 2"), (SPEC, None), ("module {}", None), ("gyre.spec @s {", None)],
)
def test_lines_without_a_place_are_refused(text, condition):
    with pytest.raises(ValueError, match="expected"):
        spectext.add_lines(text, ["one"], condition)


# Subprocesses -------------------------------------------------------------------------------------

# A tool that follows the conventions of gyre-run: doubles `rows` and logs its command line.
FAKE_RUN = (
    f"#!{sys.executable}\n"
    + """
import pathlib, sys
import numpy as np
arguments = sys.argv[1:]
option = lambda name: pathlib.Path(arguments[arguments.index(name) + 1])
(option("--out") / "log").write_text(" ".join(arguments))
if option("--func").name != "segment_sum":
    sys.exit("error: no such function")
assert np.load(option("--in") / "index.npy").dtype == np.int64
np.save(option("--out") / "out.npy", 2 * np.load(option("--in") / "rows.npy").astype(np.float64))
"""
)


@pytest.fixture
def fake_tools(tmp_path):
    (tmp_path / "build" / "bin").mkdir(parents=True)
    run = tmp_path / "build" / "bin" / "gyre-run"
    run.write_text(FAKE_RUN)
    run.chmod(0o755)
    fake = tools.Tools(tmp_path / "build", tmp_path / "scratch")
    yield fake
    fake.close()


def test_interpreter_convention(fake_tools, tmp_path):
    forward, backward, _ = kernels.SEGMENT_SUM.functions(SEGMENT.p)
    v = cases.in_f32(SEGMENT).random_inputs()
    spec = tmp_path / "segment_sum.mlir"
    spec.write_text("")
    results = fake_tools.interpret(spec, SEGMENT.p, forward, v)
    assert results["out"].tolist() == (2 * np.float64(v["rows"])).tolist()
    (log,) = (tmp_path / "scratch").glob("kept/*/*/log")
    words = log.read_text().split()
    assert words[:7] == [
        "--interpret",
        str(spec),
        "--set",
        "A=4,B=3,act=f64",
        "--size",
        f"N={v['index'].target}",
        "--func",
    ]
    with pytest.raises(
        tools.ToolError, match="(?s)exit status 1.*segment_sum_bwd.*no such function"
    ):
        fake_tools.interpret(spec, SEGMENT.p, backward, v)


def test_a_tool_without_end_is_an_error():
    with pytest.raises(tools.ToolError, match=r"`/bin/sleep 60` to end within 0.1 s"):
        tools.call(["/bin/sleep", "60"], timeout=0.1)


def test_a_missing_result_is_an_error(fake_tools, tmp_path):
    forward = kernels.SEGMENT_SUM.functions(SEGMENT.p)[0]
    spec = tmp_path / "s.mlir"
    spec.write_text("")
    with pytest.raises(tools.ToolError, match="expected a file for result `other`"):
        fake_tools.interpret(
            spec,
            SEGMENT.p,
            forward.__class__(**{**forward.__dict__, "results": ("other",)}),
            SEGMENT.random_inputs(),
        )


def test_a_missing_tool_is_an_error(tmp_path, page):
    missing = tools.Tools(tmp_path / "nowhere", tmp_path / "scratch")
    spec = tmp_path / "s.mlir"
    spec.write_text("")
    with pytest.raises(tools.ToolError, match="gyre-run: expected the built tool"):
        missing.interpret(
            spec, SEGMENT.p, kernels.SEGMENT_SUM.functions(SEGMENT.p)[0], SEGMENT.random_inputs()
        )
    with pytest.raises(tools.ToolError, match="gyrec: expected the built tool"):
        missing.library(spec, SEGMENT.p)
    missing.close()


def test_a_parameter_set_is_compiled_once(tmp_path):
    (tmp_path / "bin").mkdir()
    gyrec = tmp_path / "bin" / "gyrec"
    gyrec.write_text(
        '#!/bin/sh\necho "$@" >> '
        + str(tmp_path / "log")
        + "\nfor last; do :; done\necho '{}' > \"$last/s.json\"\n"
    )
    gyrec.chmod(0o755)
    spec = tmp_path / "s.mlir"
    spec.write_text("")
    fake = tools.Tools(tmp_path, tmp_path / "scratch")
    fake.prepare(spec, {"L": 1, "act": "f32"})
    paths = {
        fake.manifest(spec, p)
        for p in ({"L": 1, "act": "f32"}, {"L": 2, "act": "f32"}, {"L": 1, "act": "f32"})
    }
    fake.close()
    assert len(paths) == 2
    commands = (tmp_path / "log").read_text().splitlines()
    assert sorted(line.split(" -o ")[0] for line in commands) == [
        f"{spec} --set L={L},act=f32" for L in (1, 2)
    ]


def test_what_the_same_tool_made_is_kept(tmp_path):
    run, log, spec = tmp_path / "bin" / "gyre-run", tmp_path / "log", tmp_path / "s.mlir"
    run.parent.mkdir()
    forward, v = kernels.SEGMENT_SUM.functions(SEGMENT.p)[0], SEGMENT.random_inputs()
    spec.write_text("")

    def runs(p=SEGMENT.p, v=v):
        """How often gyre-run runs for what a new session of tests asks for."""
        run.write_text(FAKE_RUN + f"open({str(log)!r}, 'a').write('run ')\n# {version}\n")
        run.chmod(0o755)
        before = len(log.read_text().split()) if log.exists() else 0
        scratch = tmp_path / f"scratch{len(list(tmp_path.iterdir()))}"
        scratch.mkdir()
        fake = tools.Tools(tmp_path, scratch, kept=tmp_path / "kept")
        assert (fake.interpret(spec, p, forward, v)["out"] == 2 * v["rows"]).all()
        fake.close()
        return len(log.read_text().split()) - before

    version = 1
    assert [runs(), runs()] == [1, 0]
    assert [runs({**SEGMENT.p, "B": 7}), runs(v={**v, "rows": 3 * v["rows"]})] == [1, 1]
    spec.write_text("// another\n")
    assert [runs(), runs()] == [1, 0]
    version = 2
    assert [runs(), runs()] == [1, 0]
    assert len(list((tmp_path / "kept").iterdir())) == 1
    (entry,) = (tmp_path / "kept").glob("*/*/out.npy")
    entry.write_bytes(b"damaged")
    assert [runs(), runs()] == [1, 0]
