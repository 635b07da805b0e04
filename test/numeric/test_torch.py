"""PyTorch tensors through compiled functions: values, gradients of both orders, what is refused.

Derivatives are compared with those of autograd through the same formulas in PyTorch's own ops, and
with finite differences.
"""

import copy
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import gyre

torch = pytest.importorskip("torch", reason="PyTorch is not installed (python3-torch)")

import torch_formulas  # noqa: E402
from torch_formulas import EDGES, FLOATS, NODES, SRC, C, weigh  # noqa: E402
from torch_formulas import projection as eager  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SPEC = HERE / "specs" / "own_projection.mlir"
ROTATE_MIX = ROOT / "kernels" / "so2_rotate_mix.mlir"


@pytest.fixture(scope="module")
def own_cache(build, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GYREC", str(build / "bin" / "gyrec"))
        patch.setenv("GYRE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module", params=["plain", "fused"])
def library(own_cache, request):
    return gyre.compile(SPEC, lowering=request.param, C=C, act="f64")


@pytest.fixture
def v():
    return torch_formulas.arguments()


def same(got, expected, tolerance=1e-12):
    assert len(got) == len(expected)
    for one, other in zip(got, expected):
        torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance)


def floats(v):
    return [v[name] for name in FLOATS]


# Values and derivatives ---------------------------------------------------------------------------


def test_values(library, v):
    results = library.projection(**v)
    same(results, eager(**v))
    assert results._fields == ("p", "y") and results.y.requires_grad
    arrays = {n: a if isinstance(a, gyre.Map) else a.detach().numpy() for n, a in v.items()}
    for tensor, array in zip(results, library.projection(**arrays)):
        np.testing.assert_array_equal(tensor.detach().numpy(), array)


@pytest.mark.parametrize("order", [torch_formulas.first_order, torch_formulas.second_order])
def test_gradients(library, v, order):
    same(order(library.projection, v), order(eager, v))


@pytest.mark.parametrize("lowering", ["plain", "fused"])
def test_both_orders_of_rotate_mix_by_finite_differences(own_cache, lowering):
    library = gyre.compile(ROTATE_MIX, lowering=lowering, L=1, C=2, R=1, act="f64")
    src = gyre.Map([0, 2, 2, 1], 3)
    generator = torch.Generator().manual_seed(5)
    x, wigner, kc, cb = (
        torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()
        for shape in ((3, 4, 2), (4, 4, 4), (4, 5), (1, 2))
    )

    def call(x, wigner, kc, cb):
        return library.rotate_mix(x, src, wigner, kc, cb)

    assert torch.autograd.gradcheck(call, (x, wigner, kc, cb))
    # The gradient by `cb` has no derivative, but the one by the others has one by `cb`.
    assert torch.autograd.gradgradcheck(call, (x, wigner, kc, cb.detach()))


def test_saved_results(library):
    """The derivative takes the result, and its own derivative a gradient by it."""
    x = torch.linspace(-2, 2, NODES * C, dtype=torch.float64).reshape(NODES, C).requires_grad_()
    assert library.squash.derivatives[0].function.names == ["t", "gt"]
    assert torch.autograd.gradcheck(library.squash, x)
    assert torch.autograd.gradgradcheck(library.squash, x)
    (gx,) = torch.autograd.grad(library.squash(x).square().sum(), x, create_graph=True)
    (expected,) = torch.autograd.grad(x.tanh().square().sum(), x, create_graph=True)
    same(torch.autograd.grad(gx.sin().sum(), x), torch.autograd.grad(expected.sin().sum(), x))


def test_in_a_model(library, v):
    """A layer between others, trained: gradients add up in `.grad`."""
    weight = torch.nn.Parameter(torch.eye(C, dtype=torch.float64))
    grads = []
    for function in (library.projection, eager):
        weight.grad = None
        arguments = {**v, "v": v["v"] @ weight, "f": v["f"].detach()}
        p, y = function(**arguments)
        (
            weigh(p, y) + weigh(function(**{**arguments, "v": y[:, None, :] * arguments["v"]})[1])
        ).backward()
        grads.append(weight.grad)
    same(*[[grad] for grad in grads])


def test_bf16(own_cache, v):
    library = gyre.compile(SPEC, C=C, act="bf16")
    halves = {
        name: value if isinstance(value, gyre.Map) else value.detach().bfloat16().requires_grad_()
        for name, value in v.items()
    }
    results = library.projection(**halves)
    assert results.y.dtype == torch.bfloat16
    exact = eager(*(halves[name].float() for name in FLOATS))
    same([result.float() for result in results], exact, 0.05)
    (gv,) = torch.autograd.grad(results.y.sum(), halves["v"])
    assert gv.dtype == torch.bfloat16 and gv.isfinite().all()


