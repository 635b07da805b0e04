"""Compiles specs by gyrec, and keeps what was compiled."""

import operator
import os
import pathlib
import platform
import shutil
import subprocess
import threading
import warnings

from . import _cache
from ._errors import Error
from ._library import load

_identities = {}
_libraries = {}
_lock = threading.Lock()


def compile(
    spec,
    target="cpu",
    *,
    lowering="fused",
    derive=(),
    arch=(),
    toolkit=None,
    name=None,
    precision=None,
    **params,
):
    """Compiles a spec and loads the library: `gyre.compile("kernels/segment_sum.mlir", B=64)`.

    spec      path of a spec file; or its text, a `str` of more than one line
    target    "cpu" or "cuda"
    lowering  for the CPU: "fused", kernels on SIMD lanes and in parallel, or "plain", a scalar loop
              nest for each op, which compiles faster and takes arrays that are not compact
    derive    names of the functions and declared derivatives that are wanted; all if empty
    precision how products are evaluated where the spec does not say, as "fp16x3" (default: "ieee")
    arch      for GPUs: architectures such as "sm_90a"
    toolkit   for GPUs: directory of the CUDA toolkit
    name      the spec, where the file has several
    params    values of the spec's parameters: integers, and names of element types (`act="f64"`)

    Returns a `gyre.Library`, the same one for the same arguments. What gyrec refuses is a
    `gyre.Error` with gyrec's text; its warnings are Python's.

    Compiled libraries are kept in the directory $GYRE_CACHE (else $XDG_CACHE_HOME/gyre, else
    ~/.cache/gyre), each under a hash of the spec's text, the parameters, the options, the compiler
    and the versions of LLVM's libraries that it runs with. Of processes that want the same library at once, one compiles it. A library that is
    damaged is compiled again. The directory may be removed at any time.

    gyrec is the one that $GYREC names, or the one that was built or installed with this package,
    or the one on PATH.
    """
    text, shown = _read(spec)
    gyrec = find_gyrec()
    flags = _flags(target, lowering, derive, arch, toolkit, name, precision, params)
    key = _cache.key(
        [text, *flags, *_identity(gyrec), *_toolkit(target, toolkit), platform.machine()]
    )
    with _lock:
        known = _libraries.get(key)
    if known is not None:
        return known
    manifest = _cache.get(key, lambda directory: _run(gyrec, text, shown, flags, directory))
    library = load(manifest)
    with _lock:
        return _libraries.setdefault(key, library)


def find_gyrec():
    """The path of the compiler."""
    named = os.environ.get("GYREC")
    if named:
        found = [pathlib.Path(named)]
    else:
        package = pathlib.Path(__file__).resolve().parent
        # In the source tree; installed, below share/gyre/python; anywhere.
        found = [
            package.parents[1] / "build" / "bin" / "gyrec",
            package.parents[3] / "bin" / "gyrec",
        ]
        found += [pathlib.Path(path) for path in [shutil.which("gyrec")] if path]
    for path in found:
        if path.is_file() and os.access(path, os.X_OK):
            return path.resolve()
    raise Error(
        "[python-compiler] expected gyrec, where the variable GYREC says or on PATH, got none in "
        + ", ".join(map(str, found))
    )


def _read(spec):
    """The text of a spec, and how messages call it."""
    if isinstance(spec, str) and "\n" in spec:
        return spec, "<spec>"
    try:
        return pathlib.Path(spec).read_text(encoding="utf-8"), os.fspath(spec)
    except (OSError, ValueError, TypeError) as error:
        raise Error(
            f"[python-spec] expected the path or the text of a spec, got: {error}"
        ) from error


def _flags(target, lowering, derive, arch, toolkit, name, precision, params):
    flags = [f"--target={target}"]
    if target == "cpu":
        flags.append(f"--lowering={lowering}")
    for option, values in (("derive", derive), ("arch", arch)):
        values = [values] if isinstance(values, str) else list(values)
        if values:
            flags.append(f"--{option}={','.join(values)}")
    for option, value in (("toolkit", toolkit), ("spec", name), ("precision", precision)):
        if value is not None:
            flags.append(f"--{option}={value}")
    flags += [f"--set={key}={_value(key, params[key])}" for key in sorted(params)]
    return flags


def _value(name, value):
    if isinstance(value, str):
        return value
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise Error(
        f"[python-param] parameter `{name}`: expected an integer or the name of an element type, "
        f"got {type(value).__name__}"
    )


def _identity(gyrec):
    status = gyrec.stat()
    stamp = (str(gyrec), status.st_ino, status.st_size, status.st_mtime_ns)
    if stamp not in _identities:
        _identities[stamp] = _cache.identity(gyrec)
    return _identities[stamp]


def _toolkit(target, toolkit):
    """What decides which ptxas gyrec runs, and which one that is."""
    if target != "cuda":
        return []
    roots = [os.environ.get(name, "") for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")]
    found = [root and os.path.join(root, "bin", "ptxas") for root in [toolkit or "", *roots]]
    found += [shutil.which("ptxas") or "", "/usr/local/cuda/bin/ptxas"]
    stamps = []
    for path in found:
        try:
            status = os.stat(path)
            stamps.append(f"{path} {status.st_size} {status.st_mtime_ns}")
        except OSError:
            stamps.append(path)
    return stamps


def _run(gyrec, text, shown, flags, directory):
    """Compiles into `directory`; the name of the manifest."""
    source = directory / "spec.mlir"
    source.write_text(text, encoding="utf-8")
    command = [str(gyrec), str(source), *flags, "-o", str(directory)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Error(f"[python-compiler] expected {gyrec} to run, got: {error}") from error
    said = done.stderr.replace(str(source), shown).strip()
    if done.returncode:
        raise Error(
            said
            or f"[python-compiler] expected {gyrec} to compile {shown}, got exit status {done.returncode}"
        )
    if "warning:" in said:
        warnings.warn(said, stacklevel=4)
    (manifest,) = directory.glob("*.json")
    return manifest.name
