"""What test/bench measures with: fewest bytes, neighbours of water, formulas of PyTorch, identities, receipts."""

import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import checks
import keys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "test" / "bench"))

import identity  # noqa: E402
import receipts  # noqa: E402
import traffic  # noqa: E402
import water  # noqa: E402

KERNELS = ROOT / "kernels"
SMALL = {
    "so2_rotate_mix": {"L": 2, "F": 2, "C": 4, "R": 2, "act": "f32"},
    "gated_activation": {"L": 2, "F": 2, "C": 4, "act": "f32"},
    "segment_sum": {"A": 2, "B": 3, "act": "f32"},
}


def library(built_tools, spec, **p):
    return built_tools.library(KERNELS / f"{spec}.mlir", {**SMALL[spec], **p})


# Fewest bytes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("R", [0, 1])
def test_reads_are_the_structural_entries(built_tools, page, R):
    rotate_mix = library(built_tools, "so2_rotate_mix", R=R)
    structural = checks.structural(page, {"L": 2}).reshape(-1)
    read = {}
    for function in rotate_mix:
        for argument in function.arguments:
            if argument.kind == "tensor":
                found = traffic.cells_read(function, argument, lambda array: array)
                read.setdefault(function.name, {})[argument.name] = found
    for function in rotate_mix:
        names = {"wigner", "hwigner"} & set(read[function.name])
        assert names, function.name
        for name, found in read[function.name].items():
            if function.name == "rotate_mix_basis_grad":  # a sum over all rows shows none of them
                assert found is None
            elif name in names:
                assert found.tolist() == structural.tolist(), (function.name, name)
            else:
                assert found is None or found.all(), (function.name, name)


def test_fewest_bytes(built_tools, page):
    """The page's formula for the forward, section 12."""
    forward = library(built_tools, "so2_rotate_mix").rotate_mix
    sizes, L, Cw, R = {"E": 1000, "N": 30}, 2, 8, 2
    read = {
        a.name: traffic.cells_read(forward, a, lambda array: array)
        for a in forward.arguments
        if a.kind == "tensor"
    }
    D, rows, entries = (L + 1) ** 2, 3 * L + 1, checks.structural(page, {"L": L}).sum()
    radial = (D + L * L) * R
    expected = 4 * (30 * D * Cw + 1000 * (entries + radial + rows * Cw + 1) + R * Cw)
    assert traffic.fewest_bytes(forward, sizes, read) == expected


# Inputs -------------------------------------------------------------------------------------------


def test_water_is_that_of_the_demo():
    neighbours, centres, atoms = water.edges()
    assert (len(neighbours), atoms) == (16992, 192)  # as ./dev demo prints
    assert np.all(np.diff(centres) >= 0)
    pairs = set(zip(neighbours.tolist(), centres.tolist()))
    assert all((b, a) in pairs for a, b in pairs)
    more, more_centres, more_atoms = water.edges(3)
    assert more_atoms == 3 * atoms and np.all(np.diff(more_centres) >= 0)
    for i in range(3):
        box = slice(i * len(neighbours), (i + 1) * len(neighbours))
        assert np.array_equal(more[box], neighbours + i * atoms)
        assert np.array_equal(more_centres[box], centres + i * atoms)


