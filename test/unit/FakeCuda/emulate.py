"""Makes a shared library for the host of PTX: emulate.py IN.ptx OUT.so

For FakeCuda, which runs kernels with it where there is no GPU. Threads of a block are fibers; each runs
until it waits for others, so that one which does not wait where it should reads what is not there yet.
What is copied asynchronously arrives no earlier than it is waited for; shared memory is full of NaNs
when a block begins, and ends at a page that nobody may touch. Accesses have to be aligned.
"""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
COMPILER = "clang++-22"

TYPES = {
    "pred": "bool",
    "f16": "_Float16",
    "f32": "float",
    "f64": "double",
    **{f"{kind}{bits}": f"uint{bits}_t" for kind in "ub" for bits in (8, 16, 32, 64)},
    **{f"s{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)},
}
WIDER = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}
SPECIAL = {
    "%tid.x": "t.number",
    "%ctaid.x": "t.block.number",
    "%ntid.x": "t.block.threads",
    "%nctaid.x": "t.block.blocks",
    "%laneid": "(t.number % 32)",
}
BINARY = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "rem": "%"}
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class Unknown(Exception):
    pass


def is_register(text):
    return re.fullmatch(r"%(p|r|rd|rs|rq|f|fd)\d+", text)


def variable(register):
    return "v_" + register[1:]


def value(text, kind):
    """An operand, as the C++ type of a PTX type."""
    cpp = TYPES[kind]
    if text in SPECIAL:
        return f"{cpp}({SPECIAL[text]})"
    if is_register(text):
        return f"get<{cpp}>({variable(text)})"
    if text.startswith(("0f", "0d")):
        word = f"uint{32 if text[1] == 'f' else 64}_t(0x{text[2:]}ull)"
        return f"bits<{cpp}>({word})"
    if text.startswith("0x") and kind.startswith("f"):
        return f"bits<{cpp}>(uint{kind[1:]}_t({text}u))"
    if re.fullmatch(r"-?\d+|0x[0-9a-fA-F]+", text):
        return f"{cpp}({text}ll)"
    if kind == "pred":
        raise Unknown(text)
    return f"{cpp}(reinterpret_cast<uintptr_t>({symbol(text)}))"


def symbol(name):
    return "t.block.shared" if name == "gyre_shared" else "s_" + name.replace("$", "_")


def address(text):
    """`[%rd1+16]`"""
    match = re.fullmatch(r"\[([^+\]]+)(?:\+(-?\d+))?\]", text)
    base, offset = match.group(1), match.group(2) or "0"
    pointer = (
        f"get<uint64_t>({variable(base)})"
        if is_register(base)
        else f"reinterpret_cast<uint64_t>({symbol(base)})"
    )
    return f"({pointer} + ({offset}))"


def split_operands(text):
    operands, depth, start = [], 0, 0
    for i, char in enumerate(text + ","):
        depth += (char in "{[") - (char in "}]")
        if char == "," and depth == 0:
            operands.append(text[start:i].strip())
            start = i + 1
    return [operand for operand in operands if operand]


def members(text):
    return [part.strip() for part in text.strip("{}").split(",")]


def put(register, kind, expression):
    return f"put({variable(register)}, {TYPES[kind]}({expression}));"


def move(kind, to, source):
    if to.startswith("{"):
        parts = members(to)
        bits = int(kind[1:]) // len(parts)
        whole = value(source, kind)
        return " ".join(
            put(part, f"b{bits}", f"{whole} >> {i * bits}")
            for i, part in enumerate(parts)
            if part != "_"
        )
    if source.startswith("{"):
        parts = members(source)
        bits = int(kind[1:]) // len(parts)
        terms = (
            f"{TYPES[kind]}({value(p, f'b{bits}')}) << {i * bits}" for i, p in enumerate(parts)
        )
        return put(to, kind, " | ".join(terms))
    return put(to, kind, value(source, kind))


