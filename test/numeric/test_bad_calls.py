"""Bad calls of a compiled kernel: one error that names the argument, and nothing is written.

Each call runs through the Python package and, where the package lets it reach the kernel, through
the C ABI with a workspace of the test's own.
"""

import ctypes
import re

import numpy as np
import pytest

import cases
import gyre
from gyre import _abi
from kernels import Index

CASE = cases.ROTATE_MIX_SMALL
FUNCTION = CASE.kernel.function(CASE.p, "rotate_mix_bwd")
PATTERN = 0xA5
STATUS_OK = 0


class Call:
    """One call: operands by name in the ABI's order, results and a workspace full of a pattern."""

    def __init__(self, session):
        self.function = session.tools.library(CASE.kernel.path, CASE.p)[FUNCTION.name]
        v = session.inputs(CASE, "random")
        self.arguments = {
            name: gyre.Map(*v[name]) if isinstance(v[name], Index) else v[name].copy()
            for name in FUNCTION.arguments
        }
        self.results = {
            name: np.frombuffer(bytearray([PATTERN]) * array.nbytes, array.dtype).reshape(
                array.shape
            )
            for name, array in session.reference(CASE, FUNCTION).items()
        }
        sizes = {"N": v["src"].target, "E": len(v["src"].array)}
        self.workspace = _abi.aligned_bytes(self.function.workspace_bytes(sizes) + 64)
        self.workspace[:] = PATTERN

    def structs(self):
        """The structs of the ABI, by name."""
        operands = self.function.arguments + self.function.results
        values = {**self.arguments, **self.results}
        return {
            o.name: values[o.name].built(self.function._runtime)
            if o.kind == "map"
            else _abi.tensor(values[o.name], o.name, o.dtype)
            for o in operands
        }

    def context(self, offset=0, missing=0):
        size = self.workspace.size - 64 - missing
        return _abi.Context(self.workspace.ctypes.data + offset, size, None, 0)

    def through_c(self, structs, context):
        """The message of the error; None if the call went through."""
        pointers = (ctypes.c_void_p * len(structs))(
            *(None if s is None else ctypes.addressof(s) for s in structs.values())
        )
        try:
            self.function._runtime.check(self.function._call(pointers, context))
        except gyre.Error as error:
            return str(error)
        return None

    def assert_nothing_written(self):
        for name, array in [*self.results.items(), ("workspace", self.workspace)]:
            assert set(array.tobytes()) <= {PATTERN}, f"{name} was written"


@pytest.fixture
def call(session):
    return Call(session)


def assert_one_error(message, text):
    assert message is not None, "the call went through"
    assert re.search(text, message), message
    assert "\n" not in message and "rotate_mix_bwd: " in message


def test_a_good_call_writes(call):
    assert call.through_c(call.structs(), call.context()) is None
    with pytest.raises(AssertionError, match="was written"):
        call.assert_nothing_written()


def more_edges(array):
    return np.concatenate([array, array[:1]])


E, N = 9, 5  # of the graph `random`


def repeated(array):
    """All rows are one row in memory: not a place for a result."""
    return np.lib.stride_tricks.as_strided(array, strides=(0, *array.strides[1:]))


BAD_ARGUMENTS = {
    "dtype": ("x", lambda a: a.astype(np.float32), r"`x`.*expected.*f64.*got.*f32"),
    "integers": ("kc", lambda a: a.astype(np.int64), r"`kc`.*expected.*f64.*got.*i64"),
    "low rank": ("cb", lambda a: a[0], r"`cb`.*expected.*2.*got.*1"),
    "high rank": ("x", lambda a: a[None], r"`x`.*expected.*3.*got.*4"),
    "fixed size": ("wigner", lambda a: a[:, :, :-1], r"`wigner`: dimension 2.*expected 9.*got 8"),
    "rank R": ("cb", lambda a: a[:1], r"`cb`: dimension 0.*expected 2.*got 1"),
    "named size": (
        "wigner",
        more_edges,
        rf"`wigner`: dimension 0 \(E\): expected {E} .*got {E + 1}",
    ),
    "inner name": (
        "g",
        lambda a: a[:, :-1],
        rf"`g`: dimension 1 \(E\): expected {E} .*got {E - 1}",
    ),
    "target of the map": ("x", more_edges, rf"N.*{N + 1}"),
    "stride": ("x", lambda a: a[::-1], r"`x`.*stride.*-"),
    "inner stride": ("g", lambda a: a[..., ::-1], r"`g`.*stride.*-"),
}


