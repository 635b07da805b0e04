"""Compiles kernels/so2_rotate_mix.mlir, and compares all it compiles to with the interpreter.

usage: rotate_mix.py DIRECTORY_OF_THE_TOOLS    (./dev demo builds them and calls this)
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import gyre
import numpy as np

SPEC = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "so2_rotate_mix.mlir"
PARAMETERS = {"L": 3, "F": 1, "C": 16, "R": 2, "act": "f32"}
SIZES = {"N": 200, "E": 2000}
UNIT_ROUNDOFF = 2.0**-24
# |error| <= (8 + 2 sqrt(n)) u |f|(|inputs|) where sums are n terms long; n = 1 is allowed everywhere.
ALLOWED = 10
REPEATS = 5


def random_values(library, rng):
    """A value for each name that is an argument of a function, of the shape in the manifest."""
    values = {}
    for argument in (argument for function in library for argument in function.arguments):
        shape = [size(SIZES) for size in argument.shape]
        if argument.kind == "map":
            value = rng.integers(0, argument.target(SIZES), shape)
        else:
            value = rng.standard_normal(shape).astype(np.float32)
        values.setdefault(argument.name, value)
    return values


def interpret(tools, function, values):
    """The results in fp64, by name."""
    with tempfile.TemporaryDirectory() as directory:
        for argument in function.arguments:
            np.save(f"{directory}/{argument.name}.npy", values[argument.name])
        command = [tools / "gyre-run", "--interpret", SPEC, "--set", setting()]
        command += ["--size", ",".join(f"{name}={size}" for name, size in SIZES.items())]
        command += ["--func", function.name, "--in", directory, "--out", f"{directory}/out"]
        subprocess.run(command, check=True)
        return {
            result.name: np.load(f"{directory}/out/{result.name}.npy")
            for result in function.results
        }


def call(function, values):
    """The compiled function's results by name, and the seconds of its fastest call."""
    arguments = {
        argument.name: gyre.Map(values[argument.name], argument.target(SIZES))
        if argument.kind == "map"
        else values[argument.name]
        for argument in function.arguments
    }
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        results = function(**arguments)
        seconds.append(time.perf_counter() - start)
    names = [result.name for result in function.results]
    return dict(zip(names, results if len(names) > 1 else [results])), min(seconds)


def setting():
    return ",".join(f"{name}={value}" for name, value in PARAMETERS.items())


def show(tools, function, values):
    """Prints a line a result; whether all are as close as promised."""
    actual, seconds = call(function, values)
    expected = interpret(tools, function, values)
    # All terms of these functions have positive signs: on absolute inputs they give their magnitude.
    magnitude = interpret(
        tools, function, {n: abs(v) if v.dtype.kind == "f" else v for n, v in values.items()}
    )
    print(f"{function.name}: {seconds * 1e3:.2f} ms")
    good = True
    for name, array in actual.items():
        error, unit = np.abs(array - expected[name]), UNIT_ROUNDOFF * magnitude[name]
        good &= bool(np.all(error <= ALLOWED * unit))
        worst = np.max(error[unit > 0] / unit[unit > 0], initial=0)
        print(f"  {name:8} {str(array.shape):16} largest error {worst:.2f} u, allowed {ALLOWED} u")
    return good


def main(tools):
    tools = pathlib.Path(tools)
    with tempfile.TemporaryDirectory() as directory:
        start = time.perf_counter()
        command = [tools / "gyrec", SPEC, "--set", setting(), "-o", directory]
        subprocess.run(command, check=True)
        print(f"compiled {SPEC.name} for {setting()} in {time.perf_counter() - start:.1f} s")
        library = gyre.load(f"{directory}/{SPEC.stem}.json")
        values = random_values(library, np.random.default_rng(1))
        print(
            f"nodes {SIZES['N']}, edges {SIZES['E']}; time of a call, fastest of {REPEATS}; error of"
        )
        print("each element against the fp64 interpreter, u = 2^-24 |f|(|inputs|)")
        good = [show(tools, function, values) for function in library]
    print(
        "all results are as close as promised" if all(good) else "some results are not close enough"
    )
    return 0 if all(good) else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
