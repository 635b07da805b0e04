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

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"
FLAGS = {"cpu": ["--lowering=fused"], "cuda": ["--target=cuda", "--arch=sm_90a"]}
# Degree, focuses, channels of a focus, layers with the final one, rank.
KEYS = {
    "mini": (2, 1, 32, 3, 1),
    "spin": (3, 2, 32, 3, 1),
    "default": (3, 1, 64, 4, 1),
    "l4": (4, 1, 64, 4, 1),
    "wide96": (3, 2, 96, 4, 1),
    "l6": (6, 1, 128, 4, 1),
}
RADIAL = 64  # channels of the radial features


def parameters(spec, key):
    """None where a spec has nothing to do: one focus does not compete."""
    degree, focuses, channels, layers, rank = key
    width, competes = focuses * channels, int(focuses > 1)
    sizes = {"L": degree, "F": focuses, "C": channels}
    if spec == "focus_competition" and not competes:
        return None
    return {
        "so2_rotate_mix": {**sizes, "R": rank},
        "gated_activation": sizes,
        "radial_head": {"L": degree, "Cr": RADIAL, "Cw": width, "R": rank},
        "focus_competition": {"F": focuses, "C": channels, "normalised": 1, "biased": 1},
        "segment_sum": {"A": 3 * degree + 1, "B": width},
        "so2_mixing_stack": {**sizes, "T": layers - 1, "competing": competes},
        "so2_value_path": {
            **sizes,
            "Cr": RADIAL,
            "R": rank,
            "T": layers - 1,
            "competing": competes,
        },
    }[spec]


SPECS = (
    "so2_rotate_mix",
    "gated_activation",
    "radial_head",
    "focus_competition",
    "segment_sum",
    "so2_mixing_stack",
    "so2_value_path",
)


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
            p = parameters(spec, KEYS[name])
            cells.append(f"{compile_time(build, spec, p, target):.1f}" if p else "")
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
