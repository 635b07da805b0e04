"""The tools under test, as subprocesses and loaded libraries."""

import concurrent.futures
import json
import pathlib
import subprocess
import threading

import numpy as np

import gyre
from kept import Kept, hash_array
from kernels import Index

TIMEOUT_S = 300


class ToolError(AssertionError):
    """A tool is missing, failed, or wrote something else than promised."""


def expect_built(tool):
    if not pathlib.Path(tool).is_file():
        raise ToolError(
            f"{tool}: expected the built tool (GYRE_BUILD names the build directory), got no such file"
        )


def call(command, timeout=TIMEOUT_S):
    """Runs a tool; its exit status and stderr are part of the message when it fails."""
    command = [str(part) for part in command]
    expect_built(command[0])
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise ToolError(
            f"expected `{' '.join(command)}` to end within {timeout} s, got no end"
        ) from None
    if done.returncode:
        raise ToolError(
            f"exit status {done.returncode} of `{' '.join(command)}`:\n{done.stderr.strip()}"
        )
    return done


def input_array(value):
    return np.asarray(value.array if isinstance(value, Index) else value, order="C")


def write_inputs(directory, names, v):
    directory.mkdir(parents=True)
    for name in names:
        np.save(directory / f"{name}.npy", input_array(v[name]))


def read_results(directory, function):
    results = {}
    for name in function.results:
        path = directory / f"{name}.npy"
        if not path.is_file():
            raise ToolError(
                f"{function.name}: expected a file for result `{name}`, got {sorted(p.name for p in directory.glob('*'))}"
            )
        results[name] = np.load(path)
    return results


def signed(array):
    """Slots are unsigned numbers, and in a signature they are i8."""
    return array.view(np.int8) if array.dtype == np.uint8 else array


def set_option(p):
    return ",".join(f"{name}={value}" for name, value in p.items())


def size_options(function, v):
    if not function.sizes:
        return []
    return ["--size", ",".join(f"{name}={v[argument].target}" for name, argument in function.sizes)]


class Tools:
    """gyre-run, gyre-opt and gyrec, with `flags`, of a build tree. Every parameter set is compiled once.

    What they make is kept below `kept`, or as long as `scratch`.
    """

    def __init__(self, build, scratch, jobs=2, flags=(), kept=None):
        self.flags = tuple(flags)
        self.build, self.scratch = pathlib.Path(build), pathlib.Path(scratch)
        names = ("gyre-run", "gyrec", "gyre-opt")
        self.gyre_run, self.gyrec, self.gyre_opt = (self.build / "bin" / name for name in names)
        self.kept = {
            tool: Kept(kept or self.scratch / "kept", tool)
            for tool in (self.gyre_run, self.gyrec, self.gyre_opt)
        }
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.lock = threading.Lock()
        self.manifests, self.libraries, self.count = {}, {}, 0

    def close(self):
        self.pool.shutdown(cancel_futures=True)

    def directory(self, label):
        with self.lock:
            self.count += 1
            return self.scratch / f"{self.count:05d}-{label}"

    def keep(self, tool, words, make):
        expect_built(tool)
        return self.kept[tool].get(words, make)

    def interpret(self, path, p, function, v):
        """Results of the fp64 interpreter."""
        options = ["--set", set_option(p), *size_options(function, v), "--func", function.name]

        def make(directory):
            root = self.directory(function.name)
            write_inputs(root / "in", function.arguments, v)
            out = ["--in", root / "in", "--out", directory]
            call([self.gyre_run, "--interpret", path, *options, *out])
            return f"{function.results[0]}.npy"

        words = [hash_array(input_array(v[name])) for name in function.arguments]
        words += [*function.arguments, *options, pathlib.Path(path).read_text(encoding="utf-8")]
        results = read_results(self.keep(self.gyre_run, words, make).parent, function)
        for name, array in results.items():
            if array.dtype not in (np.float64, np.int64):  # numbers, slots
                raise ToolError(
                    f"{function.name}: result `{name}`: expected f8 or i8 from the interpreter, got {array.dtype}"
                )
        return results

    def optimised(self, path, *options):
        """What gyre-opt makes of a file."""

        def make(directory):
            text = call([self.gyre_opt, path, *options]).stdout
            (directory / "out.mlir").write_text(text, encoding="utf-8")
            return "out.mlir"

        words = [*options, pathlib.Path(path).read_text(encoding="utf-8")]
        return self.keep(self.gyre_opt, words, make).read_text(encoding="utf-8")

    def contents(self, path, p):
        """{name: bytes} of the files of a library."""
        directory = self.manifest(path, p).parent
        names = json.loads((directory / "entry.list").read_text(encoding="utf-8"))["files"]
        return {name: (directory / name).read_bytes() for name in names}

    def _compile(self, path, p, derive):
        options = ["--set", set_option(p)] if p else []
        options += [*(["--derive", derive] if derive else []), *self.flags]

        def make(directory):
            call([self.gyrec, path, *options, "-o", directory])
            manifests = [file.name for file in directory.glob("*.json")]
            if len(manifests) != 1:
                raise ToolError(f"gyrec {path}: expected one manifest, got {manifests}")
            return manifests[0]

        return self.keep(self.gyrec, [*options, path.read_text(encoding="utf-8")], make)

    def prepare(self, path, p, derive=None):
        """Starts the compilation of a parameter set, of all functions or of those that `derive` lists.

        The future's result is the manifest's path.
        """
        path = pathlib.Path(path)
        key = (path, tuple(p.items()), derive)
        with self.lock:
            future = self.manifests.get(key)
        if future is None:
            future = self.pool.submit(self._compile, path, p, derive)
            with self.lock:
                self.manifests[key] = future
        return future

    def manifest(self, path, p, derive=None):
        return self.prepare(path, p, derive).result()

    def library(self, path, p, derive=None):
        manifest = self.manifest(path, p, derive)
        if manifest not in self.libraries:
            self.libraries[manifest] = gyre.load(manifest)
        return self.libraries[manifest]

    def run(self, path, p, function, v, out, derive=None):
        """Calls the compiled function; `out` maps every result to the array that receives it."""
        arguments = {
            name: gyre.Map(*v[name]) if isinstance(v[name], Index) else signed(v[name])
            for name in function.arguments
        }
        out = {name: signed(array) for name, array in out.items()}
        self.library(path, p, derive)[function.name](**arguments, out=out)

    def run_manifest(self, manifest, function, v):
        """Results of the compiled function through gyre-run and files."""
        root = self.directory(function.name)
        write_inputs(root / "in", function.arguments, v)
        (root / "out").mkdir()
        call(
            [
                self.gyre_run,
                manifest,
                *size_options(function, v),
                "--func",
                function.name,
                "--in",
                root / "in",
                "--out",
                root / "out",
            ]
        )
        return read_results(root / "out", function)

    def described(self, path, p, derive=None):
        """The manifest as data."""
        return json.loads(self.manifest(path, p, derive).read_text(encoding="utf-8"))
