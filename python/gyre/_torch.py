"""PyTorch tensors as operands, and gradients by the declared derivatives."""

import contextlib
import ctypes

import torch
from torch.autograd import forward_ad

from . import _abi, _torch_map
from ._errors import Error

_DTYPES = {
    "f64": torch.float64,
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "i1": torch.bool,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
}

# DLPack's code and bits. Those that no kernel takes are here for the runtime's message.
_CODES = {_DTYPES[name]: (code, bits) for name, (_, code, bits) in _abi.DTYPES.items()}
_CODES |= {torch.uint8: (1, 8), torch.complex64: (5, 64), torch.complex128: (5, 128)}
_DEVICES = {"cpu": _abi.DEVICE_CPU, "cuda": _abi.DEVICE_CUDA}


class _Tensors:
    """The tensors of one call, on one device."""

    type = torch.Tensor
    wanted = "a strided tensor of a CPU or a GPU"

    def __init__(self, device):
        self.device = device

    def argument(self, value, what):
        if not isinstance(value, torch.Tensor):
            raise Error(
                f"[python-array] {what}: expected a torch.Tensor as others are, got {type(value).__name__}"
            )
        if not self.writable(value) or value.dtype not in _CODES:
            raise Error(
                f"[python-array] {what}: expected {self.wanted}, got one of {value.dtype}, "
                f"{value.layout}, on {value.device}"
            )
        return value

    def writable(self, value):
        return (
            isinstance(value, torch.Tensor)
            and value.layout == torch.strided
            and value.device.type in _DEVICES
        )

    def empty(self, shape, dtype, what):
        try:
            return torch.empty(shape, dtype=_DTYPES[dtype], device=self.device)
        except RuntimeError as error:
            raise Error(f"[python-memory] {what}, got: {error}") from error

    def workspace(self, count, what):
        try:
            memory = torch.empty(count, dtype=torch.uint8, device=self.device)
        except RuntimeError as error:
            raise Error(f"[python-memory] {what}, {count} bytes, got: {error}") from error
        return memory, memory.data_ptr() if count else None

    def laid_out(self, value, operand):
        """The tensor, or a copy in the layout that the kernel wants."""
        value = value.resolve_conj().resolve_neg()
        if operand.compact:
            value = value.contiguous()
        if value.data_ptr() % operand.align:
            value = value.clone(memory_format=torch.contiguous_format)
        return value

    def tensor(self, value, what, declared):
        code, bits = _CODES[value.dtype]
        words = ctypes.c_int64 * value.dim()
        return _abi.Tensor(
            value.data_ptr() or None,
            _abi.Device(_DEVICES[value.device.type], value.device.index or 0),
            value.dim(),
            _abi.DataType(code, bits, 1),
            words(*value.shape),
            words(*value.stride()),
            0,
        )

    def map(self, value, runtime):
        if self.device.type == "cpu":
            return value.built(runtime)
        return _map_on(self.device, value, runtime)

    def stream(self):
        if self.device.type == "cpu":
            return None
        return torch.cuda.current_stream(self.device).cuda_stream

    def current(self):
        if self.device.type == "cpu":
            return contextlib.nullcontext()
        return torch.cuda.device(self.device)


def _map_on(device, value, runtime):
    """The map on a GPU: built there once, or copied."""

    def build():
        with torch.cuda.device(device):
            return _torch_map.build(value, runtime, _abi.Device(_abi.DEVICE_CUDA, device.index))

    def copy():
        host, result = value.built(runtime), _abi.Map()
        memory = torch.empty(host.bytes, dtype=torch.uint8, device=device)
        stream = torch.cuda.current_stream(device)
        with torch.cuda.device(device):
            runtime.check(
                runtime.gyre_map_to_cuda(
                    host, device.index, memory.data_ptr(), host.bytes, stream.cuda_stream, result
                )
            )
        # Later calls may be on other streams.
        stream.synchronize()
        return result, [memory]

    def make():
        is_there = value.source is not None and value.source.device == device
        # What is wrong with an index, the host's build says.
        return is_there and build() or copy()

    result, memory = value.once((runtime.identity, device), make)
    for tensor in memory:
        tensor.record_stream(torch.cuda.current_stream(device))
    return result


def call(function, values, out, check_maps):
    """The results of a function, in order."""
    tensors = _Tensors(next(v.device for v in values if isinstance(v, torch.Tensor)))
    values = function._checked(tensors, values)
    outputs = function._outputs(tensors, out)
    _refuse_other_modes(function, values)
    wanted = torch.is_grad_enabled() and [
        name
        for name, value in zip(function.names, values)
        if isinstance(value, torch.Tensor) and value.requires_grad
    ]
    if not wanted:
        return function._run(tensors, values, outputs, check_maps)
    if outputs:
        raise Error(
            f"[python-out] {function.name}: expected no `out` where a gradient is wanted, "
            f"got one, and `{wanted[0]}` requires a gradient"
        )
    record = _Record(function, tensors, values, check_maps)
    gated = [
        _Gate.apply(record, name, value)
        if name in wanted and not record.has_all_of(name)
        else value
        for name, value in zip(function.names, values)
    ]
    return list(_Call.apply(record, *gated))


