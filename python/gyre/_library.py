"""Libraries of compiled kernels, and calls."""

import collections
import collections.abc
import ctypes
import json
import pathlib
import sys
import typing

from . import _abi, _arrays, _runtime
from ._dims import Poly
from ._errors import Error
from ._map import Map

MANIFEST_VERSION = 1


def load(manifest_path):
    """Loads the library that a manifest (written by gyrec) describes."""
    try:
        path = pathlib.Path(manifest_path)
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise Error(
            f"[python-manifest] expected a manifest of gyrec in {manifest_path}, got: {error}"
        ) from error
    if not isinstance(manifest, dict) or manifest.get("gyre") != MANIFEST_VERSION:
        raise Error(
            f"[python-manifest] {path}: expected a manifest of version {MANIFEST_VERSION}, got another file"
        )
    if manifest.get("target") not in ("cpu", "cuda"):
        raise Error(
            f"[python-manifest] {path}: expected target cpu or cuda, got {manifest.get('target')}"
        )
    try:
        return Library(path, manifest)
    except KeyError as error:
        raise Error(f"[python-manifest] {path}: expected the key {error}, got none") from error
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Error(
            f"[python-manifest] {path}: expected a manifest as gyrec writes it, got: {error}"
        ) from error


class Library:
    """The functions of a compiled spec, as attributes and by `library[name]`."""

    def __init__(self, path, manifest):
        self.path = path
        self.manifest = manifest
        self.spec = manifest["spec"]
        self.params = manifest["params"]
        library, self.runtime = _runtime.open_library(path.parent / manifest["library"])
        self._functions = {
            entry["name"]: Function(library, self.runtime, entry, path)
            for entry in manifest["functions"]
        }
        for entry in manifest["functions"]:
            if "derivative" in entry:
                self._link(self._functions[entry["name"]], entry["derivative"])

    def _link(self, function, entry):
        """Tells a function of this one, which is its derivative."""
        derivative = Derivative(function, dict(entry["wrt"]), dict(entry["given"]))
        primal = self._functions.get(entry["of"])
        if primal is None:
            return  # gyrec was asked for some functions only
        arguments, results = primal.names, [result.name for result in primal.results]
        gradients = [result.name for result in function.results]
        known = {*arguments, *results, *derivative.given.values()}
        for names, expected in (
            (derivative.wrt, arguments),
            (derivative.wrt.values(), gradients),
            (derivative.given, results),
            (function.names, known),
        ):
            for name in sorted(set(names) - set(expected)):
                raise Error(
                    f"[python-manifest] {function.name}: expected a derivative of {primal.name}, "
                    f"got one that names `{name}`"
                )
        primal.derivatives.append(derivative)

    def __getitem__(self, name):
        if not isinstance(name, str) or name not in self._functions:
            raise Error(
                f"[python-function] {self.spec}: expected one of {sorted(self._functions)}, got `{name}`"
            )
        return self._functions[name]

    def __getattr__(self, name):
        # Reached only for names that are no attributes, and before __init__ has set any.
        functions = self.__dict__.get("_functions", {})
        if name in functions:
            return functions[name]
        raise AttributeError(f"library `{self.__dict__.get('spec')}` has no function `{name}`")

    # A library does not change: copies are the same one, and other processes load it again.

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return load, (str(self.path.absolute()),)

    def __iter__(self):
        return iter(self._functions.values())

    def __dir__(self):
        return [*super().__dir__(), *self._functions]

    def __repr__(self):
        return f"<gyre.Library {self.spec} {self.params}>"


class Derivative(typing.NamedTuple):
    """A declared derivative of a function: its gradients by argument, its cotangents by result."""

    function: "Function"
    wrt: dict
    given: dict


class Operand:
    """An argument or a result, as the manifest describes it."""

    def __init__(self, entry):
        self.name, self.kind = entry["name"], entry["kind"]
        if self.kind == "map":
            self.shape = [Poly(size) for _, size in entry["axes"]]
            self.target = Poly(entry["target"])
            self.padded = entry["padded"]
        elif self.kind == "tensor":
            self.shape, self.dtype = [Poly(size) for size in entry["shape"]], entry["dtype"]
            self.compact, self.align = entry.get("compact", False), entry.get("align", 1)
            if self.dtype not in _abi.DTYPES:
                raise Error(
                    f"[python-manifest] `{self.name}`: expected one of {sorted(_abi.DTYPES)}, got dtype {self.dtype}"
                )
        else:
            raise Error(
                f"[python-manifest] `{self.name}`: expected kind tensor or map, got {self.kind}"
            )

    @property
    def names(self):
        """The runtime sizes that it has."""
        sizes = self.shape + ([self.target] if self.kind == "map" else [])
        return set().union(*(size.names for size in sizes))

    def __str__(self):
        dims = " x ".join(size.text for size in self.shape)
        if self.kind == "map":
            return f"{self.name}: map<[{dims}] to {self.target.text}{', padded' if self.padded else ''}>"
        return f"{self.name}: {' x '.join([dims, self.dtype] if dims else [self.dtype])}"