def access(opcode, operands):
    mods = opcode.split(".")
    kind = mods[-1]
    width = next((int(mod[1:]) for mod in mods if re.fullmatch(r"v[248]", mod)), 1)
    if mods[1] == "param":
        number = re.search(r"_param_(\d+)", operands[1]).group(1)
        return put(
            operands[0], kind, f"load<{TYPES[kind]}>(reinterpret_cast<uint64_t>(params[{number}]))"
        )
    place, data = (operands[1], operands[0]) if mods[0] == "ld" else operands
    data = members(data)
    size = int(kind[1:]) // 8
    lines = [f"aligned({address(place)}, {size * width});"]
    for i, part in enumerate(data):
        at = f"{address(place)} + {i * size}"
        if mods[0] == "ld":
            lines.append(put(part, kind, f"load<{TYPES[kind]}>({at})"))
        else:
            lines.append(f"store<{TYPES[kind]}>({at}, {value(part, kind)});")
    return "{ " + " ".join(lines) + " }"


def convert(mods, to, operands):
    into, source = mods[-2:]
    if into == "f16x2":
        high, low = (f"uint32_t(bits<uint16_t>(_Float16({value(x, source)})))" for x in operands)
        return put(to, "b32", f"{high} << 16 | {low}")
    if into == "bf16":
        return put(to, "b16", f"toBrain({value(operands[0], source)})")
    if into == "bf16x2":
        high, low = (f"uint32_t(toBrain({value(x, source)}))" for x in operands)
        return put(to, "b32", f"{high} << 16 | {low}")
    if into == "tf32":
        return put(to, "b32", f"toTF32({value(operands[0], source)})")
    number = value(operands[0], source)
    if "sat" in mods:
        number = f"saturate({number})"
    if into[0] != "f" and source[0] == "f":
        rounding = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
        number = f"{next(rounding[m] for m in mods if m in rounding)}({number})"
    elif into == source and any(m in mods for m in ("rni", "rzi", "rmi", "rpi")):
        name = next(m for m in mods if m in ("rni", "rzi", "rmi", "rpi"))
        number = f"{dict(rni='rint', rzi='trunc', rmi='floor', rpi='ceil')[name]}({number})"
    return put(to, into, number)


def half(text, number):
    """One of two numbers of 16 bits."""
    return f"bits<_Float16>(uint16_t({value(text, 'b32')} >> {16 * number}))"


def multiply(opcode, operands):
    """`mma.sync` of 16 x 8 cells."""
    match = re.fullmatch(
        r"mma\.sync\.aligned\.m16n8k(8|16)\.row\.col\.f32\.(f16|bf16|tf32)\.\2\.f32", opcode
    )
    if not match or (match.group(1) == "8") != (match.group(2) == "tf32"):
        raise Unknown(opcode)
    to, *rest = (members(operand) for operand in operands)
    a, b, c = (
        ", ".join(value(x, kind) for x in words) for words, kind in zip(rest, ("b32", "b32", "f32"))
    )
    outs = " ".join(put(register, "f32", f"d[{i}]") for i, register in enumerate(to))
    return (
        f"{{ float d[4]; t.multiply('{match.group(2)[0]}', {{{a}}}, {{{b}}}, {{{c}}}, d); {outs} }}"
    )


def multiply_in_group(opcode, operands):
    """`wgmma` of 64 rows, in registers, and columns in shared memory, added where it is waited for."""
    match = re.fullmatch(
        r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(8|16)\.f32\.(f16|bf16|tf32)\.\3", opcode
    )
    if not match or (match.group(2) == "8") != (match.group(3) == "tf32"):
        raise Unknown(opcode)
    sums, rows, columns, adds, *signs = operands
    if signs != ["1", "1"] + ["0"] * (match.group(3) != "tf32"):
        raise Unknown(f"{opcode} {', '.join(signs)}")
    a = ", ".join(value(x, "b32") for x in members(rows))
    d = ", ".join("&" + variable(x) for x in members(sums))
    return (
        f"t.multiplyInGroup('{match.group(3)[0]}', {match.group(1)}, {{{a}}}, {value(columns, 'b64')}, "
        f"{value(adds, 'pred')}, {{{d}}});"
    )


