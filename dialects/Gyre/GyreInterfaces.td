//===- GyreInterfaces.td - What a pass may ask of an op ----*- tablegen -*-===//

#ifndef GYRE_INTERFACES_TD
#define GYRE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Gyre_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::gyre";
  let description = [{
    An op whose vector-Jacobian product is known. All rules are external models, one
    file a family of ops, in `lib/Differentiate/Rules`.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the gradient of each wanted operand.

        `cotangents` has one entry a result, null where the cotangent is zero (at
        least one is not null). `gradients` has one entry an operand: the method sets
        those that `wanted` names, and leaves one null where the gradient is zero. It
        may use the op's own operands and results, and builds at `builder`.
      }],
      "::llvm::LogicalResult", "buildVJP",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$cotangents,
           "::llvm::ArrayRef<bool>":$wanted,
           "::llvm::MutableArrayRef<::mlir::Value>":$gradients)>
  ];
}

def Gyre_DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::gyre";
  let description = [{
    An op that is a few primitives, and no more than a name for them. `gyre-decompose`
    leaves none.
  }];
  let methods = [
    InterfaceMethod<"Builds the primitives that the op stands for; the value of its result.",
      "::mlir::Value", "decompose", (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
        Sizes that the relations of the primitives are made of: numbers, once all
        parameters are. None by default.
      }],
      "::llvm::SmallVector<::gyre::PolyAttr>", "getStaticSizes", (ins), "", "return {};">
  ];
}

#endif // GYRE_INTERFACES_TD
