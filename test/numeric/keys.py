"""The six sizes of models that times are measured at, and what they are for each spec."""

# Degree, focuses, channels of a focus, layers with the final one, rank.
KEYS = {
    "mini": (2, 1, 32, 3, 1),
    "spin": (3, 2, 32, 3, 1),
    "default": (3, 1, 64, 4, 1),
    "l4": (4, 1, 64, 4, 1),
    "wide96": (3, 2, 96, 4, 1),
    "l6": (6, 1, 128, 4, 1),
}
RADIAL = 64  # channels of the radial features
EDGES, NODES = 159792, 2000
WATER_BOXES = 9  # about as many edges
CHECKED_EDGES = 300  # of the cases whose values are compared

# Those that are no stack of products with weights.
ROW_SPECS = ("so2_rotate_mix", "so2_rotate_mix+packed=1", "gated_activation", "segment_sum")
# Where edges come from. Others have no map.
GRAPHS = {spec: ["random", "water"] for spec in ("so2_rotate_mix", "segment_sum")}

SPECS = (
    "so2_rotate_mix",
    "gated_activation",
    "radial_head",
    "focus_competition",
    "segment_sum",
    "so2_mixing_stack",
    "so2_value_path",
)


def split(spec):
    """`segment_sum+A=3` is a spec with a parameter that the sizes do not say, or say otherwise."""
    name, *given = spec.split("+")
    return name, {word: int(value) for word, value in (pair.split("=") for pair in given)}


def parameters(spec, key):
    """None where a spec has nothing to do: one focus does not compete."""
    spec, given = split(spec)
    found = _parameters(spec, key)
    return None if found is None else {**found, **given}


def _parameters(spec, key):
    degree, focuses, channels, layers, rank = KEYS[key]
    width, competes = focuses * channels, int(focuses > 1)
    sizes = {"L": degree, "F": focuses, "C": channels}
    if spec == "focus_competition" and not competes:
        return None
    return {
        "so2_rotate_mix": {**sizes, "R": rank},
        "gated_activation": sizes,
        "radial_head": {"L": degree, "Cr": RADIAL, "Cw": width, "R": rank},
        "focus_competition": {"F": focuses, "C": channels, "normalised": 1, "biased": 1},
        "segment_sum": {"A": (degree + 1) ** 2, "B": width},
        "so2_mixing_stack": {**sizes, "T": layers - 1, "competing": competes},
        "so2_value_path": {
            **sizes,
            "Cr": RADIAL,
            "R": rank,
            "T": layers - 1,
            "competing": competes,
        },
    }[spec]


def small_row(spec, key):
    """A case of fused_cases.py with the same kernels."""
    return {
        "kernel": split(spec)[0],
        **parameters(spec, key),
        "act": "f32",
        "graph": "random",
        "E": CHECKED_EDGES,
    }