# Formulas of PyTorch ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec, p",
    [
        ("so2_rotate_mix", {}),
        ("so2_rotate_mix", {"R": 0}),
        ("gated_activation", {}),
        ("gated_activation", {"L": 0}),
        ("segment_sum", {}),
    ],
)
def test_baselines_compute_the_same(built_tools, spec, p):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (python3-torch)")
    import baselines
    import bench

    made, sizes = library(built_tools, spec, **p), {"E": 60, "N": 7}
    plain = baselines.Baselines(made, sizes)
    measured = bench.Bench("cpu", runs=1)
    graph = bench.Graph("random", sizes, measured)
    operands = bench.Operands(measured, graph)
    for function in made:
        assert plain.has(function.name)
        values = operands.of(function, {name: sizes[name] for name in function.sizes})
        tensors = [
            graph.index(o.name) if o.kind == "map" else value
            for o, value in zip(function.arguments, values)
        ]
        results = bench.as_tuple(function(*values))
        others = plain.function(function.name)(*tensors)
        assert len(others) == len(results) and all(map(torch.is_tensor, others))
        assert not any(other.requires_grad for other in others)
        assert bench.largest_difference(results, others) < 1e-5, function.name
        traced = plain.traced(function.name, tensors)
        assert bench.largest_difference(others, traced(*tensors)) < 1e-6
        assert bench.largest_difference(results, [1.01 * other for other in others]) > 1e-3


def test_packed_matrices_have_the_structural_entries():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (python3-torch)")
    import baselines

    L, edges, nodes, width = 3, 5, 4, 6
    generator = torch.Generator().manual_seed(1)
    shapes = (
        (nodes, (L + 1) ** 2, width),
        (edges, (L + 1) ** 2, (L + 1) ** 2),
        (edges, L + 1, width),
    )
    x, wigner, kc = (torch.randn(shape, generator=generator) for shape in shapes)
    src = torch.randint(nodes, (edges,), generator=generator)
    packed = torch.cat(
        [
            wigner[:, l * l + l + m, l * l : (l + 1) ** 2]
            for l in range(L + 1)
            for m in ((-1, 0, 1) if l else (0,))
        ],
        1,
    )
    dense, given = {"L": L, "F": 2, "R": 0}, (x, src)
    (expected,) = baselines.rotate_mix(dense, *given, wigner, kc)
    (found,) = baselines.rotate_mix({**dense, "packed": 1}, *given, packed, kc)
    assert torch.equal(found, expected)


def test_other_results_are_a_failure():
    pytest.importorskip("torch", reason="PyTorch is not installed (python3-torch)")
    import bench

    def row(**others):
        return {"function": "f", "graph": "random", "baselines": others}

    right, wrong = ({"difference": x, "agrees": a} for x, a in ((1e-6, True), (0.5, False)))
    found = {
        "rows": [row(eager=right, compile=wrong), row(eager={"failure": "no compiler"}), row()]
    }
    (message,) = bench.disagreements(found)
    assert (
        message == "f, random: expected results within 0.0001 of PyTorch's (compile), got 5.0e-01"
    )


# Identities ---------------------------------------------------------------------------------------

PTX = """// made by a compiler
.version 8.0
.target sm_90a
.extern .shared .align 16 .b8 gyre_shared[];
	// .globl	gyre_sum_0
.visible .entry gyre_sum_0(
	.param .u64 a
) { ret; }
.visible .entry gyre_sum_0_nodes(
) { ret; }
.visible .entry gyre_sum_bwd_cells_3(
) { ret; }
"""


def test_names_of_kernels():
    for kernel, function in {
        "gyre_rotate_mix_bwd2_0_nodes": "rotate_mix_bwd2",
        "gyre_gated_activation_cells_0_beside_0": "gated_activation",
        "gyre_gated_activation_bwd_cells_12": "gated_activation_bwd",
        "another": None,
    }.items():
        assert identity.function_of(kernel) == function


def test_hashes_are_of_functions():
    found = identity.hashes(PTX)
    assert set(found) == {"sum", "sum_bwd"}
    assert identity.hashes(PTX.replace("made by", "made on Monday by")) == found
    other = identity.hashes(
        PTX.replace("gyre_sum_0_nodes(\n) { ret; }", "gyre_sum_0_nodes(\n) { }")
    )
    assert other["sum"] != found["sum"] and other["sum_bwd"] == found["sum_bwd"]
    assert not set(identity.hashes(PTX.replace("sm_90a", "sm_80")).values()) & set(found.values())


