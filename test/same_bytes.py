#!/usr/bin/env python3
"""Compares what the gyrecs of two build directories make of all kernels: same_bytes.py BUILD OTHER.

C++ leaves open in which order the arguments of a call are evaluated, and g++ and clang choose
differently: where two arguments create ops, kernels depend on who compiled the compiler.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

KERNELS = pathlib.Path(__file__).resolve().parents[1] / "kernels"
ROADS = {
    "plain": ["--emit=llvm", "--lowering=plain"],
    "halves": ["--emit=llvm", "--set=act=bf16"],
    "fused": ["--emit=llvm"],
    "cuda": ["--emit=ptx", "--target=cuda", "--arch=compute_80"],
}


def small_values(text):
    """All integers of a spec, few but not one."""
    found = re.findall(r'gyre\.param "(\w+)" in \[(\d+), (\d+)\]', text)
    return ",".join(f"{name}={max(int(low), min(int(high), 2))}" for name, low, high in found)


def compile_by(build, kernel, flags):
    gyrec, values = pathlib.Path(build) / "bin" / "gyrec", small_values(kernel.read_text("utf-8"))
    done = subprocess.run(
        [gyrec, kernel, f"--set={values}", *flags], capture_output=True, check=False
    )
    if b"[gpu-libdevice]" in done.stderr:
        return None  # no CUDA toolkit
    if done.returncode:
        raise SystemExit(f"{gyrec} {kernel} {' '.join(flags)}: {done.stderr.decode()}")
    return done.stdout


def is_same(builds, kernel, road):
    one, other = (compile_by(build, kernel, ROADS[road]) for build in builds)
    if one != other or one == b"":
        print(f"{kernel.name}, {road}: expected the same bytes of both, got others")
        return False
    return True


def main(builds):
    if len(builds) != 2:
        raise SystemExit(f"expected two build directories, got {builds}")
    work = [(kernel, road) for kernel in sorted(KERNELS.glob("*.mlir")) for road in ROADS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        same = sum(pool.map(lambda item: is_same(builds, *item), work))
    print(f"{same} of {len(work)} are the same bytes")
    return same != len(work)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
