"""Times of calls: on a GPU by events around graphs that the calls were recorded in, else by a clock."""

import ctypes
import statistics
import time

import torch

WARM_UP = 3


def summary(seconds):
    """Of runs: the median, and the middle half of them relative to it."""
    ordered = sorted(seconds)
    median = statistics.median(ordered)
    low, high = (ordered[quarter * (len(ordered) - 1) // 4] for quarter in (1, 3))
    return {
        "ms": 1e3 * median,
        "min_ms": 1e3 * ordered[0],
        "max_ms": 1e3 * ordered[-1],
        "spread": (high - low) / median if median else 0.0,
        "runs": len(ordered),
    }


class Clock:
    """On the CPU."""

    cache_bytes = 1 << 25

    def record(self, call):
        return call, None

    def time(self, calls, runs):
        for call in calls:
            call()
        seconds = []
        for i in range(runs):
            begin = time.perf_counter()
            calls[i % len(calls)]()
            seconds.append(time.perf_counter() - begin)
        return summary(seconds)

    def peak_bytes(self, call):
        del call
        return None


class Events:
    """On a GPU."""

    def __init__(self, device):
        self.device = device
        self.cache_bytes = torch.cuda.get_device_properties(device).L2_cache_size

    def record(self, call):
        """What replays a call, and how many launches, copies and fills it is; the call itself, and None,
        where it cannot be recorded."""
        # What this stream has still to do may use memory that has been given back to it.
        torch.cuda.synchronize(self.device)
        with torch.cuda.stream(torch.cuda.Stream(self.device)):
            for _ in range(WARM_UP):
                call()
        torch.cuda.synchronize(self.device)
        try:
            graph = torch.cuda.CUDAGraph(keep_graph=True)
            with torch.cuda.graph(graph):
                call()
            count = _nodes(graph.raw_cuda_graph())
            graph.instantiate()
        except RuntimeError:
            torch.cuda.synchronize(self.device)
            return call, None
        return graph.replay, count

    def time(self, calls, runs):
        """All runs are enqueued before the first is waited for, behind work that takes as long as that."""
        for i in range(max(len(calls), WARM_UP)):
            calls[i % len(calls)]()
        torch.cuda.synchronize(self.device)
        events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(runs)]
        torch.cuda._sleep(10_000_000)  # cycles
        for i, (begin, end) in enumerate(events):
            begin.record()
            calls[i % len(calls)]()
            end.record()
        torch.cuda.synchronize(self.device)
        return summary([1e-3 * begin.elapsed_time(end) for begin, end in events])

    def peak_bytes(self, call):
        """The most memory that a call has at once beyond what there is before it, its results included."""
        call()
        torch.cuda.synchronize(self.device)
        before = torch.cuda.memory_allocated(self.device)
        torch.cuda.reset_peak_memory_stats(self.device)
        kept = call()
        torch.cuda.synchronize(self.device)
        del kept
        return torch.cuda.max_memory_allocated(self.device) - before


def _nodes(graph):
    driver, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_size_t()
    status = driver.cuGraphGetNodes(ctypes.c_void_p(graph), None, ctypes.byref(count))
    return count.value if status == 0 else None
