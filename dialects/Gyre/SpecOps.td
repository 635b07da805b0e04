//===- SpecOps.td - Specs, parameters, functions, derives --*- tablegen -*-===//

#ifndef GYRE_SPECOPS_TD
#define GYRE_SPECOPS_TD

include "Gyre/GyreTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Gyre_SpecOpsDoc : OpDocGroup {
  let summary = "Specs";
  let description = "Parameters, functions and declared derivatives.";
}

let opDocGroup = Gyre_SpecOpsDoc in {

def Gyre_SpecOp : Gyre_Op<"spec", [Symbol, SymbolTable, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "a parametric family of functions";
  let description = [{
    Holds parameters (`gyre.param`, `gyre.type_param`, `gyre.accumulator`), functions,
    declared derivatives, and alternatives of these. `gyre-specialise` fixes the parameters and
    puts the functions and derivatives that hold into the module.

    Constraints:
    * `[spec-child]` children are `gyre.param`, `gyre.type_param`, `gyre.accumulator`, `gyre.alternative`, `gyre.func` and `gyre.derive`.
    * `[spec-param-unique]` no two parameters share a name.
    * `[spec-size-bound]` each size name of a function is a parameter, or a runtime size that an argument binds.
    * `[spec-type-bound]` each element type's name is a type parameter, or an accumulator's.
    * `[spec-type-order]` what a type parameter or an accumulator refers to is a type parameter before it.
    * `[spec-static]` names in relations, in counts of layers and in conditions are parameters (or iterators of the relation).

    ```mlir
    gyre.spec @scale {
      gyre.param "C" in [1, 4096] doc "channels"
      gyre.type_param "act" in [f32, f64] default f32
      gyre.func @scale(%x: !gyre.tensor<E x C x act>, %s: !gyre.tensor<E x act>) -> (y: !gyre.tensor<E x C x act>) {
        %y = gyre.contract %x[e, c], %s[e] -> [e, c] : !gyre.tensor<E x C x act>, !gyre.tensor<E x act>
        gyre.return %y : !gyre.tensor<E x C x act>
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Gyre_ParamOp : Gyre_Op<"param", [HasParent<"SpecOp">]> {
  let summary = "an integer parameter of the spec, fixed at compile time";
  let description = [{
    `lower` and `upper` bound it, both included. A default serves where no value is given.

    Constraints:
    * `[param-range]` `lower <= upper`, and the default lies between them.

    ```mlir
    gyre.param "L" in [0, 8] default 3 doc "maximal degree"
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$lower, I64Attr:$upper,
    OptionalAttr<I64Attr>:$default_value, OptionalAttr<StrAttr>:$doc);
  let assemblyFormat = [{
    $name `in` custom<Interval>($lower, $upper) (`default` custom<PlainInteger>($default_value)^)? (`doc` $doc^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Gyre_TypeParamOp : Gyre_Op<"type_param", [HasParent<"SpecOp">]> {
  let summary = "a float type that is a parameter of the spec";
  let description = [{
    Where no value is given, the default serves, which may be the type of a parameter
    before it.

    Constraints:
    * `[type-param-float]` there is a choice, and each is f64, f32, f16 or bf16.
    * `[type-param-default]` the default is one of the choices, or another type parameter.

    ```mlir
    gyre.type_param "act" in [f32, f64, bf16] default f32 doc "activations"
    gyre.type_param "par" in [f32, f64, bf16] default !gyre.elem<act> doc "parameters"
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeArrayAttr:$choices,
    OptionalAttr<TypeAttr>:$default_value, OptionalAttr<StrAttr>:$doc);
  let assemblyFormat = "$name `in` $choices (`default` $default_value^)? (`doc` $doc^)? attr-dict";
  let hasVerifier = 1;
}

def Gyre_AccumulatorOp : Gyre_Op<"accumulator", [HasParent<"SpecOp">]> {
  let summary = "the float type in which sums over values of a type parameter are taken";
  let description = [{
    Names what a contraction accumulates in: f32 for f16 and bf16, else the type itself.
    A spec converts to it where several steps are to be rounded once, at the end. It
    follows from the type parameter `of` and is none itself: nothing sets it.

    ```mlir
    gyre.accumulator "acc" of "act"
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$of, OptionalAttr<StrAttr>:$doc);
  let assemblyFormat = "$name `of` $of (`doc` $doc^)? attr-dict";
  let hasVerifier = 1;
}

def Gyre_AlternativeOp : Gyre_Op<"alternative", [SymbolTable, NoTerminator, SingleBlock, HasParent<"SpecOp">]> {
  let summary = "functions that a spec has where conditions on its parameters hold";
  let description = [{
    Where a spec has alternatives, exactly one must hold for given parameters.

    Constraints:
    * `[alternative-child]` children are `gyre.func` and `gyre.derive`.
    * `[alternative-condition]` there is a condition.

    ```mlir
    gyre.alternative where R >= 1 and L >= 1 { ... }
    ```
  }];
  let arguments = (ins TypedArrayAttrBase<Gyre_ConditionAttr, "conditions, all of which must hold">:$conditions);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`where` custom<Conditions>($conditions) attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Gyre_FuncOp : Gyre_Op<"func", [FunctionOpInterface, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a function from tensors and index maps to tensors";
  let description = [{
    Arguments are named by their SSA names and results by the names in the signature;
    these names are the compiled function's. Values only: nothing in it has effects.

    Constraints:
    * `[func-name-count]` each argument and each result has a name; `[func-name-unique]` no two arguments and no two results share one.
    * `[func-argument-type]` arguments are gyre tensors or maps; `[func-result-type]` results are gyre tensors.
    * `[func-return]` the returned values have the declared types.
    * `[func-elementwise-type]` operands and results of an elementwise upstream op agree in their named sizes.
    * `[func-op]` each op belongs to `gyre`, or is an elementwise one that every part of the compiler knows:
      `arith.addf`, `subf`, `mulf`, `divf`, `negf`, `maximumf`, `minimumf`, `cmpf`; `math.exp`, `log`, `sqrt`,
      `rsqrt`, `tanh`, `sin`, `cos`, `absf`, `powf`. `[func-fastmath]` without fastmath flags.

    ```mlir
    gyre.func @scaled_rows(%x: !gyre.tensor<N x C x f32>, %src: !gyre.map<[e: E] to N>, %scale: !gyre.tensor<E x f32>)
        -> (y: !gyre.tensor<E x C x f32>) {
      %rows = gyre.gather %x over %src axis 0 : !gyre.tensor<N x C x f32>, !gyre.map<[e: E] to N>
      %y = gyre.contract %rows[e, c], %scale[e] -> [e, c] : !gyre.tensor<E x C x f32>, !gyre.tensor<E x f32>
      gyre.return %y : !gyre.tensor<E x C x f32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    StrArrayAttr:$arg_names, StrArrayAttr:$res_names,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::llvm::StringRef getArgName(unsigned i) { return ::llvm::cast<::mlir::StringAttr>(getArgNames()[i]).getValue(); }
    ::llvm::StringRef getResName(unsigned i) { return ::llvm::cast<::mlir::StringAttr>(getResNames()[i]).getValue(); }
    /// Position of the argument or result of that name.
    std::optional<unsigned> findArg(::llvm::StringRef name);
    std::optional<unsigned> findRes(::llvm::StringRef name);
    ::gyre::ReturnOp getReturn();
    /// Creates an empty function (a block with its arguments and no return).
    static FuncOp create(::mlir::OpBuilder &builder, ::mlir::Location loc, ::llvm::StringRef name,
                         ::mlir::FunctionType type, ::llvm::ArrayRef<::llvm::StringRef> argNames,
                         ::llvm::ArrayRef<::llvm::StringRef> resNames);
  }];
}

def Gyre_ReturnOp : Gyre_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "ends a function with its results";
  let description = [{
    The results in the order of the signature, of the types that it declares: see
    `gyre.func`.

    ```mlir
    gyre.return %y, %slot : !gyre.tensor<E x C x f32>, !gyre.tensor<E x i8>
    ```
  }];
  let arguments = (ins Variadic<Gyre_Tensor>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def Gyre_DeriveOp : Gyre_Op<"derive", [Symbol]> {
  let summary = "declares a function that the compiler derives: a vector-Jacobian product";
  let description = [{
    `gyre.derive @b = vjp @f wrt (x as gx) given (u as gu)` declares `@b`: its
    arguments are those of `@f` that it needs, in order, then the saved values, then
    the cotangents; its results are the gradients that `wrt` asks for, named by
    `as` (by default `g` and the argument's name). `given` names the results of `@f`
    whose cotangents exist (all by default), named by `as` (by default `g` and the
    result's name); one that is absent leaves no trace. `@f` may itself be derived:
    any order is reached that way.

    What crosses from `@f` to `@b`:
    * `saves (z)` results of `@f` that `@b` takes as arguments instead of computing them again (those that it needs);
    * `exact (u0)` arguments of `@f` that `@b` takes, or saved results, but only for their direct uses (and those of
      their slices and views): nothing is recomputed from them;
    * `without (u0)` arguments of `@f` that `@b` does not take.
    A value that is missing then is recomputed from what is there, or recovered: by an
    additive inverse (`y = a + b` gives `a = y - b`), or as a part of what it was stacked
    or concatenated into. What is saved stands before what is exact: an argument that is
    also a saved result is taken as that.

    Contracts of a derivative have the `precision` of those that they come of. `precision` of
    the derivative is that of all contracts in it, whatever these say, also of those that
    compute values of `@f` again; and of its derivatives, if these say nothing.

    Which arguments a derivative needs may depend on parameters: `wrt` may name one that
    its primal, a derivative, turned out not to need. The gradient is zero.

    Constraints:
    * `[derive-primal]` `@f` is a function or a derivative of the same scope; `[derive-cycle]` no derivative derives itself.
    * `[derive-argument]` names in `wrt`, `exact`, `without` are arguments (in `exact` saved results, too); `[derive-result]` names in `given`, `saves` are results.
    * `[derive-not-differentiable]` gradients are asked of float tensors, through ops with a rule.
    * `[derive-name-clash]` names of arguments (and of results) differ.
    * `[derive-contradiction]` no argument is both `exact` and `without`.
    * `[derive-missing]` a value that is needed can be recomputed or recovered.
    * `[derive-repeated]` no name stands twice in a list.
    * `[derive-precision]` the precision is one of those that contracts have.
    * `[derive-nothing]` `wrt` and `given` are not empty; `[derive-renamed]` each of their names has a new one.

    ```mlir
    gyre.func @scale(%x: !gyre.tensor<E x C x f32>, %s: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x C x f32>) { ... }
    // @scale_bwd(%x, %s, %gy) -> (gx, gs)
    gyre.derive @scale_bwd = vjp @scale wrt (x as gx, s as gs) given (y as gy)
    // @scale_bwd2(%x, %s, %gy, %hx) -> (dgy, ds): gs has no cotangent
    gyre.derive @scale_bwd2 = vjp @scale_bwd wrt (gy as dgy, s as ds) given (gx as hx)
    // What is saved is an argument more, before the cotangents.
    gyre.derive @layer_bwd = vjp @layer wrt (u0 as gu0) given (u as gu) saves (z, u) without (u0)
    gyre.derive @layer_train_bwd = vjp @layer wrt (W as gW) given (u as gu) precision fp16x3
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$primal,
    StrArrayAttr:$wrt, StrArrayAttr:$wrt_names,
    OptionalAttr<StrArrayAttr>:$given, OptionalAttr<StrArrayAttr>:$given_names,
    OptionalAttr<StrArrayAttr>:$saves, OptionalAttr<StrArrayAttr>:$exact,
    OptionalAttr<StrArrayAttr>:$without, OptionalAttr<Gyre_PrecisionAttr>:$precision);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

} // opDocGroup

#endif // GYRE_SPECOPS_TD