# What is asked for --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked", [[n for i, n in enumerate(FLOATS) if mask >> i & 1] for mask in range(1, 8)]
)
def test_every_set_of_arguments(library, v, asked):
    """Gradients by those that require one, and by no other; both orders."""
    v = {n: a if isinstance(a, gyre.Map) or n in asked else a.detach() for n, a in v.items()}
    wanted = [v[name] for name in asked]

    def first(function):
        p, y = function(**v)
        return torch.autograd.grad(weigh(p) if "f" in asked else weigh(p, y), wanted)

    def second(function):
        (gr,) = torch.autograd.grad(weigh(*function(**v)), v["r"], create_graph=True)
        return torch.autograd.grad(weigh(gr), wanted)

    same(first(library.projection), first(eager))
    if "r" in asked:
        same(second(library.projection), second(eager))


@pytest.mark.parametrize(
    "layout",
    [
        lambda g: g,
        lambda g: g.T.contiguous().T,
        lambda g: torch.cat([g, g], 1)[:, C // 2 : C // 2 + C],
        lambda g: g[:1, :1].expand_as(g),
        lambda g: g[0].expand_as(g),
    ],
    ids=["compact", "transposed", "sliced", "one number", "one row"],
)
def test_layouts_of_cotangents(library, v, layout):
    gy = layout(torch.linspace(-1, 2, NODES * C, dtype=torch.float64).reshape(NODES, C))
    same(
        *(
            torch.autograd.grad(function(**v)[1], [v["v"], v["r"]], gy)
            for function in (library.projection, eager)
        )
    )


def spy(monkeypatch, library):
    called = []
    run = gyre.Function._run

    def record(self, *arguments):
        called.append(self.name)
        return run(self, *arguments)

    monkeypatch.setattr(gyre.Function, "_run", record)
    return called


def test_the_derivative_of_least_work_is_called(library, v, monkeypatch):
    called = spy(monkeypatch, library)
    arguments = {**v, "v": v["v"].detach(), "f": v["f"].detach()}
    torch.autograd.grad(library.projection(**arguments).p.sum(), v["r"])
    assert called == ["projection", "projection_r"]
    # Only one has the cotangent of y.
    called.clear()
    torch.autograd.grad(library.projection(**arguments).y.sum(), v["r"])
    assert called == ["projection", "projection_bwd"]
    # Two, together.
    called.clear()
    torch.autograd.grad(library.projection(**v).p.sum(), floats(v))
    assert called == ["projection", "projection_bwd", "projection_f"]


def test_an_absent_cotangent_is_zero(library, v):
    for i in range(2):
        got = torch.autograd.grad(weigh(library.projection(**v)[i]), [v["v"], v["r"]])
        same(got, torch.autograd.grad(weigh(eager(**v)[i]), [v["v"], v["r"]]))


def test_a_gradient_that_nothing_gives(library, v):
    """An error that says what to declare, when the gradient is asked for; no error when it is not."""
    results = library.projection(**v)
    with pytest.raises(gyre.Error) as caught:
        torch.autograd.grad(results.y.sum(), v["f"], retain_graph=True)
    assert str(caught.value) == (
        "[python-derivative] projection: expected a derivative in the library for the gradient of `f` "
        "given that of (y), got projection_bwd: wrt (r, v) given (p, y); projection_r: wrt (r) given (p); "
        "projection_f: wrt (f) given (p); declare in the spec: "
        "gyre.derive @projection_vjp = vjp @projection wrt (f) given (y)"
    )
    with pytest.raises(gyre.Error, match="python-derivative"):
        results.y.sum().backward(retain_graph=True)
    # The same graph, without it, and by a cotangent with which there is one.
    torch.autograd.grad(results.y.sum(), v["v"], retain_graph=True)
    torch.autograd.grad(results.p.sum(), v["f"], retain_graph=True)


def test_forward_mode_is_refused(library, v):
    plain = {n: a if isinstance(a, gyre.Map) else a.detach() for n, a in v.items()}
    with torch.autograd.forward_ad.dual_level():
        library.projection(**plain)
        plain["f"] = torch.autograd.forward_ad.make_dual(plain["f"], plain["f"])
        with pytest.raises(
            gyre.Error, match=r"python-tangent\] projection: argument `f`: expected no"
        ):
            library.projection(**plain)


def test_traces_are_refused(library, v):
    maps = {n: a for n, a in v.items() if isinstance(a, gyre.Map)}

    def call(v, r, f):
        return library.projection(v, r, f, **maps)

    with pytest.raises(gyre.Error, match=r"python-trace\] projection: expected a call"):
        torch.jit.trace(call, tuple(a.detach() for n, a in v.items() if n not in maps))


def test_modules_with_libraries_are_copied_and_kept(library, v):
    module = torch.nn.Module()
    module.library, module.map = library, v["src"]
    assert copy.deepcopy(module).library is library
    again = pickle.loads(pickle.dumps(module))
    with torch.no_grad():
        same(again.library.projection(**{**v, "src": again.map}), library.projection(**v))
        function = pickle.loads(pickle.dumps(library.projection))
        same(function(**v), library.projection(**v))


def test_a_map_that_is_none_is_blamed(library, v):
    wrong = {**v, "v": v["v"].detach().numpy(), "src": torch.tensor(SRC)}
    with pytest.raises(gyre.Error, match="argument `src`: expected a gyre.Map, got Tensor"):
        library.projection(**wrong)


def test_a_second_order_that_nothing_gives(library, v):
    (gv,) = torch.autograd.grad(weigh(*library.projection(**v)), v["v"], create_graph=True)
    with pytest.raises(
        gyre.Error,
        match=r"python-derivative\] projection_bwd: .* of `r` given that of \(gv\), got "
        r"projection_bwd2: .*; declare .* vjp @projection_bwd wrt \(v, r, f\) given \(gv\)",
    ):
        torch.autograd.grad(gv.sum(), v["r"])
    (dr,) = torch.autograd.grad(
        torch.autograd.grad(weigh(*library.projection(**v)), v["r"], create_graph=True)[0].sum(),
        v["v"],
        create_graph=True,
    )
    with pytest.raises(
        gyre.Error, match=r"projection_bwd2: .*, got none of this function; declare"
    ):
        torch.autograd.grad(dr.sum(), v["v"])


def test_nothing_is_recorded_that_is_not_wanted(library, v):
    with torch.no_grad():
        assert not library.projection(**v).y.requires_grad
    constants = {n: a if isinstance(a, gyre.Map) else a.detach() for n, a in v.items()}
    assert not library.projection(**constants).y.requires_grad


def test_out(library, v):
    y = torch.full((NODES, C), torch.nan, dtype=torch.float64)
    with torch.no_grad():
        assert library.projection(**v, out={"y": y}).y is y
    same([y], [eager(**v)[1]])
    with pytest.raises(gyre.Error, match=r"\[python-out\] projection: .* `v` requires a gradient"):
        library.projection(**v, out={"y": y})


def test_layouts(library, v):
    """Views of any kind: the fused functions get compact copies of them."""
    wide = torch.zeros(3 * C, NODES + 1, 1, dtype=torch.float64)
    wide[:, 1:, 0] = v["v"].detach().reshape(NODES, 3 * C).T
    view = wide[:, 1:, 0].T.unflatten(1, (3, C))
    assert not view.is_contiguous()
    ones = torch.ones(1, C, dtype=torch.float64).expand(EDGES, C)
    changed = {**v, "v": view, "f": ones}
    same(library.projection(**changed), eager(**changed))
    conjugated = torch.complex(v["r"].detach(), -v["r"].detach()).conj().imag
    assert conjugated.is_neg()
    same(library.projection(**{**v, "r": conjugated}), eager(**v))


def test_no_edges(library, v):
    none = gyre.Map(torch.zeros(0, dtype=torch.int64), NODES)
    r, f = (torch.zeros(0, n, dtype=torch.float64, requires_grad=True) for n in (3, C))
    results = library.projection(v["v"], r, f, none, none)
    gv, gr = torch.autograd.grad(results.y.sum(), [v["v"], r])
    assert results.p.shape == (0, C) and not gv.any() and gr.shape == (0, 3)


# What is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change, text",
    [
        (
            {"r": np.zeros((EDGES, 3))},
            r"\[python-array\] projection: argument `r`: expected a torch.Tensor as others are, got ndarray",
        ),
        ({"src": torch.tensor(SRC)}, r"\[python-map\] .*`src`: expected a gyre.Map, got Tensor"),
        ({"r": gyre.Map([0], 1)}, r"\[python-map\] .*`r`: expected an array, got a gyre.Map"),
        (
            {"r": torch.zeros(EDGES, 3).to_sparse()},
            r"\[python-array\] .*`r`: expected a strided tensor .*, got one of torch.float32, torch.sparse_coo",
        ),
        (
            {"r": torch.zeros(EDGES, 3, device="meta")},
            r"\[python-array\] .*`r`: expected a strided tensor of a CPU or a GPU, got .* on meta",
        ),
        (
            {"r": torch.zeros(EDGES, 3)},
            r"\[tensor-dtype\] projection: argument `r`: expected dtype f64, got f32",
        ),
        ({"r": torch.zeros(EDGES, 3, dtype=torch.complex64)}, r"\[tensor-dtype\] .*`r`"),
        (
            {"r": torch.zeros(EDGES, 2).double()},
            r"\[dimension\] projection: argument `r`: dimension 1: expected 3, got 2",
        ),
    ],
)
def test_bad_calls(library, v, change, text):
    with pytest.raises(gyre.Error, match=text):
        library.projection(**{**v, **change})


def test_a_changed_argument(library, v):
    """What a derivative needs must not be overwritten meanwhile."""
    r = v["r"] * 1
    results = library.projection(**{**v, "r": r})
    with torch.no_grad():
        r.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        results.p.sum().backward()


def test_pytorch_is_not_imported_for_nothing():
    code = "import gyre, sys; assert 'torch' not in sys.modules"
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(ROOT / "python")}
    )
