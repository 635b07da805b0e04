"""What a tool made, kept from one run of the tests to the next.

The key of an entry is all that it depends on: the bytes of the tool, the libraries that it is linked
with, its inputs and its options. What another version of the tool made is removed.
"""

import hashlib
import pathlib
import re
import shutil
import subprocess
import threading

from gyre import _cache


def identity(tool):
    """What makes a tool another one: its place, which what it makes may hold; its bytes; its libraries."""
    listed = subprocess.run(["ldd", tool], capture_output=True, text=True, check=False).stdout
    words = [tool, _cache.hash_file(tool)]
    for library in sorted(re.findall(r"=> (/\S+)", listed)):
        status = pathlib.Path(library).stat()
        words += [library, status.st_size, status.st_mtime_ns]
    return _cache.key(words)


class Kept:
    """The entries of one tool, in a directory below `root`."""

    def __init__(self, root, tool):
        self.root, self.tool = pathlib.Path(root), pathlib.Path(tool)
        self._lock, self._directory = threading.Lock(), None

    def directory(self):
        with self._lock:
            if self._directory is None:
                self._directory = self.root / f"{self.tool.name}-{identity(self.tool)}"
                for other in self.root.glob(f"{self.tool.name}-{64 * '?'}"):
                    if other != self._directory:
                        shutil.rmtree(other, ignore_errors=True)
            return self._directory

    def get(self, words, make):
        """The file that `make(directory)` names of those that it writes; it only does so the first time."""
        return _cache.get(_cache.key(words), make, self.directory())


def hash_array(array):
    """Of an array's type, shape and values."""
    data = array.tobytes()
    return f"{array.dtype.str} {array.shape} {hashlib.sha256(data).hexdigest()}"
