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
    carries `gyre.spec` (the spec's name) and `gyre.params`. Exact: no value changes.

    Errors: `[specialise-spec]`, `[specialise-unknown-param]`, `[specialise-missing-param]`,
    `[specialise-param-value]`, `[specialise-param-range]`, `[specialise-alternative]`,
    `[specialise-size]`, and those of the verifiers, once sizes are constants.

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
    relations and elementwise ops. Works before and after `gyre-specialise`. The
    formulas are those of `docs/operators.md`; sums may be reassociated.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Simplify : Pass<"gyre-simplify"> {
  let summary = "contract algebra, common subexpressions, dead code";
  let description = [{
    Canonical form of contracts (axis names by first appearance, relation axes in that
    order), identities dropped, transposes and broadcasts sunk into the contracts that
    use them, equal values merged, unused ones dropped. Sums may be reassociated; an
    exact zero stays an exact zero.
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

#endif // GYRE_PASSES_TD
