"""Calls with PyTorch tensors and their derivatives, on a stream of their own, where there is PyTorch."""

import importlib.util
import os
import pathlib

import calls

HERE = pathlib.Path(__file__).resolve().parent
ROUNDING = 1e-12  # of values near 1, in f64


def run(options, entries):
    """(worst error in bounds, text of a failure or None) of each entry."""
    os.environ["GYRE_RUNTIME"] = str(calls.HERE / "lib" / "libgyre_runtime.so.0")
    for entry in entries:
        try:
            yield compare(options, entry), None
        except (RuntimeError, AssertionError) as error:  # gyre's and PyTorch's
            yield float("inf"), str(error)


def missing():
    return importlib.util.find_spec("torch") is None


def compare(options, entry):
    import torch
    import torch_formulas

    import gyre

    function = gyre.load(HERE / entry["manifest"]).projection
    on_gpu = entry["target"] == "cuda"
    device = torch.device("cuda", options.device) if on_gpu else torch.device("cpu")
    stream = torch.cuda.Stream(device) if on_gpu else None
    # The stream is current only here: it must be asked for at each call.
    with torch.cuda.stream(stream):
        v = torch_formulas.arguments(device)
        results = compute(torch_formulas, function, v)
        again = compute(torch_formulas, function, v)
        reference = compute(torch_formulas, torch_formulas.projection, torch_formulas.arguments())
        if on_gpu:
            stream.synchronize()
    if not all(map(torch.equal, results, again)):
        raise AssertionError("expected the same bits again, got others")
    if any(result.device != device for result in results):
        raise AssertionError(f"expected results on {device}, got others")
    refuse_a_bad_index(torch, gyre, function, v, device)
    errors = (((a.cpu() - b).abs() / (1 + b.abs())).max() for a, b in zip(results, reference))
    worst = float(max(errors)) / ROUNDING
    if not worst <= 1:
        raise AssertionError(f"expected the gradients of autograd, got an error of {worst} bounds")
    return worst


def refuse_a_bad_index(torch, gyre, function, v, device):
    """Wherever the index is: what is wrong with it is said in the same way."""
    edges, nodes = v["src"].shape, v["src"].target
    index = torch.zeros(edges, dtype=torch.int64, device=device)
    index[1] = nodes
    expected = f"position 1: expected an index in [0, {nodes}), got {nodes}"
    try:
        function(**{**v, "src": gyre.Map(index, nodes)})
    except gyre.Error as error:
        if expected not in str(error):
            raise AssertionError(f"expected an error with `{expected}`, got: {error}") from error
        return
    raise AssertionError("expected a bad index to be refused, got results")


def compute(formulas, function, v):
    """Values, gradients, and those of a gradient."""
    return [
        *(result.detach() for result in function(**v)),
        *formulas.first_order(function, v),
        *formulas.second_order(function, v),
    ]