def _refuse_other_modes(function, values):
    """A tangent would be lost, and a trace would have the memory of this call's results."""
    if torch.jit.is_tracing():
        raise Error(f"[python-trace] {function.name}: expected a call, got one that is traced")
    if forward_ad._current_level < 0:
        return
    for name, value in zip(function.names, values):
        if isinstance(value, torch.Tensor) and forward_ad.unpack_dual(value).tangent is not None:
            raise Error(
                f"[python-tangent] {function.name}: argument `{name}`: expected no tangent, as derivatives "
                "are those of reverse mode, got a dual tensor"
            )


class _Record:
    """What the nodes of one call share."""

    def __init__(self, function, tensors, values, check_maps):
        self.function = function
        self.tensors = tensors
        self.values = values
        self.check_maps = check_maps
        self.missing = {}  # messages about gradients that no derivative gives, by argument
        # What derivatives take of arguments and results is kept for them.
        taken = {name for derivative in function.derivatives for name in derivative.function.names}
        self.kept_results = [r.name for r in function.results if r.name in taken]
        self.kept_arguments = [name for name in function.names if name in taken]

    def has_all_of(self, argument):
        """Whether a derivative gives the gradient, whichever cotangents come."""
        floats = {r.name for r in self.function.results if _DTYPES[r.dtype].is_floating_point}
        return any(argument in d.wrt and floats <= set(d.given) for d in self.function.derivatives)

    def choose(self, wanted, given):
        """Derivatives that give the gradients of `wanted`, each with those that it is to give."""
        wanted, chosen = set(wanted), []
        candidates = [d for d in self.function.derivatives if set(given) <= set(d.given)]
        while True:
            best = min(
                (d for d in candidates if wanted & set(d.wrt)),
                key=lambda d: (-len(wanted & set(d.wrt)), len(d.wrt), len(d.given)),
                default=None,
            )
            if best is None:
                break
            chosen.append((best, wanted & set(best.wrt)))
            wanted -= set(best.wrt)
        missing = [name for name in self.function.names if name in wanted]
        for name in missing:
            self.missing[name] = self._explain(name, missing, given)
        return chosen

    def _explain(self, argument, missing, given):
        name, listed = self.function.name, ", ".join(given)
        taken, free = {d.function.name for d in self.function.derivatives}, f"{name}_vjp"
        while free in taken:
            free += "_more"
        known = "; ".join(
            f"{d.function.name}: wrt ({', '.join(d.wrt)}) given ({', '.join(d.given)})"
            for d in self.function.derivatives
        )
        return (
            f"[python-derivative] {name}: expected a derivative in the library for the gradient of "
            f"`{argument}` given that of ({listed}), got {known or 'none of this function'}; declare in the "
            f"spec: gyre.derive @{free} = vjp @{name} wrt ({', '.join(missing)}) given ({listed})"
        )


class _Gate(torch.autograd.Function):
    """The identity, where a gradient may be missing: autograd comes here only if it is asked for."""

    @staticmethod
    def forward(ctx, record, name, value):
        ctx.record, ctx.name = record, name
        return value.view_as(value)

    @staticmethod
    def backward(ctx, gradient):
        if ctx.name in ctx.record.missing:
            raise Error(ctx.record.missing[ctx.name])
        return None, None, gradient


class _Call(torch.autograd.Function):
    """A call, whose backward calls derivatives in the same way: so they have derivatives too."""

    @staticmethod
    def forward(ctx, record, *values):
        function = record.function
        results = function._run(record.tensors, record.values, {}, record.check_maps)
        arguments = dict(zip(function.names, record.values))
        ctx.maps = {
            name: value for name, value in arguments.items() if not isinstance(value, torch.Tensor)
        }
        ctx.record, ctx.names = record, function.names
        record.values = None  # from here on, autograd has the tensors
        named = dict(zip((r.name for r in function.results), results))
        ctx.kept = [n for n in record.kept_arguments if n not in ctx.maps]
        ctx.save_for_backward(
            *(arguments[name] for name in ctx.kept), *(named[name] for name in record.kept_results)
        )
        ctx.kept += record.kept_results
        ctx.results = [(name, r.shape, r.dtype, r.device) for name, r in named.items()]
        ctx.mark_non_differentiable(*(r for r in results if not r.dtype.is_floating_point))
        ctx.set_materialize_grads(False)
        return tuple(results)

    @staticmethod
    def backward(ctx, *cotangents):
        record = ctx.record
        record.missing.clear()
        given = {
            name: cotangent
            for (name, *_), cotangent in zip(ctx.results, cotangents)
            if cotangent is not None
        }
        gradients = dict.fromkeys(ctx.names)
        wanted = [n for n, needed in zip(ctx.names, ctx.needs_input_grad[1:]) if needed]
        if given:
            known = dict(zip(ctx.kept, ctx.saved_tensors)) | ctx.maps
            for derivative, names in record.choose(wanted, given):
                results = _differentiate(derivative, known, given, ctx.results)
                gradients.update({name: results[derivative.wrt[name]] for name in names})
        return None, *gradients.values()


def _differentiate(derivative, known, given, results):
    """The results of a derivative by name; cotangents that are absent are zeros."""
    function = derivative.function
    values = dict(known)
    for name, shape, dtype, device in results:
        if name in derivative.given:
            cotangent = given.get(name)
            if cotangent is None:
                cotangent = torch.zeros(shape, dtype=dtype, device=device)
            values[derivative.given[name]] = cotangent
    got = call(function, [values[name] for name in function.names], None, False)
    return dict(zip((r.name for r in function.results), got))
