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


def order_of(receipt):
    return (list(keys.KEYS).index(receipt["key"]), *place_of(receipt)[1:])


def read():
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else []


def add(paths):
    """A newer receipt of the same place replaces an older one."""
    known = {place_of(receipt): receipt for receipt in read()}
    for path in paths:
        for receipt in json.loads(pathlib.Path(path).read_text(encoding="utf-8")):
            known[place_of(receipt)] = receipt
    text = json.dumps(sorted(known.values(), key=order_of), indent=1) + "\n"
    FILE.write_text(text, encoding="utf-8")


def current(build):
    """(key, spec, function, hash) of what gyrec makes now; kept until its bytes change."""
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
        return json.loads(kept.get(depends, make).read_text(encoding="utf-8"))

    places = [(key, spec) for key in keys.KEYS for spec in keys.ROW_SPECS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for place, found in zip(places, pool.map(hashes, places)):
            yield from ((*place, function, code) for function, code in found.items())


def missing(build):
    """Functions whose device code nobody has measured, by (key, spec)."""
    known = {(*place_of(receipt)[:3], receipt["ptx"]) for receipt in read()}
    found = {}
    for place in current(build):
        if place not in known:
            found.setdefault(place[:2], []).append(place[2])
    return found


def list_missing(build):
    found = missing(build)
    for (key, spec), functions in found.items():
        print(f"receipts.py: {key} {spec}: no receipt of the code of {', '.join(functions)}")
    if found:
        count = sum(map(len, found.values()))
        print(f"receipts.py: {count} functions were never measured as they are now: test/bench")


def table():
    print("| key | function | graph | ms | GB/s | of floor | launches | eager | compiled |")
    print("|---|---|---|---|---|---|---|---|---|")
    for receipt in read():
        others = [receipt["baselines"].get(kind, {}).get("ms") for kind in ("eager", "compile")]
        cells = [
            *(receipt[name] for name in ("key", "function", "graph")),
            f"{receipt['ms']:.3f}",
            f"{receipt['gb_per_s']:.0f}",
            f"{receipt['floor_ms'] / receipt['ms']:.2f}",
            receipt["launches"],
            *("" if ms is None else f"{ms:.3g}" for ms in others),
        ]
        print(f"| {' | '.join(map(str, cells))} |")


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