def compute(opcode, operands):
    """The statement of an instruction."""
    mods = opcode.split(".")
    name, kind = mods[0], mods[-1]
    if name in ("ld", "st"):
        return access(opcode, operands)
    if name == "bra":
        return f"goto {label(operands[0])};"
    if name == "ret":
        return "return;"
    if opcode in ("bar.sync", "barrier.sync"):
        return "t.wait();"
    if opcode == "bar.warp.sync":
        return "t.waitForWarp();"
    if opcode.startswith("shfl.sync"):
        to, x, by, _, _ = operands
        to = to.split("|")[0]
        return put(to, "b32", f"t.shuffle({value(x, 'b32')}, '{mods[2][0]}', {value(by, 'u32')})")
    if opcode.startswith("mma.sync"):
        return multiply(opcode, operands)
    if opcode.startswith("wgmma.mma_async"):
        return multiply_in_group(opcode, operands)
    if opcode == "wgmma.wait_group.sync.aligned" and operands == ["0"]:
        return "t.waitForProducts();"
    if opcode in (
        "wgmma.fence.sync.aligned",
        "wgmma.commit_group.sync.aligned",
        "fence.proxy.async.shared::cta",
    ):
        return ""
    if opcode == "cp.async.commit_group":
        return "t.commit();"
    if opcode == "cp.async.wait_group":
        return f"t.waitForCopies({operands[0]});"
    if opcode.startswith("cp.async"):
        to, source, size = operands[:3]
        read = value(operands[3], "u32") if len(operands) > 3 else size
        return f"t.copy({address(to)}, {address(source)}, {size}, {read});"
    to, rest = operands[0], operands[1:]
    args = [value(x, kind) for x in rest] if kind in TYPES and name not in ("cvt", "mov") else []
    if name == "mov":
        return move(kind, to, rest[0])
    if name.startswith("cvta"):
        return move("b64", to, rest[0])
    if name == "cvt":
        return convert(mods, to, rest)
    if name == "setp" and kind == "f16x2":
        # Two comparisons.
        pair = (
            put(one, "pred", f"{half(rest[0], i)} {COMPARISONS[mods[1]]} {half(rest[1], i)}")
            for i, one in enumerate(to.split("|"))
        )
        return " ".join(pair)
    if name == "setp":
        # Unordered comparisons have a `u` after the name.
        relation = mods[1]
        if relation in COMPARISONS:
            test = f"{args[0]} {COMPARISONS[relation]} {args[1]}"
            if relation == "ne" and kind[0] == "f":
                test = f"({test}) && ordered({args[0]}, {args[1]})"
        elif relation == "nan":
            test = f"!ordered({args[0]}, {args[1]})"
        elif relation == "num":
            test = f"ordered({args[0]}, {args[1]})"
        elif relation[:-1] in COMPARISONS and kind[0] == "f":
            test = f"({args[0]} {COMPARISONS[relation[:-1]]} {args[1]}) || !ordered({args[0]}, {args[1]})"
        else:
            test = f"{args[0]} {COMPARISONS[{'lo': 'lt', 'ls': 'le', 'hi': 'gt', 'hs': 'ge'}[relation]]} {args[1]}"
        return put(to, "pred", test)
    if name == "selp":
        return put(to, kind, f"{value(rest[2], 'pred')} ? {args[0]} : {args[1]}")
    if name in ("mul", "mad") and "wide" in mods:
        wide = WIDER[kind]
        product = f"{TYPES[wide]}({args[0]}) * {TYPES[wide]}({args[1]})"
        if name == "mad":
            product += f" + {value(rest[2], wide)}"
        return put(to, wide, product)
    if name == "mul" and "hi" in mods:
        return put(to, kind, f"high({args[0]}, {args[1]})")
    if name == "mul":
        return put(to, kind, f"{args[0]} * {args[1]}")
    if name == "mad":
        return put(to, kind, f"{args[0]} * {args[1]} + {args[2]}")
    if name == "fma":
        return put(to, kind, f"fused({', '.join(args)}, '{mods[1][1]}')")
    if name == "div":
        return put(to, kind, f"{args[0]} / {args[1]}")
    if name in BINARY:
        return put(to, kind, f"{args[0]} {BINARY[name]} {args[1]}")
    if name in ("min", "max"):
        call = f"f{name}" if kind[0] == "f" else f"std::{name}<{TYPES[kind]}>"
        return put(to, kind, f"{call}({args[0]}, {args[1]})")
    if name in ("shl", "shr"):
        return put(to, kind, f"{name}({args[0]}, {value(rest[1], 'u32')})")
    if name == "bfe":
        return put(to, kind, f"field({args[0]}, {value(rest[1], 'u32')}, {value(rest[2], 'u32')})")
    if name == "neg":
        return put(to, kind, f"-{args[0]}")
    if name == "not":
        return put(to, kind, f"{'!' if kind == 'pred' else '~'}{args[0]}")
    if name in ("abs", "sqrt"):
        return put(to, kind, f"{'fabs' if name == 'abs' else name}({args[0]})")
    if name == "ex2":
        return put(to, kind, f"exp2({args[0]})")
    if name == "lg2":
        return put(to, kind, f"log2({args[0]})")
    if name in ("rcp", "rsqrt"):
        return put(to, kind, f"1 / {'sqrt' if name == 'rsqrt' else ''}({args[0]})")
    if name in ("sin", "cos"):
        return put(to, kind, f"{name}({args[0]})")
    raise Unknown(opcode)