@pytest.mark.parametrize("bad", BAD_ARGUMENTS)
def test_bad_argument(call, bad):
    name, change, text = BAD_ARGUMENTS[bad]
    call.arguments[name] = change(call.arguments[name])
    with pytest.raises(gyre.Error) as error:
        call.function(**call.arguments, out=call.results)
    assert_one_error(str(error.value), text)
    assert_one_error(call.through_c(call.structs(), call.context()), text)
    call.assert_nothing_written()


@pytest.mark.parametrize(
    "name, change, text",
    [
        ("gx", lambda a: a[:-1], rf"`gx`: dimension 0 \(N\): expected {N}"),
        ("gkc", lambda a: a.view(np.int64), r"`gkc`.*expected.*f64.*got.*i64"),
        ("gwigner", lambda a: a[:, ::-1], r"`gwigner`.*stride.*-"),
        ("gwigner", repeated, r"`gwigner`.*expected.*stride"),
    ],
)
def test_bad_result(call, name, change, text):
    call.results[name] = change(call.results[name])
    with pytest.raises(gyre.Error) as error:
        call.function(**call.arguments, out=call.results)
    assert_one_error(str(error.value), text)
    assert_one_error(call.through_c(call.structs(), call.context()), text)
    call.assert_nothing_written()


@pytest.mark.parametrize("name", FUNCTION.arguments)
def test_none_is_refused(call, name):
    call.arguments[name] = None
    with pytest.raises(gyre.Error) as error:
        call.function(**call.arguments, out=call.results)
    assert_one_error(str(error.value), f"`{name}`.*expected.*got")
    call.assert_nothing_written()


@pytest.mark.parametrize("name", FUNCTION.arguments + FUNCTION.results)
def test_null_is_refused(call, name):
    assert_one_error(
        call.through_c({**call.structs(), name: None}, call.context()), f"`{name}`.*expected.*got"
    )
    structs = call.structs()
    if isinstance(structs[name], _abi.Tensor):
        structs[name].data = None
        assert_one_error(call.through_c(structs, call.context()), f"`{name}`.*data")
    call.assert_nothing_written()


def test_null_arguments_are_refused(call):
    status = call.function._call(None, call.context())
    assert status != STATUS_OK
    with pytest.raises(gyre.Error) as error:
        call.function._runtime.check(status)
    assert_one_error(str(error.value), "expected")
    call.assert_nothing_written()


def test_bad_workspace(call):
    assert call.workspace.size > 64, "expected a function that needs a workspace"
    for context in (call.context(missing=1), call.context(offset=8), _abi.Context(), None):
        assert_one_error(call.through_c(call.structs(), context), "(?i)workspace.*expected.*got")
    call.assert_nothing_written()


def test_overlapping_operands(call):
    structs = call.structs()
    assert_one_error(
        call.through_c({**structs, "gx": structs["x"]}, call.context()),
        "`gx`.*overlap|overlap.*`gx`",
    )
    structs = call.structs()
    structs["gkc"].data = structs["gx"].data
    assert_one_error(call.through_c(structs, call.context()), "overlap")
    call.assert_nothing_written()


def test_names_that_do_not_exist(call, session):
    library = session.tools.library(CASE.kernel.path, CASE.p)
    with pytest.raises(gyre.Error, match="expected one of .*rotate_mix_bwd.*got `rotate_mix_fwd`"):
        library["rotate_mix_fwd"]
    with pytest.raises(gyre.Error) as error:
        call.function(**call.arguments, hx=call.arguments["x"], out=call.results)
    assert_one_error(str(error.value), "expected arguments .*got `hx`")
    with pytest.raises(gyre.Error) as error:
        call.function(**call.arguments, out={**call.results, "gcb": call.results["gx"]})
    assert_one_error(str(error.value), "expected results .*got `gcb`")
    call.assert_nothing_written()
