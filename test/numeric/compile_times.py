"""How long gyrec takes for each spec, up to the second order, at the keys of the value path.

`python3 test/numeric/compile_times.py BUILD [cpu|cuda] [KEY...]` prints the table of
docs/performance.md: seconds of CPU time (user, with those of the tools that gyrec runs). Unlike
seconds of a clock they depend little on what else the machine does.
"""

import pathlib
import resource
import subprocess
import sys
import tempfile

from keys import KEYS, SPECS, parameters

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
FLAGS = {"cpu": ["--lowering=fused"], "cuda": ["--target=cuda", "--arch=sm_90a"]}


def user_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([str(word) for word in command], check=True, stderr=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def compile_time(build, spec, p, target):
    words = ",".join(f"{name}={value}" for name, value in p.items())
    with tempfile.TemporaryDirectory() as out:
        return user_seconds(
            [
                pathlib.Path(build) / "bin" / "gyrec",
                KERNELS / f"{spec}.mlir",
                "--set",
                words,
                *FLAGS[target],
                "-o",
                out,
            ]
        )


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    target = sys.argv[2] if len(sys.argv) > 2 else "cpu"
    print("| L, F, C, layers, R | " + " | ".join(f"`{spec}`" for spec in SPECS) + " |")
    print("|---" * (len(SPECS) + 1) + "|")
    for name in sys.argv[3:] or KEYS:
        cells = [", ".join(map(str, KEYS[name]))]
        for spec in SPECS:
            p = parameters(spec, name)
            cells.append(f"{compile_time(build, spec, p, target):.1f}" if p else "")
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
