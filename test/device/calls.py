"""Calls of gyre-call, in the folder that this file is in."""

import os
import pathlib
import shutil
import subprocess

import measure

HERE = pathlib.Path(__file__).resolve().parent


SANITIZER = "compute-sanitizer"
FOUND = 9  # its exit status, where it has a complaint


def sanitizer(options):
    if not options.sanitize:
        return []
    tool = shutil.which(SANITIZER) or pathlib.Path("/usr/local/cuda/bin", SANITIZER)
    return [tool, "--tool", options.sanitize, "--error-exitcode", FOUND]


def call(options, manifest, function, *more):
    run(options, manifest, function, "--func", function, *more)


def run(options, manifest, what, *arguments):
    """Any call of gyre-call; `what` is for the message of an error, which has the output."""
    command = [*sanitizer(options), HERE / "bin" / "gyre-call", HERE / manifest, *arguments]
    if options.sanitize == "initcheck":
        command += ["--keep-memory"]  # what is spoilt counts as written
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
            f"{what}: {(done.stderr + done.stdout).strip() or f'exit status {done.returncode}'}"
        )