def test_hashes_need_no_place(build, tmp_path):
    copy = tmp_path / "elsewhere.mlir"
    copy.write_bytes((KERNELS / "segment_sum.mlir").read_bytes())
    gyrec = build / "bin" / "gyrec"
    found = [
        identity.hashes(identity.ptx(gyrec, path, words, "sm_90a"))
        for path, words in (
            (KERNELS / "segment_sum.mlir", "A=2,B=32"),
            (copy, "A=2,B=32"),
            (copy, "A=2,B=64"),
        )
    ]
    assert found[0] == found[1] and set(found[0]) == {"segment_sum", "segment_sum_bwd"}
    assert found[2] != found[0]


# Receipts -----------------------------------------------------------------------------------------


def receipt(function="segment_sum", ms=2.0, ptx="aa", graph="random", spec="segment_sum"):
    entry = {"key": "mini", "spec": spec, "arch": "sm_90a", "ptxas": "13.0.88"}
    row = {
        "function": function,
        "graph": graph,
        "parameters": {"A": 9},
        "sizes": {"E": 3},
        "kernels": [{**dict.fromkeys(receipts.SHOWN, 0), "arch": a} for a in ("sm_80", "sm_90a")],
        "baselines": {"eager": {"ms": 3.0}},
        **dict.fromkeys(receipts.TIMES, 1),
        "ms": ms,
    }
    measured = {"device": "a card", "driver": "1", "date": "2026-11-30", "torch": "2"}
    measured |= {"ceilings": {"copy": 4.0}, "memory": {"relative": 0.01}, "rows": [row]}
    check = {"worst": 0.5, "failure": None}
    (made,) = receipts.make({**entry, "ptx": {function: ptx}}, measured, check)
    return made


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(receipts, "FILE", tmp_path / "receipts.json")
    return receipts.FILE


def given(path, *made):
    path.write_text(json.dumps(made), encoding="utf-8")
    receipts.add([path])


def test_a_receipt_is_of_one_architecture():
    made = receipt()
    assert made["arch"] == "sm_90a" and made["kernels"] == [dict.fromkeys(receipts.SHOWN, 0)]
    assert made["ptx"] == "aa" and made["error"] == 0.5 and made["memory_beyond"] == 0.01


def test_newer_receipts_replace_older_ones(file, tmp_path, capsys):
    given(tmp_path / "first", receipt(), receipt("segment_sum_bwd"), receipt(graph="water"))
    given(tmp_path / "second", receipt(ms=1.5))
    times = {(r["function"], r["graph"]): r["ms"] for r in receipts.read()}
    assert times == {
        ("segment_sum", "random"): 1.5,
        ("segment_sum", "water"): 2.0,
        ("segment_sum_bwd", "random"): 2.0,
    }
    receipts.main(["table"])
    printed = capsys.readouterr().out
    assert "| mini | `segment_sum` | 1.500 | 2.000 | 1.000 | 1 | 0 | 3 |  |" in printed
    assert "| mini | `segment_sum_bwd` | 2.000 |  | 1.000 | 1 | 0 | 3 |  |" in printed
    assert len(printed.splitlines()) == 4
    given(tmp_path / "third", receipt(spec="segment_sum+A=3"))
    receipts.main(["table"])
    assert "| mini | `segment_sum` A=3 | 2.000 |  |" in capsys.readouterr().out
    assert len(file.read_text(encoding="utf-8").splitlines()) == 6  # a line a receipt


