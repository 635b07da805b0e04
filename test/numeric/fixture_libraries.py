"""Libraries of the spec files in fixtures/."""

import pathlib

import pytest

FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"


@pytest.fixture(scope="session")
def compiled(built_tools):
    """compiled(name, act): the library of a fixture."""
    return lambda name, act=None: built_tools.library(
        FIXTURES / f"{name}.mlir", {"act": act} if act else {}
    )
