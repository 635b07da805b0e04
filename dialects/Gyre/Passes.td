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

def Differentiate : Pass<"gyre-differentiate", "::mlir::ModuleOp"> {
  let summary = "carry out the declared derivatives";
  let description = [{
    Each `gyre.derive` becomes a `gyre.func`: the primal's values, as far as they are
    needed and available, then the adjoint of each op in reverse order. Absent
    cotangents leave no op, no argument and no zero. Derivatives of derivatives are
    carried out in the order of their primals.

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

def ExpandHalf : Pass<"gyre-expand-half"> {
  let summary = "f16 and bf16 to and from f32 and f64 by integer arithmetic";
  let description = [{
    `arith.extf` and `arith.truncf` of scalars of these types become arithmetic on
    bits: exact, or rounded once to the nearest (ties to even). NaNs stay NaNs.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def EmitEntryPoints : Pass<"gyre-emit-entry-points", "::mlir::ModuleOp"> {
  let summary = "the functions of the C ABI, for lowered functions in the LLVM dialect";
  let description = [{
    For each `llvm.func` with `gyre.entry`, of name NAME: `NAME` and `NAME_packed`, which
    have the runtime check the call (`gyre_rt_enter`) before the body runs, and
    `NAME_workspace`. The signature becomes constant data (`gyre/Runtime/EntryTable.h`).
    The body and its C wrapper become internal.

    Errors: `[entry-name]`, `[entry-operand]`, `[entry-wrapper]`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // GYRE_PASSES_TD
