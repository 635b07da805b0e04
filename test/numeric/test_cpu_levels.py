"""The versions of fused kernels for older processors: the tests of fused code again, each with one version."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from package_fixtures import run_compiler

HERE = pathlib.Path(__file__).resolve().parent
# Two rows of the covering array, of both types, and all small bodies.
TESTS = [
    "test_bodies.py",
    "test_fused.py",
    "-k",
    "bodies or (equals_interpreter and (L2-F2 or L3-F3))",
]


def has_level_3():
    flags = re.search(
        r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M
    )
    return bool(flags) and {"avx2", "fma", "bmi2"} <= set(flags.group(1).split())


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    library = tmp_path_factory.mktemp("level") / "libcpu_level.so"
    source = HERE / "fixtures" / "cpu_level.c"
    run_compiler(("cc", "clang-22", "gcc"), "-shared", "-fPIC", "-o", library, source)
    return library


@pytest.mark.parametrize(
    "level",
    [1, pytest.param(3, marks=pytest.mark.skipif(not has_level_3(), reason="needs x86-64-v3"))],
)
def test_values_of_a_version(stand_in, tmp_path, level):
    asked = tmp_path / "asked"
    environment = {
        **os.environ,
        "PYTEST_ADDOPTS": "",  # reports of the run that this is in
        "LD_PRELOAD": str(stand_in),
        "GYRE_TEST_LEVEL": str(level),
        "GYRE_TEST_ASKED": str(asked),
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS],
        cwd=HERE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = int(re.search(r"(\d+) passed", done.stdout).group(1))
    assert passed >= 44 and "failed" not in done.stdout
    assert asked.exists(), "expected kernels to ask for the level, got none that did"
