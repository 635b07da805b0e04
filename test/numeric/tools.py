"""The tools under test, as subprocesses and loaded libraries."""

import concurrent.futures
import hashlib
import json
import pathlib
import subprocess
import threading

import numpy as np

import gyre
from kernels import Index

TIMEOUT_S = 300


class ToolError(AssertionError):
    """A tool is missing, failed, or wrote something else than promised."""


def call(command, timeout=TIMEOUT_S):
    """Runs a tool; its exit status and stderr are part of the message when it fails."""
    command = [str(part) for part in command]
    if not pathlib.Path(command[0]).is_file():
        raise ToolError(
            f"{command[0]}: expected the built tool (GYRE_BUILD names the build directory), got no such file"
        )
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


def write_inputs(directory, names, v):
    directory.mkdir(parents=True)
    for name in names:
        value = v[name].array if isinstance(v[name], Index) else v[name]
        np.save(directory / f"{name}.npy", np.asarray(value, order="C"))


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
    """gyre-run and gyrec, with `flags`, of a build tree. Every parameter set is compiled once."""

    def __init__(self, build, scratch, jobs=2, flags=()):
        self.flags = tuple(flags)
        self.build, self.scratch = pathlib.Path(build), pathlib.Path(scratch)
        self.gyre_run, self.gyrec = self.build / "bin" / "gyre-run", self.build / "bin" / "gyrec"
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.lock = threading.Lock()
        self.manifests, self.libraries, self.count = {}, {}, 0

    def close(self):
        self.pool.shutdown(cancel_futures=True)

    def directory(self, label):
        with self.lock:
            self.count += 1
            return self.scratch / f"{self.count:05d}-{label}"

    def interpret(self, path, p, function, v):
        """Results of the fp64 interpreter."""
        root = self.directory(function.name)
        write_inputs(root / "in", function.arguments, v)
        (root / "out").mkdir()
        call(
            [
                self.gyre_run,
                "--interpret",
                path,
                "--set",
                set_option(p),
                *size_options(function, v),
                "--func",
                function.name,
                "--in",
                root / "in",
                "--out",
                root / "out",
            ]
        )
        results = read_results(root / "out", function)
        for name, array in results.items():
            if array.dtype not in (np.float64, np.int64):  # numbers, slots
                raise ToolError(
                    f"{function.name}: result `{name}`: expected f8 or i8 from the interpreter, got {array.dtype}"
                )
        return results

    def _compile(self, path, p, derive):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        out = self.directory(f"{path.stem}-{digest}-lib")
        out.mkdir(parents=True)
        only = ["--derive", derive] if derive else []
        fixed = ["--set", set_option(p)] if p else []
        call([self.gyrec, path, *fixed, *only, *self.flags, "-o", out])
        manifests = list(out.glob("*.json"))
        if len(manifests) != 1:
            raise ToolError(
                f"gyrec {path}: expected one manifest, got {[m.name for m in manifests]}"
            )
        return manifests[0]

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
