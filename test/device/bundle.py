"""Packs a folder that tests compiled kernels on another machine: bundle.py DIR

The folder holds libraries, their runtime, gyre-call, inputs, what the fp64 interpreter makes of them,
and the bound of each element (measure.py of the numeric tests). With --array there are libraries for
the covering arrays of kernels that walk graphs, too, without such files: walks.py makes them there.
There, `python3 run.py` checks all functions, times those of --bench, and prints tables; it needs Python
with NumPy and, for a GPU, the driver. Nothing of LLVM or of CUDA's toolkit is used there, nor anything
of this repository that the folder does not hold. What a spec is not compiled for is left out: the
folder holds the rest, and bundle.py lists what failed at its end and exits with 1.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / place) for place in ("test/numeric", "test/bench", "python")]

import cases  # noqa: E402
import checks  # noqa: E402
import fused_cases  # noqa: E402
import graphs  # noqa: E402
import identity  # noqa: E402
import kernels  # noqa: E402
import keys  # noqa: E402
import measure  # noqa: E402
import modes  # noqa: E402
import small  # noqa: E402
import spec_reference  # noqa: E402
import tools  # noqa: E402
import value_path  # noqa: E402

REPEATED_RUNS = 100
UNCHECKED = ("target", "benchmarks")  # of what a folder holds
MANY_COPIED_EDGES = 4000
COMPILER_TIMEOUT_S = 1800  # several at a time, and ptxas may take minutes for one kernel
SLOW_COMPILE_S = 60
TENSORS = ROOT / "test" / "numeric" / "specs" / "own_projection.mlir"
VALUE_PATH_TOLERANCE = 1e-11  # relative to the largest element, in f64
SMOKE = ROOT / "test" / "Tools" / "gyrec" / "cuda.mlir"  # y = 2 x, for GPUs only


def read_parameters(text):
    """`L=2,act=f32` as a dictionary."""
    pairs = (item.split("=", 1) for item in text.split(","))
    return {name: int(value) if value.lstrip("-").isdigit() else value for name, value in pairs}


def find_kernel(spec):
    for kernel in kernels.ALL:
        if kernel.spec == spec:
            return kernel
    names = ", ".join(kernel.spec for kernel in kernels.ALL)
    sys.exit(f"bundle.py: expected one of the kernels {names}, got {spec}")


class Bundle:
    def __init__(self, options, directory):
        self.options, self.root = options, directory
        self.build = pathlib.Path(options.build).resolve()
        self.libraries, self.failures = {}, {}
        self.contents = {
            "target": options.target,
            "checks": [],
            "walks": [],
            "many": [],
            "tensors": [],
            "gradchecks": [],
            "benchmarks": [],
            "keys": [],
        }

    def copy_programs(self):
        (self.root / "bin").mkdir()
        (self.root / "lib").mkdir()
        shutil.copy(self.build / "bin" / "gyre-call", self.root / "bin")
        # The name that libraries ask for, not the links to it.
        shutil.copyfile(
            self.build / "lib" / "libgyre_runtime.so.0", self.root / "lib" / "libgyre_runtime.so.0"
        )
        for name in ("run.py", "calls.py", "tensors.py", "walks.py", "many.py", "times.py"):
            shutil.copy(HERE / name, self.root)

    def copy_oracle(self):
        """What draws inputs, evaluates references and compares: the places are the same as here."""
        folders = ("test/numeric", "test/bench", "python/gyre")
        modules = (path for folder in folders for path in (ROOT / folder).glob("*.py"))
        pages = (ROOT / "docs" / "operators.md", ROOT / "docs" / "demo" / "water192.xyz")
        for path in (*pages, *modules):
            if not path.name.startswith(("test_", "conftest")):
                place = self.root / path.relative_to(ROOT)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)

    def compile(self, path, p, *flags):
        """The manifest of a spec's library, relative to the bundle."""
        key = path, tuple(sorted(p.items())), flags
        if key not in self.libraries:
            name = "-".join(
                [
                    path.stem,
                    *(f"{n}{v}" for n, v in p.items()),
                    *(flag.strip("-") for flag in flags),
                ]
            )
            out = self.root / "kernels" / name
            command = [
                self.build / "bin" / "gyrec",
                path,
                f"--target={self.options.target}",
                *flags,
                "-o",
                out,
            ]
            if p:
                command += ["--set", tools.set_option(p)]
            if self.options.target == "cuda" and self.options.arch:
                command.append(f"--arch={self.options.arch}")
            begin = time.monotonic()
            remarks = tools.call(command, self.options.timeout).stderr.splitlines()
            print("".join(f"  {name}: {line}\n" for line in remarks), end="", flush=True)
            if (seconds := time.monotonic() - begin) > SLOW_COMPILE_S:
                print(f"bundle.py: {name} took {seconds:.0f} s", flush=True)
            (manifest,) = out.glob("*.json")
            self.libraries[key] = str(manifest.relative_to(self.root))
        return self.libraries[key]

    def attempt(self, what, make):
        """What `make` returns, or None, and a failure to list at the end."""
        try:
            return make()
        except tools.ToolError as error:
            print(f"bundle.py: {what} failed: {error}", flush=True)
            self.failures[what] = error
            return None

    def add_check(self, name, manifest, function, v, results, sizes=""):
        """`results`: {name: (reference, bound)}."""
        place = self.root / "cases" / name / function.name
        tools.write_inputs(place / "in", function.arguments, v)
        for kind, number in (("reference", 0), ("bound", 1)):
            (place / kind).mkdir()
            for result, arrays in results.items():
                np.save(place / kind / f"{result}.npy", np.asarray(arrays[number], np.float64))
        self.contents["checks"].append(
            {
                "case": name,
                "function": function.name,
                "manifest": manifest,
                "files": str(place.relative_to(self.root)),
                "results": list(results),
                "sizes": sizes,
            }
        )

    def add_case(self, session, case):
        manifest = self.compile(case.kernel.path, case.p)
        v = session.inputs(case, "random")
        u = measure.UNIT_ROUNDOFF[case.p["act"]]
        for function in case.kernel.functions(case.p):
            reference = session.interpreted(case, function)
            scale = kernels.magnitude(session.page, case.kernel, case.p, function, v)
            lengths = function.lengths(case.p, v)
            results = {
                name: (
                    reference[name],
                    (8 + 2 * np.sqrt(lengths[name])) * u * np.asarray(scale[name]),
                )
                for name in function.results
            }
            sizes = tools.size_options(function, v)
            self.add_check(case.name, manifest, function, v, results, sizes[1] if sizes else "")

    def add_smoke(self):
        function = kernels.Function("twice", ("x",), ("y",), None, None)
        manifest = self.compile(SMOKE, {})
        for count in (0, 1, 1000, 100001):
            x = np.random.default_rng(count).standard_normal(count).astype(np.float32)
            exact = (2 * x.astype(np.float64), np.zeros(count))
            self.add_check(f"smoke-{count}", manifest, function, {"x": x}, {"y": exact})
        self.contents["benchmarks"].append(
            {"manifest": manifest, "function": "twice", "sizes": "N=100000000"}
        )

    def add_tensors(self):
        manifest = self.compile(TENSORS, {"C": 4, "act": "f64"})
        self.contents["tensors"].append(
            {
                "case": "tensors",
                "function": "both orders",
                "manifest": manifest,
                "target": self.options.target,
            }
        )

    def add_walks(self):
        """The covering arrays of fused kernels. Their largest cases start first."""
        found = []
        if self.options.array:
            found += fused_cases.nightly_cases() + fused_cases.pairwise_cases()
            found += fused_cases.operator_cases()
        if self.options.wide:
            found += fused_cases.wide_cases()
        found = [(case, 2) for case in found]
        if self.options.array:
            found += [(case, REPEATED_RUNS) for case in fused_cases.repeated_cases()]
        found = [(case, runs) for case, runs in found if self.is_wanted(case)]
        libraries = dict.fromkeys((case.kernel.path, case.parameters) for case, _ in found)
        begin = time.monotonic()

        def compile_one(library):
            path, parameters = library
            what = f"{path.stem} {tools.set_option(dict(parameters))}"
            return self.attempt(what, lambda: self.compile(path, dict(parameters)))

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            made = dict(zip(libraries, pool.map(compile_one, libraries)))
        count = sum(manifest is not None for manifest in made.values())
        print(f"bundle.py: {count} libraries compiled in {time.monotonic() - begin:.0f} s")
        for case, runs in found:
            if made[case.kernel.path, case.parameters] is None:
                continue
            entry = {
                "case": case.name,
                "function": f"all, {runs} runs",
                "row": fused_cases.row_of(case),
                "runs": runs,
            }
            entry["manifest"] = self.compile(case.kernel.path, case.p)
            self.contents["walks"].append(entry)

    def add_many(self, times):
        """A small graph of which many copies make E edges."""
        row = {"kernel": "so2_rotate_mix", "L": 3, "F": 1, "C": 1, "R": 0, "act": "f32"}
        row |= {"graph": "random", "E": MANY_COPIED_EDGES}
        case = fused_cases.make(row)
        manifest = self.compile(case.kernel.path, case.p)
        self.contents["many"] += [
            {
                "case": f"{case.name}, {times} times",
                "function": function.name,
                "row": row,
                "times": times,
                "manifest": manifest,
            }
            for function in case.kernel.functions(case.p)
        ]

    def is_wanted(self, case):
        return not self.options.only or any(text in case.name for text in self.options.only)

    def add_value_path(self, session, R, competing):
        """Forward, all gradients and the second order of forces, in f64: its parts after one another
        are no kernel of the arrays. The page has no second order of theirs: the interpreter has."""
        p = {"L": 2, "F": 2, "C": 4, "Cr": 3, "R": R, "T": 1, "competing": competing, "act": "f64"}
        page, rng = spec_reference.load(), np.random.default_rng(7)
        v = value_path.value_inputs(p, graphs.make("power_law", rng), rng)
        forward = value_path.forward(page, p, v)
        saved = value_path.saved_names(p)
        v.update({name: forward[name] for name in saved})
        v.update({f"g_{name}": 0 * forward[name] for name in ("rad0", *saved)})
        known = forward | value_path.train_bwd(page, p, v)
        path = ROOT / "kernels" / "so2_value_path.mlir"
        manifest = self.compile(path, p)
        described = json.loads((self.root / manifest).read_text(encoding="utf-8"))
        for entry in described["functions"]:
            names = [result["name"] for result in entry["results"]]
            function = kernels.Function(
                entry["name"],
                tuple(a["name"] for a in entry["arguments"]),
                tuple(names),
                None,
                None,
            )
            reference = known
            if function.name == "value_path_bwd2":
                reference = session.tools.interpret(path, p, function, v)
            results = {
                name: (
                    reference[name],
                    np.full(
                        reference[name].shape,
                        VALUE_PATH_TOLERANCE * max(np.abs(reference[name]).max(initial=0), 1e-300),
                    ),
                )
                for name in names
            }
            self.add_check(f"so2_value_path-R{R}-{competing}", manifest, function, v, results)

    def add_gradcheck(self, text):
        spec, parameters = text.split(":")
        p = read_parameters(parameters)
        path = ROOT / "kernels" / f"{spec}.mlir"
        self.contents["gradchecks"].append(
            {
                "case": f"{spec} {parameters}",
                "function": "derivatives",
                "manifest": self.compile(path, p),
            }
        )

    def add_benchmark(self, text):
        for mode in self.options.precision or [""]:
            self.add_benchmark_in(text, mode)

    def add_benchmark_in(self, text, mode):
        spec, parameters, sizes, *functions = text.split(":")
        kernel, p = find_kernel(spec), read_parameters(parameters)
        flags = ("--derive", functions[0]) if functions else ()
        if mode:
            flags += (f"--precision={mode}",)
        manifest = self.compile(kernel.path, p, *flags)
        given = read_parameters(sizes)
        described = json.loads((self.root / manifest).read_text(encoding="utf-8"))
        for function in described["functions"]:
            own = ",".join(f"{name}={given[name]}" for name in function["sizes"])
            self.contents["benchmarks"].append(
                {"manifest": manifest, "function": function["name"], "sizes": own}
            )

    def add_key(self, text):
        """Libraries at the sizes of a model, with what says which device code they have."""
        key, _, specs = text.partition(":")
        if key not in keys.KEYS:
            raise tools.ToolError(f"expected one of the keys {', '.join(keys.KEYS)}, got {key}")
        for spec in specs.split(",") if specs else keys.ROW_SPECS:
            if keys.parameters(spec, key):
                self.attempt(f"{key} {spec}", lambda spec=spec: self.add_at_key(key, spec))

    def add_at_key(self, key, spec):
        name, _ = keys.split(spec)
        kernel, p = find_kernel(name), keys.parameters(spec, key)
        entry = {
            "case": f"{key} {spec}",
            "function": "all, timed",
            "key": key,
            "spec": spec,
            "manifest": self.compile(kernel.path, p),
            "row": keys.small_row(spec, key),
            "runs": REPEATED_RUNS,
            "sizes": {"E": keys.EDGES, "N": keys.NODES, "boxes": keys.WATER_BOXES},
            "graphs": keys.GRAPHS.get(name, ["random"]),
        }
        if self.options.target == "cuda":
            arch = self.options.arch.split(",")[0] or "sm_90a"
            gyrec, words = self.build / "bin" / "gyrec", tools.set_option(p)
            entry |= {"arch": arch, "ptxas": identity.assembler_version()}
            entry["ptx"] = identity.hashes(identity.ptx(gyrec, kernel.path, words, arch))
        self.contents["keys"].append(entry)