def label(name):
    return name.replace("$", "").strip()


def read_array(line):
    """A module's array: its alignment, name, bytes, and what they are."""
    match = re.match(
        r"(?:\.visible )?\.(global|shared|const) \.align (\d+) \.b8 ([\w$]+)\[(\d+)\](?: = \{(.*)\})?;",
        line,
    )
    if not match:
        raise Unknown(line)
    space, alignment, name, size, text = match.groups()
    initial = f" = {{{text}}}" if text else ""
    return (
        space,
        f"alignas({alignment}) static uint8_t {symbol(name)}[{size}]{initial};",
        symbol(name),
    )


def join_statements(lines):
    """Statements of several lines as one."""
    start = ""
    for line in lines:
        line = f"{start} {line}".strip()
        start = line if line.startswith("mma.") and not line.endswith(";") else ""
        if not start:
            yield line


def translate_kernel(name, lines):
    registers, body, shared = [], [], []
    for line in join_statements(lines):
        if not line or line.startswith("//"):
            continue
        match = re.match(r"\.reg \.(\w+)\s+%(\w+)<(\d+)>;", line)
        if match:
            kind, prefix, count = match.groups()
            bits = {"pred": "bool"}.get(kind, f"uint{kind[1:]}_t")
            registers += [f"{bits} v_{prefix}{i} = 0;" for i in range(int(count))]
            continue
        if line.startswith(".shared"):
            _, array, own = read_array(line)
            shared.append(f"{array} if (t.number == 0) t.block.poison({own}, sizeof {own});")
            continue
        # A half that nobody wants.
        line = re.sub(r"^\{ \.reg \.b32 tmp; (.*;) \}$", r"\1", line).replace("tmp", "_")
        if line.startswith((".pragma", "{", "}", ".loc", ".file")):
            continue
        if line.endswith(":"):
            body.append(label(line[:-1]) + ":;")
            continue
        match = re.match(r"(?:@(!?)(%p\d+)\s+)?([\w.:]+)(?:\s+(.*))?;$", line)
        if not match:
            raise Unknown(line)
        negated, guard, opcode, operands = match.groups()
        statement = compute(opcode, split_operands(operands or ""))
        if guard:
            statement = f"if ({'!' if negated else ''}{variable(guard)}) {{ {statement} }}"
        body.append(statement)
    text = "\n  ".join(registers + shared + body)
    return f"static void k_{name}(Thread &t, void *const *params) {{\n  {text}\n}}\n"


def translate(ptx):
    code, names, lines = [], [], ptx.split("\n")
    i = 0
    while i < len(lines):
        line = lines[i].split("//")[0].strip()
        i += 1
        match = re.match(r"\.visible \.entry (\w+)\(", line)
        if match:
            while lines[i].strip() != "{":
                i += 1
            start = i = i + 1
            while lines[i].rstrip() != "}":
                i += 1
            body = (text.split("//")[0].strip() for text in lines[start:i])
            code.append(translate_kernel(match.group(1), body))
            names.append(match.group(1))
        elif line.startswith((".global", ".const")):
            code.append(read_array(line)[1])
    table = "".join(f'  if (!std::strcmp(name, "{name}")) return k_{name};\n' for name in names)
    code.append(
        f'extern "C" Kernel *findKernel(const char *name) {{\n{table}  return nullptr;\n}}\n'
    )
    return '#include "Emulate.h"\nusing namespace gyre::test;\n' + "\n".join(code)


def main():
    source, out = map(pathlib.Path, sys.argv[1:])
    own, text = out.with_suffix(".part"), out.with_suffix(".cpp")
    text.write_text(translate(source.read_text()))
    flags = ("-std=c++17", "-O1", "-w", "-fPIC", "-shared", "-ffp-contract=off", "-I", HERE)
    subprocess.run([COMPILER, *flags, text, "-o", own], check=True)
    os.replace(own, out)


if __name__ == "__main__":
    main()
