"""Times the functions of compiled libraries, beside what the device can do and what PyTorch makes of them.

An entry is a library at the sizes of a model, on random sources or on those of water. What can be moved at
all is measured first, in the same process: a copy, a write, a gather of rows of nodes. All calls are timed
alike (stopwatch.py), on inputs that rotate among copies beyond the last cache. `floor` is the time in which
the copy moves the fewest bytes that a function has to move (traffic.py).
"""

import os
import pathlib
import subprocess
import time

import baselines
import identity
import stopwatch
import torch
import traffic
import water

import gyre
from gyre import _torch, _torch_map

MOST_COPIES = 64
MOST_DIFFERENCE = 1e-4  # from PyTorch's results, which are f32's, relative to the largest
DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
TERA = 1e12


class Bench:
    def __init__(self, target, ordinal=0, runs=40, compared=("eager", "compile")):
        self.device = torch.device("cuda", ordinal) if target == "cuda" else torch.device("cpu")
        self.watch = stopwatch.Events(self.device) if target == "cuda" else stopwatch.Clock()
        self.runs, self.compared = runs, compared
        self.generator = torch.Generator(self.device).manual_seed(1)
        self.ceilings = None

    def where(self):
        """What a time depends on, beside the library."""
        found = {"date": time.strftime("%Y-%m-%d"), "torch": torch.__version__}
        if self.device.type == "cpu":
            return {**found, "device": "cpu"}
        capability = "".join(map(str, torch.cuda.get_device_capability(self.device)))
        name = f"{torch.cuda.get_device_name(self.device)} (sm_{capability})"
        return {**found, "device": name, "driver": driver_version()}

    def measure_ceilings(self, nodes, edges, numbers=1 << 28, width=1024):
        """Bytes a second, in TB/s: each that is read or written counts once, those of the table once."""
        if self.device.type == "cpu":
            numbers, edges = numbers >> 6, min(edges, 1 << 12)

        def empty(*shape):
            return torch.zeros(shape, device=self.device)

        a, b, table, rows = empty(numbers), empty(numbers), empty(nodes, width), empty(edges, width)
        index = torch.randint(nodes, (edges,), generator=self.generator, device=self.device)
        index = index.to(torch.int32)
        calls = {
            "copy": (lambda: b.copy_(a), 8 * numbers),
            "write": (lambda: b.fill_(1), 4 * numbers),
            "gather": (
                lambda: torch.index_select(table, 0, index, out=rows),
                4 * (table.numel() + rows.numel() + edges),
            ),
        }
        self.ceilings = {}
        for name, (call, count) in calls.items():
            seconds = 1e-3 * self.watch.time([call], self.runs)["ms"]
            self.ceilings[name] = count / seconds / TERA
        return self.ceilings

    def floor_ms(self, count):
        return 1e3 * count / (self.ceilings["copy"] * TERA)

    def place(self, array):
        return torch.from_numpy(array).to(self.device)


class Graph:
    """What maps refer to, and how many of everything there are."""

    def __init__(self, kind, sizes, bench):
        self.sizes, self.kind, device = dict(sizes), kind, bench.device
        if kind == "water":
            neighbours, centres, atoms = water.edges(sizes["boxes"])
            self.sizes.update(E=len(neighbours), N=atoms)
            self.by_name = {"src": bench.place(neighbours)}
            self.others = bench.place(centres)
        else:
            self.by_name, count = {}, (sizes["E"],)
            self.others = torch.randint(
                max(sizes.get("N", 1), 1), count, generator=bench.generator, device=device
            )

    def index(self, name):
        """i64; `src` is where an edge starts, and any other map where it ends."""
        return self.by_name.get(name, self.others)


class Operands:
    """The arguments of a library's functions, by name."""

    def __init__(self, bench, graph):
        self.bench, self.graph, self.known, self.maps = bench, graph, {}, {}

    def tensor(self, operand, sizes):
        if operand.name not in self.known:
            self.known[operand.name] = torch.randn(
                traffic.shape_of(operand, sizes),
                generator=self.bench.generator,
                dtype=DTYPES[operand.dtype],
                device=self.bench.device,
            )
        return self.known[operand.name]

    def map(self, operand, sizes):
        if operand.name not in self.maps:
            index = self.graph.index(operand.name)
            self.maps[operand.name] = gyre.Map(index, operand.target(sizes), operand.padded)
        return self.maps[operand.name]

    def of(self, function, sizes):
        """What it is called with."""
        return [
            self.map(o, sizes) if o.kind == "map" else self.tensor(o, sizes)
            for o in function.arguments
        ]


