"""Libraries of the spec files in fixtures/, compiled once a test file."""

import pathlib
import subprocess

import pytest

import gyre

FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"


@pytest.fixture(scope="module")
def compiled(build, tmp_path_factory):
    """compiled(name, act): the library of a fixture."""
    libraries = {}

    def find(name, act=None):
        if (name, act) not in libraries:
            out = tmp_path_factory.mktemp(f"{name}-{act}")
            command = [build / "bin" / "gyrec", FIXTURES / f"{name}.mlir", "-o", out]
            done = subprocess.run(
                command + (["--set", f"act={act}"] if act else []),
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            libraries[name, act] = gyre.load(out / f"{name}.json")
        return libraries[name, act]

    return find
