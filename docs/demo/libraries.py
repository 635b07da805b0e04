"""Compiles a spec in several ways, and calls what comes out."""

import pathlib
import subprocess
import sys
import time

import gyre
import numpy as np


def compile_all(gyrec, spec, setting, functions, directory):
    """The libraries of (element type, lowering), compiled side by side."""
    kinds = [(act, lowering) for act in ("f32", "f64") for lowering in ("fused", "plain")]
    running = []
    for act, lowering in kinds:
        command = [gyrec, spec, "--set", f"{setting},act={act}", f"--lowering={lowering}"]
        command += ["--derive", ",".join(functions), "-o", f"{directory}/{act}-{lowering}"]
        running.append(subprocess.Popen(command))
    if any([process.wait() for process in running]):
        sys.exit("demo: expected gyrec to compile the spec, got the errors above")
    manifests = {kind: pathlib.Path(directory, "-".join(kind)).glob("*.json") for kind in kinds}
    return {kind: gyre.load(next(found)) for kind, found in manifests.items()}


def call(function, arguments, out=None):
    """Calls a function with those of the arguments that it has: its results by name."""
    value = function(**{a.name: arguments[a.name] for a in function.arguments}, out=out)
    values = [value] if len(function.results) == 1 else value
    return dict(zip((result.name for result in function.results), values))


def in_f64(arguments, change=lambda array: array):
    return {
        name: value if isinstance(value, gyre.Map) else change(value.astype(np.float64))
        for name, value in arguments.items()
    }


def time_calls(function, arguments, calls):
    """Seconds of the fastest call, bytes of its tensors, whether all calls gave the same bits."""
    results, first, seconds, same = None, {}, [], True
    for _ in range(calls):
        start = time.perf_counter()
        results = call(function, arguments, out=results)
        seconds.append(time.perf_counter() - start)
        for name, array in results.items():
            same &= array.tobytes() == first.setdefault(name, array.tobytes())
    tensors = [arguments[a.name] for a in function.arguments if a.kind == "tensor"]
    moved = sum(array.nbytes for array in [*tensors, *results.values()])
    return min(seconds), moved, same