def test_code_without_a_receipt_is_listed(file, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(keys, "KEYS", {"mini": keys.KEYS["mini"]})
    codes = {"segment_sum": "aa", "other": "bb", "third": "cc"}
    current = [("mini", "segment_sum", *code) for code in codes.items()]
    monkeypatch.setattr(receipts, "current", lambda build, unseen: current)
    given(tmp_path / "first", receipt(), receipt("other", ptx="older"))
    receipts.main(["list", "build"])
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "receipts.py: mini segment_sum: no receipt of the code of other, third"
    assert printed[1].startswith("receipts.py: 2 functions")
    given(tmp_path / "second", receipt("other", ptx="bb"), receipt("third", ptx="cc"))
    receipts.main(["list", "build"])
    assert capsys.readouterr().out == ""


def test_what_the_compiler_makes_is_kept(build, tmp_path, monkeypatch):
    """Of each function that has code of its own; the second time nothing is compiled."""
    monkeypatch.setattr(keys, "KEYS", {"mini": keys.KEYS["mini"]})
    monkeypatch.setattr(keys, "ROW_SPECS", ("segment_sum",))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gyrec").symlink_to(build / "bin" / "gyrec")
    first = list(receipts.current(tmp_path))
    assert [found[:3] for found in first] == [
        ("mini", "segment_sum", "segment_sum"),
        ("mini", "segment_sum", "segment_sum_bwd"),
    ]
    monkeypatch.setattr(identity, "ptx", None)
    assert list(receipts.current(tmp_path)) == first


@pytest.mark.parametrize("said", ["error: [gpu-libdevice] expected a CUDA toolkit", "error: else"])
def test_a_machine_without_cuda_lists_what_it_can(build, tmp_path, monkeypatch, capsys, said):
    monkeypatch.setattr(keys, "KEYS", {"mini": keys.KEYS["mini"]})
    monkeypatch.setattr(keys, "ROW_SPECS", ("segment_sum", "gated_activation"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gyrec").symlink_to(build / "bin" / "gyrec")
    made = identity.ptx

    def ptx(gyrec, path, *more):
        if path.stem == "gated_activation":
            raise subprocess.CalledProcessError(1, "gyrec", stderr=said)
        return made(gyrec, path, *more)

    monkeypatch.setattr(identity, "ptx", ptx)
    if "libdevice" not in said:
        with pytest.raises(SystemExit, match=said):
            receipts.main(["list", str(tmp_path)])
        return
    receipts.main(["list", str(tmp_path)])
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].endswith("no CUDA toolkit here: mini gated_activation")
    assert not any("gated" in line for line in printed[1:])


def test_usage():
    with pytest.raises(SystemExit, match="usage: receipts.py list BUILD"):
        receipts.main(["lists"])


def test_keys_have_cases():
    import fused_cases

    for key in keys.KEYS:
        for spec in keys.ROW_SPECS:
            case = fused_cases.make(keys.small_row(spec, key))
            assert dict(case.p) == {**keys.parameters(spec, key), "act": "f32"}


def test_a_spec_may_have_other_parameters():
    assert keys.split("segment_sum+A=3+B=5") == ("segment_sum", {"A": 3, "B": 5})
    assert keys.parameters("segment_sum+A=3", "mini") == {"A": 3, "B": 32}
    assert keys.small_row("segment_sum+A=3", "mini")["kernel"] == "segment_sum"
    assert keys.parameters("focus_competition+biased=0", "mini") is None


def test_small_cases_are_of_all_kernels(page):
    sys.path.append(str(ROOT / "test" / "device"))
    import bundle
    import kernels

    selected = list(bundle.select(argparse.Namespace(case=[], small=True, cases=0)))
    assert {case.kernel.spec for case in selected} == {kernel.spec for kernel in kernels.ALL}
    for case in selected:
        arrays = case.inputs(page, "random").values()
        assert sum(np.size(getattr(a, "array", a)) for a in arrays) < 1 << 20, case.name


def test_summary():
    pytest.importorskip("torch", reason="PyTorch is not installed (python3-torch)")
    import stopwatch

    found = stopwatch.summary([5e-3, 1e-3, 2e-3, 3e-3, 4e-3])
    assert found == {
        "ms": 3.0,
        "min_ms": 1.0,
        "max_ms": 5.0,
        "spread": pytest.approx(2 / 3),
        "runs": 5,
    }
