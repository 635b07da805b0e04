"""Calls of gyre-call, in the folder that this file is in."""

import os
import pathlib
import subprocess

import measure

HERE = pathlib.Path(__file__).resolve().parent


def call(options, manifest, function, *more):
    command = [HERE / "bin" / "gyre-call", HERE / manifest, "--func", function, *more]
    if options.device:
        command += ["--device", options.device]
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": f"{HERE / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}",
    }
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        env=environment,
        timeout=options.timeout,
        check=False,
    )
    if done.returncode:
        raise measure.Mismatch(
            f"{function}: {done.stderr.strip() or f'exit status {done.returncode}'}"
        )