def select(options):
    """The cases that were asked for."""
    for text in [*options.case, *(small.CASES if options.small else ())]:
        spec, parameters, graph = (text.split(":") + ["random"])[:3]
        yield cases.Case.make(find_kernel(spec), {**read_parameters(parameters), "graph": graph})
    if not options.case and not options.small:
        for kernel in kernels.ALL:
            yield from cases.pairwise_cases(kernel)[: options.cases]


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", metavar="DIR", help="the folder to make; must not exist")
    parser.add_argument(
        "--build", default=os.environ.get("GYRE_BUILD", ROOT / "build"), help="build directory"
    )
    parser.add_argument("--target", default="cuda", choices=("cpu", "cuda"))
    parser.add_argument("--arch", default="", help="architectures, as of gyrec (cuda)")
    parser.add_argument(
        "--cases", type=int, default=8, metavar="N", help="cases of each kernel (default: 8)"
    )
    parser.add_argument(
        "--case",
        action="append",
        default=[],
        metavar="SPEC:NAME=VALUE,..[:GRAPH]",
        help="these cases instead",
    )
    parser.add_argument(
        "--small", action="store_true", help="the cases for run.py --sanitize (small.py) instead"
    )
    parser.add_argument(
        "--bench",
        action="append",
        default=[],
        metavar="SPEC:NAME=VALUE,..:SIZE=VALUE,..[:FUNCTION,..]",
        help="functions to time: all of a spec, or these",
    )
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="KEY[:SPEC[+NAME=VALUE..],..]",
        help=f"kernels of rows, or these, at the sizes of a model, of {', '.join(keys.KEYS)}: checked, "
        "and timed beside PyTorch",
    )
    parser.add_argument(
        "--precision",
        action="append",
        default=[],
        metavar="MODE",
        help="of --bench, as of gyrec; each of several",
    )
    parser.add_argument(
        "--array",
        action="store_true",
        help="the covering arrays of fused kernels as well, without files: see walks.py",
    )
    parser.add_argument(
        "--wide",
        action="store_true",
        help="that of wide rows, high ranks and halves, in the same way",
    )
    parser.add_argument(
        "--many",
        type=int,
        default=0,
        metavar="N",
        help=f"N copies of a graph of {MANY_COPIED_EDGES} edges; 2500 need 40 GB of memory and of disk",
    )
    parser.add_argument(
        "--tensors", action="store_true", help="calls with PyTorch tensors, and their derivatives"
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="TEXT",
        help="of --array and --wide, only cases whose names hold it, or another one that is given; of --modes, "
        "only cases of such a name",
    )
    parser.add_argument("--value-path", action="store_true", help="so2_value_path.mlir, all orders")
    parser.add_argument(
        "--gradcheck",
        action="append",
        default=[],
        metavar="SPEC:NAME=VALUE,..",
        help="libraries whose derivatives gyre-call is to check there",
    )
    parser.add_argument(
        "--modes", action="store_true", help="modes of precision of a product, in three orders"
    )
    parser.add_argument(
        "--timeout",
        type=int,
        default=COMPILER_TIMEOUT_S,
        metavar="S",
        help=f"seconds that a library may take to compile (default: {COMPILER_TIMEOUT_S})",
    )
    parser.add_argument("--smoke", action="store_true", help="only the smoke test of a GPU")
    return parser.parse_args()


