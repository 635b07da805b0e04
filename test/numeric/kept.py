"""What a tool made, kept from one run of the tests to the next.

The key of an entry is all that it depends on: the bytes of the tool, the libraries that it is linked
with, its inputs and its options. What another version of the tool made is removed.
"""

import hashlib
import pathlib
import shutil
import threading

from gyre import _cache


class Kept:
    """The entries of one tool, in a directory below `root`."""

    def __init__(self, root, tool):
        self.root, self.tool = pathlib.Path(root), pathlib.Path(tool)
        self._lock, self._directory = threading.Lock(), None

    def directory(self):
        with self._lock:
            if self._directory is None:
                version = _cache.key(_cache.identity(self.tool))
                self._directory = self.root / f"{self.tool.name}-{version}"
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
