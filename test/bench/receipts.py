"""Receipts: which device code was measured, where, how far from the reference, and how fast it was.

usage: receipts.py list BUILD          names functions at the sizes of models that gyrec makes other code for
       receipts.py add FILE [FILE...]  puts the receipts.json of a device folder into receipts.json here
       receipts.py table               prints the times as a table of Markdown

A receipt is of a function of a spec at a key (test/numeric/keys.py). Its code is told by the hash of the PTX,
which gyrec makes without a CUDA toolkit, and by those of the cubins, which also depend on ptxas.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / place) for place in ("test/numeric", "test/bench", "python")]

import identity  # noqa: E402
import keys  # noqa: E402
from kept import Kept  # noqa: E402

FILE = pathlib.Path(__file__).resolve().parent / "receipts.json"
ARCH = "sm_90a"
SHOWN = ("name", "sha256", "registers", "spills", "shared")
TIMES = ("ms", "min_ms", "max_ms", "spread", "runs", "launches", "bytes", "gb_per_s", "floor_ms")


def make(entry, measured, check):
    """Of the functions of a library, each on each graph."""
    for row in measured["rows"]:
        yield {
            "key": entry["key"],
            "spec": entry["spec"],
            "function": row["function"],
            "graph": row["graph"],
            "parameters": row["parameters"],
            "sizes": row["sizes"],
            "arch": entry["arch"],
            "ptx": entry["ptx"].get(row["function"]),
            "ptxas": entry["ptxas"],
            "kernels": [
                {name: kernel[name] for name in SHOWN}
                for kernel in row["kernels"]
                if kernel["arch"] == entry["arch"]
            ],
            **{name: measured[name] for name in ("device", "driver", "date", "torch")},
            "ceilings": measured["ceilings"],
            # Of a forward and its backward, relative to operands and results.
            "memory_beyond": (measured["memory"] or {}).get("relative"),
            "error": check["worst"],  # in units of the bound, the worst of the library's functions
            "failure": check["failure"],
            **{name: row[name] for name in TIMES},
            "baselines": row["baselines"],
        }


def place_of(receipt):
    return tuple(receipt[name] for name in ("key", "spec", "function", "graph"))


def order_of(place):
    return (list(keys.KEYS).index(place[0]), *place[1:])


def read():
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else []


def rounded(value):
    """Five digits say all that was measured."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return float(f"{value:.5g}") if isinstance(value, float) else value


def add(paths):
    """A newer receipt of the same place replaces an older one."""
    known = {place_of(receipt): receipt for receipt in read()}
    for path in paths:
        for receipt in json.loads(pathlib.Path(path).read_text(encoding="utf-8")):
            known[place_of(receipt)] = rounded(receipt)
    lines = ",\n".join(json.dumps(known[place]) for place in sorted(known, key=order_of))
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def needs_toolkit(error):
    """Whether a compile failed for want of the functions that CUDA's toolkit brings."""
    return "[gpu-libdevice]" in error.stderr


def current(build, unseen=None):
    """(key, spec, function, hash) of what gyrec makes now; kept until its bytes change. Where there is no
    CUDA toolkit, some of that cannot be made: its (key, spec) are added to `unseen`."""
    build = pathlib.Path(build).resolve()
    gyrec = build / "bin" / "gyrec"
    kept = Kept(build / "test-kept", gyrec)

    def hashes(place):
        key, spec = place
        path = ROOT / "kernels" / f"{keys.split(spec)[0]}.mlir"
        words = ",".join(f"{n}={v}" for n, v in keys.parameters(spec, key).items())

        def make(directory):
            found = identity.hashes(identity.ptx(gyrec, path, words, ARCH))
            (directory / "ptx.json").write_text(json.dumps(found), encoding="utf-8")
            return "ptx.json"

        depends = ["ptx of functions", ARCH, words, path.read_text(encoding="utf-8")]
        try:
            return json.loads(kept.get(depends, make).read_text(encoding="utf-8"))
        except subprocess.CalledProcessError as error:
            if unseen is None or not needs_toolkit(error):
                sys.exit(error.stderr)
            unseen.append(place)
            return {}

    places = [(key, spec) for key in keys.KEYS for spec in keys.ROW_SPECS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for place, found in zip(places, pool.map(hashes, places)):
            yield from ((*place, function, code) for function, code in found.items())


def missing(build, unseen):
    """Functions whose device code nobody has measured, by (key, spec)."""
    known = {(*place_of(receipt)[:3], receipt["ptx"]) for receipt in read()}
    found = {}
    for place in current(build, unseen):
        if place not in known:
            found.setdefault(place[:2], []).append(place[2])
    return found


def list_missing(build):
    unseen = []
    found = missing(build, unseen)
    if unseen:
        places = ", ".join(" ".join(place) for place in sorted(unseen))
        print(f"receipts.py: not looked at, as there is no CUDA toolkit here: {places}")
    for (key, spec), functions in found.items():
        print(f"receipts.py: {key} {spec}: no receipt of the code of {', '.join(functions)}")
    if found:
        count = sum(map(len, found.values()))
        print(f"receipts.py: {count} functions were never measured as they are now: test/bench")


def table():
    """A row a function: milliseconds on both graphs, in the floor and by PyTorch."""
    by_place = {place_of(receipt): receipt for receipt in read()}
    names = ("key", "function", "random", "water", "floor", "launches", "registers")
    print(f"| {' | '.join((*names, 'eager', 'compiled'))} |\n|{9 * '---|'}")
    for place, receipt in by_place.items():
        if receipt["graph"] != "random":
            continue
        water = by_place.get((*place[:3], "water"))
        others = [receipt["baselines"].get(kind, {}) for kind in ("eager", "compile")]
        times = [receipt["ms"], water and water["ms"], receipt["floor_ms"]]
        registers = max((kernel["registers"] for kernel in receipt["kernels"]), default="")
        cells = [
            receipt["key"],
            " ".join([f"`{receipt['function']}`", *receipt["spec"].split("+")[1:]]),
            *("" if ms is None else f"{ms:.3f}" for ms in times),
            str(receipt["launches"]),
            str(registers),
            *(f"{other['ms']:.3g}" if "ms" in other else "" for other in others),
        ]
        print(f"| {' | '.join(cells)} |")


def main(words):
    if len(words) == 2 and words[0] == "list":
        list_missing(words[1])
    elif len(words) > 1 and words[0] == "add":
        add(words[1:])
    elif words == ["table"]:
        table()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
