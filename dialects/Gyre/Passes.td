//===- Passes.td - The road from a spec to primitives ------*- tablegen -*-===//

#ifndef GYRE_PASSES_TD
#define GYRE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Specialise : Pass<"gyre-specialise", "::mlir::ModuleOp"> {
  let summary = "fix a spec's parameters, evaluate its relations, unroll its layers";
  let description = [{
    Takes the one `gyre.spec` of the module (or the one that `spec` names), gives each
    parameter its value from `set` or its default, picks the alternative that holds,
    and puts functions and derivatives into the module with every polynomial, element
    type and relation evaluated and every `gyre.repeat` unrolled. The module then
    carries `gyre.spec` (the spec's name) and `gyre.params`; other specs are dropped.
    Functions outside of specs stay as they are, and so does a module without a spec
    where neither `set` nor `spec` is given. Exact: no value changes.

    In an unrolled layer the row of a sliced value is a contract over `[t] {(i)}`; a
    stacked value is the `gyre.concat` of its rows.

    Errors, and those of the verifiers once sizes are constants:
    * `[specialise-spec]` the module has a spec, and `spec` names one where it has several.
    * `[specialise-unknown-param]` each name in `set` is a parameter; `[specialise-missing-param]` each parameter has a value.
    * `[specialise-param-value]` values are written as name=value, once, an integer or one of the choices.
    * `[specialise-param-range]` values lie within their parameter's bounds.
    * `[specialise-alternative]` exactly one alternative holds, where there are any.
    * `[specialise-function]` the spec, or its alternative that holds, has a function.
    * `[specialise-name-clash]` functions that end up in the module have different names.
    * `[specialise-size]` sizes are not negative, and fit in 64 bits.
    * `[specialise-relation]` sizes in relations, and degrees, are made of parameters.
    * `[specialise-relation-size]` a relation is listed in at most 2^20 steps, its numbers fit in 64 bits.
    * `[specialise-repeat]` layers come to at most 2^20 ops a function; sliced and stacked values are floating-point.

    ```mlir
    // before, with set=C=4,act=f32
    gyre.spec @s { gyre.param "C" in [1, 64] ... gyre.func @f(%x: !gyre.tensor<E x C x act>) ... }
    // after
    gyre.func @f(%x: !gyre.tensor<E x 4 x f32>) ...
    ```
  }];
  let options = [
    ListOption<"set", "set", "std::string", "parameter values, name=value, separated by commas">,
    Option<"spec", "spec", "std::string", "", "name of the spec, where the module has several">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Decompose : Pass<"gyre-decompose"> {
  let summary = "replace named ops by the primitives that they stand for";
  let description = [{
    `gyre.rotate`, `gyre.degree_mix` and `gyre.gated_activation` become contracts over
    relations and elementwise ops, those that one would write by hand; relations in
    which no parameter is left become lists of tuples. Works before and after
    `gyre-specialise`. The formulas are those of `docs/operators.md`; sums may be
    reassociated.

    Errors: `[specialise-relation-size]`, and those of the verifiers.

    ```mlir
    // gyre.rotate %x by %wigner degree L
    %y = gyre.contract %wigner[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 3*L + 1) over
        {(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l]
         | (r = L + l, k = l*l + l - 1, d = l*l + j) : l in [1, L], j in [0, 2*l]
         | (r = 2*L + l, k = l*l + l + 1, d = l*l + j) : l in [1, L], j in [0, 2*l]} : ...

    // gyre.degree_mix %x by %kernel degree L
    %y = gyre.contract %kernel[e, l, c], %x[e, r, c] -> [e, r, c] over
        {(l = l, r = l) : l in [0, L] | (l = l, r = L + l) : l in [1, L] | (l = l, r = 2*L + l) : l in [1, L]} : ...

    // gyre.degree_mix %x by %kernel basis %basis degree L
    %y = gyre.contract %kernel[e, (s, p)], %basis[p, c], %x[e, i, c] -> [e, o, c] with (s = 2*L*L + 2*L + 1, o = 3*L + 1) over
        {(s = (L + 1)*i + o, i = i, o = o) : i in [0, L], o in [0, L]
         | (s = (L + 1)*(L + 1) + L*(i - 1) + o - 1, i = L + i, o = L + o) : i in [1, L], o in [1, L]
         | (s = (L + 1)*(L + 1) + L*(i - 1) + o - 1, i = 2*L + i, o = 2*L + o) : i in [1, L], o in [1, L]} : ...

    // gyre.gated_activation %z gate %gate degree L channels C
    %s = gyre.contract %z[f, e, (r, c)] -> [f, e, c] with (r = 3*L + 1, c = C) over {(r = 0)} : ...
    %q = gyre.contract %s[f, e, c], %gate[f, c, g] -> [f, e, g] : ...
    %sigma = gyre.sigmoid %q : ...
    %gated = gyre.contract %z[f, e, (r, c)], %sigma[f, e, (g, c)] -> [f, e, (r, c)] with (r = 3*L + 1, c = C, g = L) over
        {(r = l, g = l - 1) : l in [1, L] | (r = L + l, g = l - 1) : l in [1, L] | (r = 2*L + l, g = l - 1) : l in [1, L]} : ...
    %silu = gyre.silu %s : ...
    %rows = gyre.contract %silu[f, e, c] -> [f, e, (r, c)] with (r = 3*L + 1) over {(r = 0)} : ...
    %v = arith.addf %rows, %gated : ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SetPrecision : Pass<"gyre-set-precision"> {
  let summary = "give contracts that name no precision one";
  let description = [{
    Contracts that say nothing of their `precision` get the one that the option names. After
    `gyre-differentiate`, so that a derivative's contracts have what they inherit.

    Errors: `[set-precision]`.

    ```mlir
    // before, with precision=tf32x3
    %z = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %y = gyre.contract %z[e, i], %w[i, o] -> [e, o] precision ieee : !u, !w
    // after
    %z = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision tf32x3 : !u, !w
    %y = gyre.contract %z[e, i], %w[i, o] -> [e, o] precision ieee : !u, !w
    ```
  }];
  let options = [Option<"precision", "precision", "std::string", "\"\"", "ieee, tf32x3, bf16x3, bf16x6, fp16x3, tf32, bf16, fp16 or fp64">];
}

def Simplify : Pass<"gyre-simplify"> {
  let summary = "contract algebra, common subexpressions, dead code";
  let description = [{
    * One form for equal contracts: operands in the order of their definitions, axes
      named by first appearance, relations on the axes that they tie.
    * Contracts of contracts become one where that takes no more products; identities
      and contracts over no tuple go.
    * Equal values are merged, unused ones dropped.

    Numerics: sums are reassociated and products reordered; a value that is not formed
    any more is not rounded (f16 and bf16 become more exact). Cells that no tuple
    reaches stay exact zeros, and cells that no tuple names stay unread; a product with
    such a zero is not taken any more, and tuples that cancel are not read.

    Errors: `[simplify-converge]`.

    ```mlir
    // before
    %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] : !a, !b
    %y = gyre.contract %p[e, (f, c)] -> [f, e, c] with (f = 2, c = 3) : !p
    // after
    %y = gyre.contract %a[a, b], %b[b, (c, d)] -> [c, a, d] with (c = 2, d = 3) : !a, !b
    ```
  }];
}

def PlanContractions : Pass<"gyre-plan-contractions"> {
  let summary = "split contracts of many operands into products of two, by cost";
  let description = [{
    A contract of three operands or more becomes contracts of two, in the order that takes
    the fewest multiply-adds; of equal orders, the one whose intermediates have the fewest
    cells. An axis that one operand alone has, and that is summed, is summed before it is
    multiplied where that is cheaper. Axes of runtime size count as very long ones: what
    depends on none is nearly free. Up to five operands all orders are tried; beyond, the
    cheapest step is taken until five are left. A step that another contract of the block
    takes too is computed once, and costs nothing the second time.

    A step that sums no tied axis lists the tuples as far as its operands name them. One
    that sums a tied axis takes the relation over, coefficients included, and keeps the
    tied axes that are needed later; what is left then lists their tuples, each once.
    Which of the two a step does is part of the choice.

    Contracts whose accumulator is wider than their operands stay whole: an intermediate
    would be rounded to the operands' type.

    Numerics: sums are reassociated, factors taken out of sums (also of sums of no terms).
    Cells that no tuple reaches stay exact zeros, cells that no tuple names stay unread.

    ```mlir
    // before
    %y = gyre.contract %k[e, i, o, p], %b[p, c], %z[e, i, c] -> [e, o, c] over [i, o] {(0, 0), (0, 1), (1, 0)} : ...
    // after
    %t = gyre.contract %k[a, b, c, d], %z[a, b, e] -> [a, c, d, e] over [b, c] {(0, 0), (0, 1), (1, 0)} : ...
    %y = gyre.contract %b[a, b], %t[c, d, a, b] -> [c, d, b] : ...
    ```
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "false", "say how many multiply-adds contracts take before and after">
  ];
}

def Differentiate : Pass<"gyre-differentiate", "::mlir::ModuleOp"> {
  let summary = "carry out the declared derivatives";
  let description = [{
    Each `gyre.derive` becomes a `gyre.func`: the primal's values, as far as they are
    needed and available, then the adjoint of each op in reverse order. Absent
    cotangents leave no op, no argument and no zero. Derivatives of derivatives are
    carried out in the order of their primals.

    What was declared stays on the function as `gyre.derivative`, and goes from there
    into the manifest: of which function it is a derivative, and the names of gradients
    by argument and of cotangents by result.

    ```mlir
    gyre.derive @f_bwd = vjp @f wrt (x as gx) given (y as gy)
    // becomes
    gyre.func @f_bwd(...) -> (gx: ...) attributes {gyre.derivative = {given = {y = "gy"}, of = "f", wrt = {x = "gx"}}} { ... }
    ```

    Errors: the constraints of `gyre.derive`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def KeepFunctions : Pass<"gyre-keep-functions", "::mlir::ModuleOp"> {
  let summary = "drop functions and derivatives that the named ones do not need";
  let description = [{
    Keeps the functions and declared derivatives that `names` lists, and the primals of
    the latter. Once derivatives are carried out nothing needs its primal any more.

    Errors: `[keep-unknown]`.
  }];
  let options = [ListOption<"names", "names", "std::string", "functions to keep">];
}

def LowerPlain : Pass<"gyre-lower-plain", "::mlir::ModuleOp"> {
  let summary = "scalar loops for the CPU, one loop nest a primitive";
  let description = [{
    Each `gyre.func` @f becomes a `func.func` @f__body on memrefs (`gyre.entry` says
    which), with a loop nest for each op in its order. Nothing is fused. A value is
    kept in the result that it is returned as, or in a buffer of the workspace that is
    used again after the value's last use. Each cell is written once; sums start from
    zero in the accumulator's type, are taken in a fixed order and rounded once.
    Relations are constant tables that loops read. f16 and bf16 are computed in f32.

    Errors: `[lower-op]`, `[lower-element-type]`, `[lower-relation]`,
    `[lower-relation-cells]`, `[lower-size-unbound]`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def WidenHalves : Pass<"gyre-widen-halves", "::mlir::ModuleOp"> {
  let summary = "compute values of f16 and bf16 in f32";
  let description = [{
    Arguments of these types are extended where a function begins, results are rounded once
    where it ends, and all between is f32, also what kernels store for one another. Contracts
    and sums thereby accumulate in f32.

    Errors: `[widen-accumulator]`.

    ```mlir
    // before
    %y = arith.mulf %x, %x : !gyre.tensor<E x bf16>
    // after
    %0 = gyre.convert %x : !gyre.tensor<E x bf16> -> !gyre.tensor<E x f32>
    %1 = arith.mulf %0, %0 : !gyre.tensor<E x f32>
    %y = gyre.convert %1 : !gyre.tensor<E x f32> -> !gyre.tensor<E x bf16>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Fuse : Pass<"gyre-fuse", "::mlir::ModuleOp"> {
  let summary = "cut functions into kernels with owner domains";
  let description = [{
    Each `gyre.func` becomes a short program of kernels. What is computed for
    rows (edges, nodes) and not needed outside of them stays inside one `gyre.kernel`; sums over
    a map are delivered by a kernel that the map owns, and what they sum is computed
    there and never stored. Kernels of the same rows and owner are one.

    What such kernels do not compute becomes `gyre.cells`: contracts with weights, whose
    bodies would be large; values with several runtime sizes or a computed one; padded maps and maps of
    several axes; slots, slices, pads and concatenations. What moves cells, or is used
    once and by each cell of its user once, is computed where it is used; else it is stored.

    For GPUs, where products of matrices are computed on tiles, kernels are cut so that tiles pay:
    what follows a product is computed with it also where other operands are rows of an earlier
    kernel, and where the result has cells beside the product's.

    Numerics: for GPUs, products that are added to one another and to other values are added up
    first, so that one tile has their sum, and the other values to that.

    Errors: `[fuse-op]`, `[fuse-target]`.

    ```mlir
    // before
    %xe = gyre.gather %x over %src axis 0 : !x, !src
    %y = gyre.contract %w[e, k, d], %xe[e, d, c] -> [e, k, c] : !w, !xe
    %n = gyre.segment_sum %y over %src axis 0 : !xe, !src
    // after
    %n = gyre.kernel over E by %src : !src deliver [#gyre.delivery<segment 0>] : !x {
      %0 = gyre.row %x axis 0 over %src : !x, !src
      %1 = gyre.row %w axis 0 : !w
      %2 = gyre.contract %1[k, d], %0[d, c] -> [k, c] : !wrow, !xrow
      gyre.deliver %2 : !xrow
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"cpu\"", "cpu or cuda">];
}

def Schedule : Pass<"gyre-schedule", "::mlir::ModuleOp"> {
  let summary = "give each kernel a schedule";
  let description = [{
    Kernels that have none get a default from static facts: the widest axis that all
    rows are contiguous in lies along lanes, the other axes are unrolled; as many cells
    a lane as the registers of the target hold. For GPUs, a kernel whose vectors do not fit the
    registers is cut in two by its results, as often as that helps, and what is still too large
    by cells of results (`alive`), with a remark. An attribute `gyre.registers = {"0" = 90}` of a function
    says how many registers of a thread the vectors of its first kernel may take, in place of 120,
    and of what that is cut into; `"0.1"`, of what its second half is. A kernel whose lanes could have more
    cells each if it delivered less is cut, too, if rows are done sooner then, with a remark; its halves
    are `"0-0"` and `"0-1"`, for which what is said of `"0"` does not hold.
    Also for GPUs, sums of nodes that wait for the memory most of the time have a worker for each
    node (`heavy`). A long sum of few cells (`gyre.cells`) is cut into parts. For GPUs, cells of products of matrices
    that are large enough get a tile.

    Errors: `[schedule-target]`, `[schedule-axes]`, `[schedule-lanes]`, `[schedule-relation]`, `[schedule-size]`.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "cpu or cuda">,
    Option<"warpgroups", "warpgroups", "bool", "false",
           "of cuda: whether all that is compiled for has wgmma">
  ];
}

def PrintProgram : Pass<"gyre-print-program", "::mlir::ModuleOp"> {
  let summary = "print programs of scheduled kernels for people to read (stderr)";
  let description = [{
    For each function, its kernels in the order in which they run:

    ```
    program weighted_sum_bwd
      kernel 0 over E by src
        reads      w[row], gy[dst[row]], x[src[row]]
        axes       3 lane
        cells      3 read, 2 terms of sums, 4 vectors alive
        lanes      1 of 3 cells
        workers    up to 256, of 32 rows or more, 1 a block
        delivers   gx segment 0, gw row 0
      workspace
        1536 elements of 4 bytes: partial rows of gx
    ```

    * `over E by src`: the body runs once for each of `E` rows, node by node of the map `src`, if
      the kernel has an owner.
    * `reads`: values, with the row that is read where they have rows; `x[src[row]]` is a gather.
      Arguments and results have their names, values between kernels are `K.R`: result R of kernel K.
    * `axes`: size and place of each axis of the body, in the order of `#gyre.schedule`.
    * `cells`: of one row. Different cells that are read, terms (products with a coefficient) that
      are added to sums, and the most vectors along the lanes that are alive at once.
    * `lanes`: SIMD lanes of one thread, or threads, and the cells that each holds.
    * `workers`: at most so many share the rows, each a contiguous range of at least so many rows;
      on a GPU, so many share a block of threads. `one a node; up to 1024 ranges, of 64 rows or more, of
      heavy nodes`: each node has a worker, those of many rows one for each range of them.
    * `tile`: of a kernel of cells that are computed a block at a time, its `#gyre.tile`.
    * `precision`: what contracts of the body name, and whether matrix units evaluate it; else it is
      computed as in `ieee`, which is as exact, or in `fp64`.
    * `delivers`: each result with its `#gyre.delivery`.
    * `workspace`: its buffers, each from a multiple of 64 bytes on, and what is in them: values
      between kernels, and the rows of sums that workers leave to be combined.

    Errors: those of `gyre-lower-kernels` that concern ops, types and schedules.
  }];
}

def LowerKernels : Pass<"gyre-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "programs of scheduled kernels to loops of workers";
  let description = [{
    Each `gyre.func` @f of kernels becomes a `func.func` @f__body on memrefs
    (`gyre.entry` says which), which runs its kernels one after the other: as parallel
    loops over workers (`gyre_parallel_for`), or as launches of `gpu.func`s. A body is
    expanded into its cells: one scalar for the cells that lanes share, one vector for
    those along lanes, in an order that keeps few of them alive. Sums over lanes are
    reduced at the end; sums over rows are kept in registers (on the CPU in the row that
    they go to), and where no worker has all rows of a node combined, in the order of the
    workers, by a second loop. `gyre.cells` is a loop over cells, or a thread for each;
    with a tile, a block of threads for each tile of a product, for GPUs.

    A kernel of rows has a version for each level of x86 processors. One has the code,
    the others are declarations that name it (`gyre.version_of`): they get the code when
    it is optimised.

    Errors: `[lower-kernel-target]`, `[lower-kernel-op]`, `[lower-kernel-type]`, `[lower-kernel-schedule]`,
    `[lower-kernel-tile]`, `[lower-relation]`, and those of `gyre-schedule` for schedules that stand there.
  }];
  let options = [Option<"target", "target", "std::string", "\"cpu\"", "cpu or cuda">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::gpu::GPUDialect",
    "::mlir::NVVM::NVVMDialect"];
}

def MergeKernels : Pass<"gyre-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "one kernel in place of several with the same code";
  let description = [{
    Derivatives compute much of what their primals compute, and layers the same of other
    values: kernels (`gpu.func`s and the CPU's internal `llvm.func`s) that differ in nothing but
    their names become the first of them, before any of them is optimised. What names the others
    names that one.
  }];
}

def ExpandHalf : Pass<"gyre-expand-half"> {
  let summary = "conversions of f16 and bf16 to and from f32 and f64 by integer arithmetic";
  let description = [{
    `arith.extf` and `arith.truncf` of these types, and of vectors of them, become arithmetic on
    bits: exact, or rounded once to the nearest (ties to even). NaNs stay NaNs.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FinishDeviceMath : Pass<"gyre-finish-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "roots and quotients of kernels, as exact as they are promised to be";
  let description = [{
    Calls of libdevice's `__nv_sqrtf` and `__nv_sqrt`, whose results are approximate under
    the flags that LLVM assumes, become `llvm.intr.sqrt`. Divisions of f32 that may be
    approximate (`afn`: of sigmoids, whose divisors are in [1, 2]) become products with a
    reciprocal that is corrected once, within an ulp.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EmitDeviceCode : Pass<"gyre-emit-device-code", "::mlir::ModuleOp"> {
  let summary = "binaries of kernels, for a list of architectures";
  let description = [{
    Each kernel of a `gpu.module` in the NVVM dialect becomes a `gpu.binary` of its name: for
    each `sm_XX` a cubin, which `ptxas` makes, for each `compute_XX` PTX. Without an `sm_XX`
    the module becomes one `gpu.binary` of the module's name. Launches are told. Kernels and
    architectures are compiled in parallel. A kernel that is as one of a module that the pass
    has run on before is not compiled again, and has that one's name in its binary. A kernel that spills is assembled again, for fewer
    blocks on a multiprocessor, and at last with the lowest `--register-usage-level`. Each kernel's
    registers, bytes of spills and of static shared memory (of cubins) are the metadata
    `registers`, `spills` and `shared` of the objects, and become remarks if `report` is
    set. Kernels that spill, or take `ptxas` more than `slow` seconds, get a warning.

    The toolkit is looked for in `toolkit`, in $CUDA_ROOT, $CUDA_HOME and $CUDA_PATH, beside
    a `ptxas` on $PATH, and in /usr/local/cuda.

    Errors: `[lower-gpu]`, `[gpu-arch]`, `[gpu-ptxas]`, `[gpu-libdevice]`, `[gpu-dynamic-shared]`,
    `[gpu-ptx]`.
    Warnings: `[gpu-spill]`, `[gpu-slow]`.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    ListOption<"archs", "arch", "std::string", "architectures: sm_XX[a] for a cubin, compute_XX for PTX (default: sm_80,sm_90a,compute_80)">,
    Option<"toolkit", "toolkit", "std::string", "\"\"", "directory of the CUDA toolkit">,
    Option<"slow", "slow", "double", "3.0", "seconds of ptxas for a kernel that deserve a warning">,
    Option<"report", "report", "bool", "false", "a remark for each kernel">,
  ];
}

def LowerLaunches : Pass<"gyre-lower-launches", "::mlir::ModuleOp"> {
  let summary = "kernels as data, and launches as calls of the runtime";
  let description = [{
    Each `gpu.binary` becomes constant data of the module (`gyre_rt_device_code`), those
    with the same objects once. Each
    function with a `gyre.entry` on `cuda` gets the stream as its last argument and returns
    a status, and each `gpu.launch_func` in it becomes a call of `gyre_rt_launch`, which
    gets the status of the call before it. What the kernels take is the module's attribute
    `gyre.kernels`, for the manifest.

    Errors: `[launch-place]`, `[launch-form]`, `[launch-argument]`, `[launch-kernel]`, `[launch-code]`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def EmitEntryPoints : Pass<"gyre-emit-entry-points", "::mlir::ModuleOp"> {
  let summary = "the functions of the C ABI, for lowered functions in the LLVM dialect";
  let description = [{
    For each `llvm.func` with `gyre.entry`, of name NAME: `NAME` and `NAME_packed`, which
    have the runtime check the call (`gyre_rt_enter`) before the body runs, and
    `NAME_workspace`. The signature becomes constant data (`gyre/Runtime/EntryTable.h`).
    The body and its C wrapper become internal. On `cuda` the body takes the stream as its
    last argument and returns a status, which is the entry point's.

    Errors: `[entry-name]`, `[entry-operand]`, `[entry-wrapper]`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // GYRE_PASSES_TD