class Function:
    """A compiled function.

    Call it with NumPy arrays and `gyre.Map`s, by position or by name, in the manifest's order. It
    returns an array, or a named tuple if there is more than one result. `out` gives the arrays to write: one
    array, a sequence in the order of the results, or a dict by name (other results are allocated).
    `check_maps` has the runtime check the contents of every map first.

    Called with PyTorch tensors it returns tensors. Where one requires a gradient, the derivatives that
    the spec declares give it (`derivatives` lists them), and theirs give the second order. A gradient
    that none gives is an error when it is asked for. Tensors are copied where the function wants
    another layout. On a GPU, kernels run on PyTorch's current stream, and its allocator has the memory.
    """

    def __init__(self, library, runtime, entry, path):
        self.path = path
        self.name = entry["name"]
        self.sizes = list(entry["sizes"])
        self.arguments = [Operand(argument) for argument in entry["arguments"]]
        self.results = [Operand(result) for result in entry["results"]]
        self.names = [argument.name for argument in self.arguments]
        self.derivatives = []
        for operand in self.arguments + self.results:
            for name in sorted(operand.names - set(self.sizes)):
                raise self._error(
                    "manifest",
                    f"`{operand.name}`: expected one of the sizes {self.sizes}, got {name}",
                )
        self._runtime = runtime
        self._call = self._symbol(
            library,
            entry["packed_symbol"],
            [ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(_abi.Context)],
        )
        self._workspace = self._symbol(
            library,
            entry["workspace_symbol"],
            [ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64)],
        )
        self._tuple = collections.namedtuple(
            f"{self.name}_results", [result.name for result in self.results], rename=True
        )
        self.__doc__ = f"{self.name}({', '.join(map(str, self.arguments))}) -> ({', '.join(map(str, self.results))})"

    def _symbol(self, library, name, arguments):
        try:
            symbol = getattr(library, name)
        except AttributeError as error:
            raise Error(
                f"[python-library] {self.name}: expected the library to have the symbol {name}, got none"
            ) from error
        symbol.restype, symbol.argtypes = ctypes.c_int32, arguments
        return symbol

    def _error(self, kind, text):
        return Error(f"[python-{kind}] {self.name}: {text}")

    def _bind(self, values, named):
        """The arguments in order, as they were given."""
        if len(values) > len(self.names):
            raise self._error(
                "arguments", f"expected {len(self.names)} arguments, got {len(values)}"
            )
        given = dict(zip(self.names, values))
        for name, value in named.items():
            if name not in self.names:
                raise self._error("arguments", f"expected arguments {self.names}, got `{name}`")
            if name in given:
                raise self._error("arguments", f"argument `{name}`: expected one value, got two")
            given[name] = value
        for name in self.names:
            if name not in given:
                raise self._error("arguments", f"argument `{name}`: expected a value, got none")
        return [given[name] for name in self.names]

    def _argument(self, arrays, argument, value):
        if argument.kind == "map":
            if not isinstance(value, Map):
                raise self._error(
                    "map",
                    f"argument `{argument.name}`: expected a gyre.Map, got {type(value).__name__}",
                )
            return value
        if isinstance(value, Map):
            raise self._error(
                "map", f"argument `{argument.name}`: expected an array, got a gyre.Map"
            )
        return arrays.argument(value, f"{self.name}: argument `{argument.name}`")

    def _outputs(self, arrays, out):
        """The given result arrays by name."""
        names = [result.name for result in self.results]
        if out is None:
            return {}
        if isinstance(out, arrays.type):
            out = [out]
        if not isinstance(out, dict):
            if not isinstance(out, collections.abc.Sequence):
                raise self._error(
                    "out",
                    f"expected an array, a sequence or a dict in `out`, got {type(out).__name__}",
                )
            if len(out) != len(names):
                wanted = "1 array" if len(names) == 1 else f"{len(names)} arrays"
                raise self._error("out", f"expected {wanted} in `out`, got {len(out)}")
            out = dict(zip(names, out))
        for name, array in out.items():
            if name not in names:
                raise self._error("out", f"expected results {names} in `out`, got `{name}`")
            if not arrays.writable(array):
                raise self._error("out", f"result `{name}`: expected {arrays.wanted} in `out`")
        return out

    def _measure(self, values, outputs):
        """The runtime sizes, as far as the operands give them.

        The first operand wins; contradictions, and operands of a wrong rank, are the runtime's to
        report, which sees them all. A size that nothing gives counts as 0 until then.
        """
        sizes = {}
        operands = list(zip(self.arguments, values)) + [
            (r, outputs[r.name]) for r in self.results if r.name in outputs
        ]
        for operand, value in operands:
            dims = list(zip(operand.shape, value.shape))
            if operand.kind == "map":
                dims.append((operand.target, value.target))
            for size, count in dims:
                if size.name is not None:
                    sizes.setdefault(size.name, count)
        return {name: sizes.get(name, 0) for name in self.sizes}

    def _allocate(self, arrays, result, sizes):
        shape = [max(size(sizes), 0) for size in result.shape]
        what = f"{self.name}: result `{result.name}`: expected memory for {shape}"
        return arrays.empty(shape, result.dtype, what)

    def workspace_bytes(self, sizes):
        """Bytes of workspace that a call needs, given the runtime sizes by name."""
        if not isinstance(sizes, dict) or set(sizes) != set(self.sizes):
            raise self._error(
                "sizes",
                f"expected values of {self.sizes}, got {[*sizes] if isinstance(sizes, dict) else sizes}",
            )
        values = [_abi.integer(sizes[name], f"{self.name}: size `{name}`") for name in self.sizes]
        words, count = (ctypes.c_int64 * len(values))(*values), ctypes.c_int64()
        self._runtime.check(self._workspace(words, count))
        return count.value

    def __call__(self, /, *values, out=None, check_maps=False, **named):
        values = self._bind(values, named)
        torch = sys.modules.get("torch")
        if torch is not None and any(isinstance(value, torch.Tensor) for value in values):
            from . import _torch  # here: there may be no PyTorch

            results = _torch.call(self, values, out, check_maps)
        else:
            arrays = _arrays.NumPy()
            results = self._run(
                arrays, self._checked(arrays, values), self._outputs(arrays, out), check_maps
            )
        return results[0] if len(results) == 1 else self._tuple(*results)

    def _checked(self, arrays, values):
        # A map that is none would have other arguments blamed, for not being arrays of its kind.
        for argument, value in zip(self.arguments, values):
            if (argument.kind == "map") != isinstance(value, Map):
                self._argument(arrays, argument, value)
        return [
            self._argument(arrays, argument, value)
            for argument, value in zip(self.arguments, values)
        ]

    def _map(self, arrays, argument, value):
        try:
            return arrays.map(value, self._runtime)
        except Error as error:
            identifier, _, text = str(error).partition("] ")
            place = f"{self.name}: argument `{argument.name}`"
            raise Error(f"{identifier}] {place}: {text}", error.status) from error

    def _run(self, arrays, values, outputs, check_maps):
        """Calls the kernel; the results in order."""
        sizes = self._measure(values, outputs)
        outputs = {
            r.name: outputs[r.name] if r.name in outputs else self._allocate(arrays, r, sizes)
            for r in self.results
        }
        count = self.workspace_bytes(sizes)
        workspace, pointer = arrays.workspace(
            count, f"{self.name}: expected memory for the workspace"
        )
        context = _abi.Context(
            pointer, count, arrays.stream(), _abi.CHECK_MAPS if check_maps else 0
        )
        results = [outputs[result.name] for result in self.results]
        values = [
            value if argument.kind == "map" else arrays.laid_out(value, argument)
            for argument, value in zip(self.arguments, values)
        ]
        structs = [
            self._map(arrays, operand, value)
            if operand.kind == "map"
            else arrays.tensor(value, f"{self.name}: `{operand.name}`", operand.dtype)
            for operand, value in zip(self.arguments + self.results, [*values, *results])
        ]
        pointers = (ctypes.c_void_p * len(structs))(*map(ctypes.addressof, structs))
        with arrays.current():
            self._runtime.check(self._call(pointers, context))
        return results

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _load_function, (str(self.path.absolute()), self.name)

    def __repr__(self):
        return f"<gyre.Function {self.__doc__}>"


def _load_function(path, name):
    return load(path)[name]