def driver_version():
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.split("\n")[0]


def bytes_of(tensors):
    return sum(t.numel() * t.element_size() for t in tensors if isinstance(t, torch.Tensor))


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def time_function(bench, function, values):
    """(times, launches of a call, its results)"""
    results = as_tuple(function(*values))
    each = max(bytes_of(values) + bytes_of(results), 1)
    copies = min(2 * bench.watch.cache_bytes // each + 1, MOST_COPIES)
    calls, kept, launches = [], [], None
    for i in range(copies):
        own = [v.clone() if i and isinstance(v, torch.Tensor) else v for v in values]
        out = [torch.empty_like(r) for r in results]
        kept.append((own, out))  # graphs know addresses only
        call, launches = bench.watch.record(lambda own=own, out=out: function(*own, out=out))
        calls.append(call)
    return bench.watch.time(calls, bench.runs), launches, results


def largest_difference(results, others):
    """Of all results, relative to the largest element of each."""
    worst = 0.0
    for one, other in zip(results, others):
        size = max(other.abs().max().item(), 1e-30) if other.numel() else 1.0
        worst = max(worst, (one - other).abs().max().item() / size if other.numel() else 0.0)
    return worst


def time_baselines(bench, plain, function, values, graph, results):
    """Times of the same by PyTorch, and how far its results are from those of the kernels."""
    found = {}
    if not plain.has(function.name):
        return found
    tensors = [
        graph.index(o.name) if o.kind == "map" else v for o, v in zip(function.arguments, values)
    ]
    for kind in bench.compared:
        try:
            if kind == "eager":
                run = plain.function(function.name)
            else:
                run = plain.compiled(function.name, tensors)
            difference = largest_difference(results, run(*tensors))
            call, launches = bench.watch.record(lambda: run(*tensors))
            times = bench.watch.time([call], max(bench.runs // 4, 3))
            found[kind] = {**times, "launches": launches, "difference": difference}
            found[kind]["agrees"] = difference <= MOST_DIFFERENCE
        except Exception as error:  # of any kind: what PyTorch cannot do is no reason to stop
            found[kind] = {"failure": f"{type(error).__name__}: {str(error).splitlines()[0]}"}
    return found


def kernels_of(library, function):
    """The manifest's description of the machine code of a function; equal kernels are another's."""
    kernels = library.manifest.get("kernels", [])
    return [k for k in kernels if identity.function_of(k["name"]) == function.name]


def measure_functions(bench, library, kind, sizes, compares):
    """A row for each function on a graph of a kind."""
    graph = Graph(kind, sizes, bench)
    operands, plain = Operands(bench, graph), baselines.Baselines(library, graph.sizes)
    read = {}
    for function in library:
        if any(r.dtype not in DTYPES for r in function.results):
            continue
        own = {name: graph.sizes[name] for name in function.sizes}
        for argument in function.arguments:
            if argument.kind == "tensor" and argument.name not in read:
                read[argument.name] = traffic.cells_read(function, argument, bench.place)
        values = operands.of(function, own)
        times, launches, results = time_function(bench, function, values)
        count = traffic.fewest_bytes(function, own, read)
        yield {
            "spec": library.spec,
            "parameters": library.params,
            "function": function.name,
            "graph": kind,
            "sizes": own,
            **times,
            "launches": launches,
            "bytes": count,
            "gb_per_s": 1e-6 * count / times["ms"],
            "floor_ms": bench.floor_ms(count),
            "of_floor": bench.floor_ms(count) / times["ms"],
            "baselines": time_baselines(bench, plain, function, values, graph, results)
            if compares
            else {},
            "kernels": kernels_of(library, function),
        }


def measure_memory(bench, library, sizes):
    """The most that a forward and its backward have beyond what goes in and comes out, relative to that."""
    backward = [
        (function, derivative)
        for function in library
        for derivative in function.derivatives
        if not any(function in (d.function for d in f.derivatives) for f in library)
    ]
    if not backward:
        return None
    forward, derivative = max(backward, key=lambda pair: len(pair[1].wrt))
    graph = Graph("random", sizes, bench)
    operands, kept = Operands(bench, graph), []
    calls = []
    for function in (forward, derivative.function):
        own = {name: graph.sizes[name] for name in function.sizes}
        calls.append((function, operands.of(function, own)))
    for function, values in calls:
        kept += as_tuple(function(*values))
    needed = bytes_of(operands.known.values()) + bytes_of(kept)
    results = bytes_of(kept)
    del kept
    peak = bench.watch.peak_bytes(lambda: [function(*values) for function, values in calls])
    if peak is None:
        return None
    return {
        "functions": [forward.name, derivative.function.name],
        "operands_and_results": needed,
        "beyond": peak - results,
        "relative": (peak - results) / needed,
    }


def measure_map(bench, library, sizes):
    """Milliseconds until a map of random edges can be used: of an index on the GPU, and one on the host."""
    has_maps = any(o.kind == "map" for function in library for o in function.arguments)
    if bench.device.type == "cpu" or not has_maps:
        return None
    count, nodes = sizes["E"], sizes["N"]
    index = torch.randint(nodes, (count,), generator=bench.generator, device=bench.device)
    found = {"E": count, "N": nodes}
    found["tables_ms"] = bench.watch.time([lambda: _torch_map.tables(index, nodes)], bench.runs)[
        "ms"
    ]
    for name, given in (("gpu", index), ("host", index.cpu())):
        seconds = []
        for _ in range(bench.runs):
            value = gyre.Map(given, nodes)
            torch.cuda.synchronize(bench.device)
            begin = time.perf_counter()
            _torch._map_on(bench.device, value, library.runtime)
            torch.cuda.synchronize(bench.device)
            seconds.append(time.perf_counter() - begin)
        found[f"{name}_ms"] = stopwatch.summary(seconds)["ms"]
    return found


def run(root, entry, target, ordinal, runs, compared):
    """All that is measured of an entry of a folder that bundle.py has made."""
    root = pathlib.Path(root)
    os.environ.setdefault("GYRE_RUNTIME", str(root / "lib" / "libgyre_runtime.so.0"))
    bench = Bench(target, ordinal, runs, compared)
    library, sizes = gyre.load(root / entry["manifest"]), entry["sizes"]
    with torch.no_grad():
        found = {
            **bench.where(),
            "case": entry["case"],
            "ceilings": bench.measure_ceilings(sizes.get("N", 2000), sizes["E"]),
            "rows": [],
            "maps": measure_map(bench, library, sizes),
        }
        for number, kind in enumerate(entry["graphs"]):
            found["rows"] += measure_functions(bench, library, kind, sizes, compares=number == 0)
        found["memory"] = measure_memory(bench, library, sizes)
    return found


def disagreements(found):
    """The functions that PyTorch has other results of."""
    return [
        f"{row['function']}, {row['graph']}: expected results within {MOST_DIFFERENCE} of PyTorch's "
        f"({kind}), got {other['difference']:.1e}"
        for row in found["rows"]
        for kind, other in row["baselines"].items()
        if not other.get("agrees", True)
    ]


def lines(found):
    """What is printed of it."""
    ceilings = ", ".join(f"{name} {value:.2f} TB/s" for name, value in found["ceilings"].items())
    yield f"{found['case']} on {found['device']}: {ceilings}"
    for row in found["rows"]:
        text = f"{row['function']}, {row['graph']}: {row['ms']:.3f} ms (middle half {100 * row['spread']:.1f} %), "
        text += f"{row['gb_per_s']:.0f} GB/s, {100 * row['of_floor']:.0f} % of the floor {row['floor_ms']:.3f}"
        if row["launches"] is not None:
            text += f", launches {row['launches']}"
        for name, other in row["baselines"].items():
            text += f"; {name} "
            if "failure" in other:
                text += other["failure"]
            else:
                text += f"{other['ms']:.3f} ms ({other['difference']:.1e} from it)"
        yield text
    if found["maps"]:
        maps = found["maps"]
        yield f"a map of {maps['E']} edges: {maps['gpu_ms']:.3f} ms on the GPU ({maps['tables_ms']:.3f} of it there), {maps['host_ms']:.3f} on the host"
    if found["memory"]:
        memory = found["memory"]
        yield f"{' and '.join(memory['functions'])}: {100 * memory['relative']:.2f} % of memory beyond operands and results"
