"""kernels/knn_conv.mlir, knn_max_pool.mlir, knn_avg_pool.mlir: their operands, and the page's python.

Their graphs are neighbour tables: (table (K, Nout), Nin), entries of Nin and more are pads.
"""

import pathlib

import numpy as np

from kernel import TERMS, Derivative, Function, Index, Kernel, evaluate, map_floats

# Tables -------------------------------------------------------------------------------------------


def _random(rng, K):
    return rng.integers(0, 8, (K, 7)), 8


def _padded(rng, K):
    """Pads anywhere, one of them larger than the others; each output has a neighbour."""
    table = rng.integers(0, 10, (K, 9))
    table[table >= 7] = 7
    table[rng.integers(0, K), 1] = 12
    table[rng.integers(0, K, 9), np.arange(9)] = rng.integers(0, 7, 9)
    return table, 7


def _duplicates(rng, K):
    return np.repeat(rng.integers(0, 3, (1, 5)), K, axis=0), 6


TABLES = {
    "table": _random,
    "padded_table": _padded,
    "duplicates": _duplicates,
    "no_outputs": lambda rng, K: (np.zeros((K, 0), int), 4),
    "one_output": lambda rng, K: (np.zeros((K, 1), int), 1),
}


DATA = pathlib.Path(__file__).resolve().parent / "data" / "knn_tables.npz"


def load_tables():
    """The neighbour tables of data/README.md: name -> (table, Nin)."""
    with np.load(DATA) as data:
        names = [name for name in data.files if not name.endswith("__nin")]
        return {name: (data[name].astype(np.int64), int(data[name + "__nin"])) for name in names}


def make_table(kind, rng, K):
    table, nodes = TABLES[kind](rng, K)
    return table.astype(np.int64), nodes


def most_readers(index):
    """The most (slot, output) pairs that read one input."""
    real = index.array[index.array < index.target]
    return int(np.bincount(real, minlength=1).max())


# Convolution --------------------------------------------------------------------------------------

BATCH = 2


def conv_inputs(p, graph, draw):
    table, nodes = graph
    K, Nout = table.shape
    Cin, Cout, V = p["Cin"], p["Cout"], p["V"]
    shapes = {
        "x": (BATCH, Cin, nodes),
        "w": (Cout, Cin * V),
        "bias": (Cout,),
        "y": (BATCH, Cout, Nout),
    }
    v = {name: draw(shapes[name]) for name in ("x", "w", "bias")}
    v["gy"] = draw(shapes["y"])
    v.update({"h" + name: draw(shapes[name]) for name in ("x", "w", "bias")})
    # Cells collide, and those of pads are cells as well.
    cells = (np.arange(Nout)[:, None] * 3 + np.arange(K) * (Nout + 1)) % V
    return {**v, "knn": Index(table, nodes, True), "rf": Index(cells, V)}


def tables(p, v):
    return v["knn"].array, v["rf"].array


def bias_of(p, v):
    return v["bias"] if p["biased"] else None


def conv_forward(page, p, v):
    return {"y": page.conv(v["x"], *tables(p, v), v["w"], bias_of(p, v))}


def conv_bwd(page, p, v):
    knn, rf = tables(p, v)
    return {
        "gx": page.conv_grad_input(v["gy"], knn, rf, v["w"], p["Cin"], v["knn"].target),
        "gw": page.conv_grad_weight(v["gy"], v["x"], knn, rf, p["V"]),
        "gbias": page.conv_grad_bias(v["gy"]),
    }


def conv_bwd2(page, p, v, given=("hx", "hw", "hbias")):
    cotangents = [v[name] if name in given else None for name in ("hx", "hw", "hbias")]
    if not p["biased"]:
        cotangents[2] = None
    results = page.conv_bwd2(*cotangents, v["gy"], v["x"], *tables(p, v), v["w"])
    return dict(zip(("dgy", "dx", "dw"), results))


def conv_lengths(p, v):
    pairs = v["knn"].array.size
    first = {
        "y": p["Cin"] * p["K"] + 1,
        "gx": p["Cout"] + most_readers(v["knn"]),
        "gw": BATCH * pairs,
        "gbias": v["gy"].size,
    }
    return {**first, "dgy": first["y"] + TERMS, "dx": first["gx"], "dw": first["gw"]}