def main():
    options = parse()
    selected = [] if options.smoke else list(select(options))
    root = pathlib.Path(options.directory).resolve()
    root.mkdir(parents=True)
    bundle = Bundle(options, root)
    scratch = root / "scratch"
    built = tools.Tools(bundle.build, scratch)
    session = checks.Session(spec_reference.load(), built)
    try:
        bundle.copy_programs()
        bundle.copy_oracle()
        if options.target == "cuda":
            bundle.add_smoke()
        if not options.smoke:
            for case in selected:
                print(f"bundle.py: {case.name}")
                bundle.attempt(case.name, lambda case=case: bundle.add_case(session, case))
            if options.tensors:
                bundle.add_tensors()
            if options.modes:
                modes.add(bundle, options.only)
            if options.array or options.wide:
                bundle.add_walks()
            if options.value_path:
                for R, competing in ((2, 1), (0, 0)):
                    bundle.add_value_path(session, R, competing)
            if options.many:
                bundle.add_many(options.many)
            for text in options.gradcheck:
                bundle.attempt(text, lambda text=text: bundle.add_gradcheck(text))
            for text in options.bench:
                bundle.attempt(text, lambda text=text: bundle.add_benchmark(text))
            for text in options.key:
                bundle.add_key(text)
    except tools.ToolError as error:
        shutil.rmtree(root)
        sys.exit(f"bundle.py: {error}")
    finally:
        built.close()
        shutil.rmtree(scratch, ignore_errors=True)
    text = json.dumps(bundle.contents, indent=1) + "\n"
    (root / "bundle.json").write_text(text, encoding="utf-8")
    count = sum(len(entries) for kind, entries in bundle.contents.items() if kind not in UNCHECKED)
    print(f"bundle.py: {count} checks in {root}; there: python3 run.py")
    if bundle.failures:
        sys.exit(f"bundle.py: {len(bundle.failures)} failed: {'; '.join(bundle.failures)}")


if __name__ == "__main__":
    main()
