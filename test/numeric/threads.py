"""Runs the blocks of parallel loops on a chosen number of threads, through the runtime's hook."""

import contextlib
import ctypes
import pathlib
import random
import threading

_BLOCK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
_RUN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, _BLOCK, ctypes.c_void_p)
_RANGE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


class _Hook(ctypes.Structure):
    _fields_ = [("run", _RUN), ("data", ctypes.c_void_p)]


class Runtime:
    """The parallel loops of the runtime in a directory, which is the one that kernels use."""

    def __init__(self, directory):
        library = ctypes.CDLL(str(pathlib.Path(directory) / "libgyre_runtime.so"))
        self._set = library.gyre_set_parallel_for
        self._set.restype, self._set.argtypes = ctypes.c_int32, [ctypes.POINTER(_Hook)]
        self._loop = library.gyre_parallel_for
        self._loop.restype = ctypes.c_int32
        self._loop.argtypes = [ctypes.c_int64, ctypes.c_int64, _RANGE, ctypes.c_void_p]

    def _install(self, hook):
        if self._set(hook):
            raise RuntimeError("expected the runtime to take the hook, got an error")

    @contextlib.contextmanager
    def on_threads(self, count, seed=0):
        """Blocks in random order, on `count` threads."""
        order = random.Random(seed)

        def run(_, blocks, block, task):
            left = list(range(blocks))
            order.shuffle(left)

            def work():
                while left:
                    try:
                        i = left.pop()
                    except IndexError:  # another thread was faster
                        return
                    block(task, i)

            workers = [threading.Thread(target=work) for _ in range(count)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()

        hook = _Hook(_RUN(run), None)
        self._install(ctypes.byref(hook))
        try:
            yield
        finally:
            self._install(None)

    def loop(self, count, grain, body):
        """The runtime's own loop over [0, count): calls body(begin, end)."""
        if self._loop(count, grain, _RANGE(lambda _, begin, end: body(begin, end)), None):
            raise RuntimeError("expected the loop to run, got an error")
