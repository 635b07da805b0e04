"""Fixtures of the numeric tests.

The tools come from the build directory that GYRE_BUILD names (default: build/ of the repository).
A tool that is missing fails the tests that need it.
"""

import os
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "python")]

import checks  # noqa: E402
import spec_reference  # noqa: E402
import tools  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "nightly: the full grid of cases, hours; deselected unless -m names it"
    )
    if config.option.tbstyle == "auto":
        config.option.tbstyle = "short"  # a long one prints every array of a call


def pytest_collection_modifyitems(config, items):
    if "nightly" in config.getoption("markexpr"):
        return
    nightly = [item for item in items if item.get_closest_marker("nightly")]
    config.hook.pytest_deselected(items=nightly)
    items[:] = [item for item in items if item not in nightly]


@pytest.fixture(scope="session")
def page():
    return spec_reference.load()


@pytest.fixture(scope="session")
def build():
    """The build directory. Libraries that the tests load take the runtime from there."""
    path = pathlib.Path(os.environ.get("GYRE_BUILD", ROOT / "build")).resolve()
    os.environ.setdefault("GYRE_RUNTIME", str(path / "lib"))
    return path


@pytest.fixture(scope="session")
def kept(build, request):
    """Where results of the tools stay for the next run. Those of the full grid would fill the disk."""
    return None if "nightly" in request.config.getoption("markexpr") else build / "test-kept"


@pytest.fixture(scope="session")
def built_tools(build, kept, tmp_path_factory):
    found = tools.Tools(
        build, tmp_path_factory.mktemp("tools"), flags=("--lowering=plain",), kept=kept
    )
    yield found
    found.close()


@pytest.fixture(scope="session")
def session(page, built_tools, request):
    """What the tests of all kernels share. Libraries of the cases ahead compile in the background."""
    for item in request.session.items:
        case = getattr(item, "callspec", None) and item.callspec.params.get("case")
        if case is not None and not item.get_closest_marker("nightly"):
            built_tools.prepare(case.kernel.path, case.p)
    return checks.Session(page, built_tools)
