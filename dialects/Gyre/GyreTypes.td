//===- GyreTypes.td - Tensors with named sizes, index maps -*- tablegen -*-===//

#ifndef GYRE_TYPES_TD
#define GYRE_TYPES_TD

include "Gyre/GyreAttrs.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/BuiltinTypes.td"

class Gyre_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Gyre_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Gyre_ElementType : Gyre_Type<"Element", "elem",
    [DeclareTypeInterfaceMethods<FloatTypeInterface>, VectorElementTypeInterface]> {
  let summary = "a floating-point type that is a parameter of the spec";
  let description = [{
    Stands for the float type that `gyre-specialise` puts in its place, named by a
    `gyre.type_param`. Inside a tensor type the bare name is enough:
    `!gyre.tensor<E x C x act>`.
  }];
  let parameters = (ins "::mlir::StringAttr":$name);
  let hasCustomAssemblyFormat = 1;
}

def Gyre_TensorType : Gyre_Type<"Tensor", "tensor",
    [ShapedTypeInterface, ValueSemantics]> {
  let summary = "a value with named symbolic dimensions";
  let description = [{
    Each dimension is a polynomial over parameters and runtime sizes; dimensions are
    separated by ` x `. The element type is f64, f32, f16, bf16, i1, i8, i16, i32, i64,
    or the name of a type parameter. Row-major when it reaches memory.

    Constraints:
    * `[tensor-syntax]` sizes, each followed by ` x `, then the element type.
    * `[tensor-element]` the element type is one of those.
    * `[tensor-size]` sizes are not negative (checked once they are constants), and fit 64 bits.
    * `[tensor-operand]`, `[map-operand]`: where an op takes a tensor (or a map), it gets one.

    ```mlir
    !gyre.tensor<E x 3*L + 1 x F*C x act>
    !gyre.tensor<f32>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"PolyAttr", "sizes">:$dims,
    "::mlir::Type":$elementType,
    ArrayRefParameter<"int64_t", "constant sizes, ShapedType::kDynamic for the others">:$shape
  );
  let skipDefaultBuilders = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<PolyAttr>":$dims, "::mlir::Type":$elementType)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    int64_t rank() const { return getDims().size(); }
    /// Float types that a value may have, apart from parameters.
    static bool isSupportedFloat(::mlir::Type type);
    /// The type of an operand; null, and an error, where that is no gyre tensor. Results
    /// are inferred before there is an op whose operand constraints could say it.
    static TensorType getOperand(std::optional<::mlir::Location> loc, ::mlir::Value operand);
    /// Appends the type of these sizes to the inferred ones, or says what is wrong.
    static ::llvm::LogicalResult infer(std::optional<::mlir::Location> loc, ::llvm::ArrayRef<PolyAttr> dims,
                                       ::mlir::Type elementType, ::llvm::SmallVectorImpl<::mlir::Type> &inferred);
    TensorType cloneWithDims(::llvm::ArrayRef<PolyAttr> dims) const;
    TensorType cloneWithElement(::mlir::Type element) const;
    ::mlir::ShapedType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const;
  }];
}

def Gyre_MapType : Gyre_Type<"Map", "map"> {
  let summary = "an index map from named axes to nodes";
  let description = [{
    For each position of its axes, the node that it refers to, together with the
    transpose in CSR form, built once per graph by the runtime. A `padded` map may
    hold references outside `[0, target)`: they read as 0 and are never summed.

    Constraints:
    * `[map-axes]` there is an axis, and no two share a name.
    * `[map-size]` sizes are not negative (checked once they are constants).

    ```mlir
    !gyre.map<[e: E] to N>
    !gyre.map<[k: K, n: Nout] to Nin, padded>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"AxisAttr", "axes that the map is indexed by">:$axes,
    "PolyAttr":$target,
    "bool":$padded
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<PolyAttr> getAxisSizes() const;
    /// The type of an operand; null, and an error, where that is no map.
    static MapType getOperand(std::optional<::mlir::Location> loc, ::mlir::Value operand);
  }];
}

def Gyre_FloatTensor : Type<And<[CPred<"::llvm::isa<::gyre::TensorType>($_self)">,
    CPred<"::llvm::isa<::mlir::FloatType>(::llvm::cast<::gyre::TensorType>($_self).getElementType())">]>,
    "gyre tensor of a floating-point type", "::gyre::TensorType">;
def Gyre_IntTensor : Type<And<[CPred<"::llvm::isa<::gyre::TensorType>($_self)">,
    CPred<"::llvm::isa<::mlir::IntegerType>(::llvm::cast<::gyre::TensorType>($_self).getElementType())">]>,
    "gyre tensor of an integer type", "::gyre::TensorType">;
def Gyre_MaskTensor : Type<And<[CPred<"::llvm::isa<::gyre::TensorType>($_self)">,
    CPred<"::llvm::cast<::gyre::TensorType>($_self).getElementType().isSignlessInteger(1)">]>,
    "gyre tensor of i1", "::gyre::TensorType">;
def Gyre_Map : Type<CPred<"::llvm::isa<::gyre::MapType>($_self)">, "gyre index map", "::gyre::MapType">;
def Gyre_Tensor : Type<CPred<"::llvm::isa<::gyre::TensorType>($_self)">, "gyre tensor", "::gyre::TensorType">;

#endif // GYRE_TYPES_TD
