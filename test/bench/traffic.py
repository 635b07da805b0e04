"""The fewest bytes that a call of a compiled function moves: each operand read once, each result written
once, of an operand only the cells that the function reads.

Which these are nobody has to say: a function is called on rows of ones, each with a NaN in another cell,
and what is read shows in the results.
"""

import numpy as np

import gyre

MOST_CELLS = 4096  # of a row that is tried; a wider one counts in full
INDEX_BYTES = 4  # of an entry of a map
NUMPY = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "i64": 8, "i32": 4, "i16": 2, "i8": 1, "i1": 1}


def shape_of(operand, sizes):
    return [size(sizes) for size in operand.shape]


def row_axis(operand):
    """The axis of rows, of which a call says how many there are; None unless there is one such axis."""
    axes = [i for i, size in enumerate(operand.shape) if size.names]
    return axes[0] if len(axes) == 1 else None


def cells_read(function, argument, place):
    """Which cells of a row of an argument are read, flat; None where that is not to be seen.

    place: makes what the function takes of an array of NumPy.
    """
    axis = row_axis(argument)
    if axis is None or any(o.kind == "tensor" and o.dtype not in NUMPY for o in function.arguments):
        return None
    cells = int(np.prod(shape_of(argument, dict.fromkeys(function.sizes, 1))))
    if not 1 < cells <= MOST_CELLS:
        return None
    sizes = dict.fromkeys(function.sizes, cells)
    values = []
    for operand in function.arguments:
        shape = shape_of(operand, sizes)
        if operand.kind == "map":
            if len(shape) > 1:
                return None
            values.append(gyre.Map(np.arange(cells), operand.target(sizes), operand.padded))
            continue
        array = np.ones(shape, NUMPY[operand.dtype])
        if operand is argument:
            rows = np.moveaxis(array, axis, 0)  # a view
            marked = rows.reshape(cells, cells).copy()
            np.fill_diagonal(marked, np.nan)
            rows[...] = marked.reshape(rows.shape)
        values.append(place(array))
    results = function(*values)
    results = results if isinstance(results, tuple) else (results,)
    read = np.zeros(cells, bool)
    for operand, result in zip(function.results, results):
        axis = row_axis(operand)
        if axis is not None and operand.dtype in NUMPY:
            array = np.asarray(result.cpu() if hasattr(result, "cpu") else result)
            read |= np.isnan(np.moveaxis(array, axis, 0).reshape(cells, -1)).any(axis=1)
    return read if read.any() else None  # of what only sums over all rows depend on


def fewest_bytes(function, sizes, read):
    """read: what cells_read says, by argument."""
    total = 0
    for operand in function.arguments + function.results:
        count = int(np.prod(shape_of(operand, sizes), dtype=np.int64))
        if operand.kind == "map":
            total += INDEX_BYTES * count
            continue
        known = read.get(operand.name)
        share = 1 if known is None else known.mean()
        total += round(BYTES[operand.dtype] * count * share)
    return total