def conv_functions(p):
    rf = ("rf",) if p["V"] > 1 else ()
    bias = ("bias",) if p["biased"] else ()
    hbias, gbias = ("hbias",) if bias else (), ("gbias",) if bias else ()
    nodes = (("Nin", "knn"),)

    def function(name, arguments, results, reference, sizes=()):
        return Function("knn_conv" + name, arguments, results, reference, conv_lengths, sizes)

    functions = [
        function("", ("x", "knn") + rf + ("w",) + bias, ("y",), conv_forward),
        function("_grad_input", ("knn",) + rf + ("w", "gy"), ("gx",), conv_bwd, nodes),
        function("_grad_weight", ("x", "knn") + rf + ("gy",), ("gw",), conv_bwd),
        function("_bwd", ("x", "knn") + rf + ("w", "gy"), ("gx", "gw") + gbias, conv_bwd),
        function(
            "_bwd2",
            ("x", "knn") + rf + ("w", "gy", "hx", "hw") + hbias,
            ("dgy", "dx", "dw"),
            conv_bwd2,
        ),
    ]
    if bias:
        functions.append(function("_grad_bias", ("gy",), ("gbias",), conv_bwd))
    return functions


def conv_derivatives(p):
    names = ("x", "w") + (("bias",) if p["biased"] else ())
    return [
        Derivative("knn_conv", {"y": "gy"}, {name: ("knn_conv_bwd", "g" + name) for name in names}),
        Derivative(
            "knn_conv_bwd",
            {"g" + name: "h" + name for name in names},
            {name: ("knn_conv_bwd2", "d" + name) for name in ("gy", "x", "w")},
        ),
    ]


KNN_CONV = Kernel(
    spec="knn_conv",
    parameters=("Cin", "Cout", "K", "V", "biased", "act"),
    multilinear=True,
    functions=conv_functions,
    derivatives=conv_derivatives,
    inputs=conv_inputs,
    weights=("w", "bias"),
    alternative=lambda p: f"V {'>= 2' if p['V'] > 1 else '== 1'} and biased == {p['biased']}",
)


# Pooling ------------------------------------------------------------------------------------------

CHANNELS = 3


def pool_inputs(p, graph, draw):
    table, nodes = graph
    knn = Index(table, nodes, True)
    v = {"knn": knn, "x": draw((BATCH, CHANNELS, nodes)), "hx": draw((BATCH, CHANNELS, nodes))}
    v["gy"] = draw((BATCH, CHANNELS, table.shape[1]))
    # The slots that a maximum of other numbers has, so that none of them is a pad.
    keys = np.argsort(np.where(table < nodes, np.arange(p["K"])[:, None], p["K"]), axis=0)
    v["arg"] = np.ascontiguousarray(np.broadcast_to(keys[0], v["gy"].shape), np.uint8)
    return v


def pool_functions(mode):
    def forward(page, p, v):
        y, arg = page.pool(v["x"], v["knn"].array, mode)
        return {"y": y, "arg": arg}

    def bwd(page, p, v):
        return {"gx": page.pool_bwd(v["gy"], v["arg"], v["knn"].array, v["knn"].target, mode)}

    def bwd2(page, p, v):
        return {"dgy": page.pool_bwd2(v["hx"], v["arg"], v["knn"].array, mode)}

    def lengths(p, v):
        readers = most_readers(v["knn"])
        return {"y": p["K"] + 1, "arg": 1, "gx": readers + 1, "dgy": p["K"] + 1}

    arg = ("arg",) if mode == "max" else ()
    name, nodes = f"knn_{mode}_pool", (("Nin", "knn"),)
    return lambda p: [
        Function(name, ("x", "knn"), ("y",) + arg, forward, lengths),
        Function(name + "_bwd", ("knn",) + arg + ("gy",), ("gx",), bwd, lengths, nodes),
        Function(name + "_bwd2", ("knn",) + arg + ("hx",), ("dgy",), bwd2, lengths),
    ]


def absolute(page, p, function, v):
    """Of a maximum: it is one of its operands."""
    return evaluate(page, p, function, map_floats(v, np.abs))


KNN_MAX_POOL = Kernel(
    spec="knn_max_pool",
    parameters=("K", "act"),
    multilinear=False,
    functions=pool_functions("max"),
    derivatives=lambda p: [
        Derivative("knn_max_pool_bwd", {"gx": "hx"}, {"gy": ("knn_max_pool_bwd2", "dgy")})
    ],
    inputs=pool_inputs,
    magnitudes=absolute,
)

KNN_AVG_POOL = Kernel(
    spec="knn_avg_pool",
    parameters=("K", "act"),
    multilinear=True,
    functions=pool_functions("avg"),
    derivatives=lambda p: [
        Derivative("knn_avg_pool", {"y": "gy"}, {"x": ("knn_avg_pool_bwd", "gx")}),
        Derivative("knn_avg_pool_bwd", {"gx": "hx"}, {"gy": ("knn_avg_pool_bwd2", "dgy")}),
    ],
    inputs=pool_inputs,
    exact_inputs=None,
)
