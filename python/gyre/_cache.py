"""A directory of compiled libraries, shared by processes.

An entry is a directory of the name of its key. It appears at once, by a rename, with a list of its
files and their hashes; one that does not agree with its list is made again.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

from ._errors import Error

_LIST = "entry.list"


def root():
    """The cache's directory."""
    named = os.environ.get("GYRE_CACHE")
    if named:
        return pathlib.Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    # The specification of XDG has relative paths ignored.
    if base and os.path.isabs(base):
        return pathlib.Path(base) / "gyre"
    return pathlib.Path.home() / ".cache" / "gyre"


def key(words):
    """The key of an entry that depends on these words and on nothing else."""
    digest = hashlib.sha256()
    for word in words:
        data = str(word).encode("utf-8", "surrogateescape")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def hash_file(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def identity(tool):
    """What makes a tool another one: its place, which what it makes may hold, its bytes, its libraries."""
    words = [str(tool), hash_file(tool)]
    with contextlib.suppress(OSError):  # where there is no ldd
        listed = subprocess.run(["ldd", str(tool)], capture_output=True, text=True, check=False)
        for library in sorted(re.findall(r"=> (/.*) \(0x", listed.stdout)):
            status = os.stat(library)
            words.append(f"{library} {status.st_size} {status.st_mtime_ns}")
    return words


def get(key, make, directory=None):
    """The path of the manifest of an entry. `make(directory)` fills a new one and names its manifest."""
    directory = directory or root()
    try:
        return _get(directory, key, make)
    except OSError as error:
        raise Error(
            f"[python-cache] expected a directory for compiled libraries in {directory} "
            f"($GYRE_CACHE names another), got: {error}"
        ) from error


def _get(directory, key, make):
    entry = directory / key
    manifest = _check(entry)
    if manifest is not None:
        return manifest
    directory.mkdir(parents=True, exist_ok=True)
    with _only_one(directory / f"{key}.lock"):
        # Another process may have been faster.
        manifest = _check(entry)
        if manifest is None:
            _make(directory, entry, make)
            manifest = _check(entry)
    if manifest is None:
        raise Error(f"[python-cache] expected {entry} to stay as it was made, got other contents")
    return manifest


def _check(entry):
    """The manifest of an entry that is whole; else None."""
    try:
        listed = json.loads((entry / _LIST).read_text(encoding="utf-8"))
        if all(hash_file(entry / name) == digest for name, digest in listed["files"].items()):
            return entry / listed["manifest"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    return None


@contextlib.contextmanager
def _only_one(path):
    """Holds a lock that ends with the process, where the file system has such.

    Who finds the file gone makes another one: two may hold it then, and the later rename loses.
    """
    with open(path, "ab") as file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _make(directory, entry, make):
    with tempfile.TemporaryDirectory(prefix="making.", dir=directory) as scratch:
        made = pathlib.Path(scratch) / "entry"
        made.mkdir()
        manifest = make(made)
        files = {path.name: hash_file(path) for path in sorted(made.iterdir())}
        (made / _LIST).write_text(
            json.dumps({"manifest": manifest, "files": files}, indent=2), encoding="utf-8"
        )
        # What is damaged goes first: a rename replaces no directory that has files.
        with contextlib.suppress(FileNotFoundError):
            os.rename(entry, pathlib.Path(scratch) / "damaged")
        try:
            os.rename(made, entry)
        except OSError:
            # Two may have held the lock, and the other one was faster.
            if _check(entry) is None:
                raise
