//===- Emitter.h - Loops over buffers, for one function ---------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_CPU_PLAIN_EMITTER_H
#define GYRE_LIB_LOWERING_CPU_PLAIN_EMITTER_H

#include "Buffers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace gyre::plain {

/// Constant arrays of the module; equal ones are one.
class Tables {
public:
  explicit Tables(mlir::ModuleOp module) : module(module) {}

  /// The memref of an array with these elements.
  mlir::Value get(mlir::ImplicitLocOpBuilder &b,
                  mlir::DenseElementsAttr elements);

private:
  mlir::ModuleOp module;
  mlir::Operation *last = nullptr;
  llvm::DenseMap<mlir::Attribute, mlir::StringAttr> symbols;
};

/// The arrays of an index map, each a rank-1 memref of i32.
struct MapBuffers {
  mlir::Value index, order, ptr;
};

/// Builds the body of one function. Sizes and constants are computed at its
/// start, once each.
class Emitter {
public:
  /// `body` has the arguments that `entry` describes.
  Emitter(FuncOp source, mlir::func::FuncOp body, const BufferPlan &plan,
          EntryAttr entry, Tables &tables);

  mlir::ImplicitLocOpBuilder b;

  //===--------------------------------------------------------------------===//
  // Sizes and constants
  //===--------------------------------------------------------------------===//

  mlir::Value index(int64_t value);
  mlir::Value size(PolyAttr poly);
  llvm::SmallVector<mlir::Value> sizes(llvm::ArrayRef<PolyAttr> polys);
  llvm::SmallVector<mlir::Value> sizes(mlir::Value tensor);
  /// A number of a float or integer type.
  mlir::Value number(mlir::Type type, double value);
  mlir::Value table(llvm::ArrayRef<int64_t> elements);
  mlir::Value table(llvm::ArrayRef<double> elements, mlir::Type type);

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  mlir::Value buffer(mlir::Value tensor) const { return buffers.at(tensor); }
  mlir::Value result(unsigned i) const { return results[i]; }
  const MapBuffers &map(mlir::Value map) const {
    return maps.find(map)->second;
  }
  /// An element of a memref, as it is in memory.
  mlir::Value read(mlir::Value memref, mlir::ValueRange indices);
  void write(mlir::Value element, mlir::Value memref, mlir::ValueRange indices);
  /// A zero of a memref's element type.
  mlir::Value zero(mlir::Value memref);
  /// An element of an array of i32 or i64, as an index.
  mlir::Value readIndex(mlir::Value memref, mlir::Value position);
  /// A cell of a value, in the type in which it is computed.
  mlir::Value load(mlir::Value tensor, mlir::ValueRange indices);
  /// Rounds to the value's element type, once.
  void store(mlir::Value scalar, mlir::Value tensor, mlir::ValueRange indices);

  //===--------------------------------------------------------------------===//
  // Arithmetic
  //===--------------------------------------------------------------------===//

  /// The type in which scalars of `element` are computed: f32 for f16 and bf16.
  static mlir::Type computeType(mlir::Type element);
  /// The same number, rounded once, in another float type (no f16, no bf16).
  mlir::Value convert(mlir::Value scalar, mlir::Type type);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// The row-major position of `indices` in an array of `bounds`.
  mlir::Value linearise(mlir::ValueRange indices, mlir::ValueRange bounds);
  /// The inverse.
  llvm::SmallVector<mlir::Value> delinearise(mlir::Value position,
                                             mlir::ValueRange bounds);

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  using Body = llvm::function_ref<void(mlir::ValueRange)>;
  using CarryingBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::ValueRange, mlir::ValueRange)>;

  /// A nest of loops from 0, outermost first.
  void loops(mlir::ValueRange bounds, Body body);
  /// A nest of loops that carries values from `initial` on; the last ones.
  llvm::SmallVector<mlir::Value> carry(mlir::ValueRange lower,
                                       mlir::ValueRange upper,
                                       mlir::ValueRange initial,
                                       CarryingBody body);

private:
  mlir::Value atStart(llvm::function_ref<mlir::Value()> build);
  void bindArguments(FuncOp source, const BufferPlan &plan, EntryAttr entry);
  void bindWorkspace(FuncOp source, const BufferPlan &plan,
                     mlir::Value workspace);

  mlir::func::FuncOp body;
  Tables &tables;
  mlir::Operation *endOfStart = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, MapBuffers> maps;
  llvm::SmallVector<mlir::Value> results;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> sizeArguments;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::DenseMap<PolyAttr, mlir::Value> polynomials;
};

// One file a family of ops: each emits the loops of an op.
void emitContract(Emitter &e, ContractOp op);
void emitElementwise(Emitter &e, mlir::Operation *op);
void emitConvert(Emitter &e, ConvertOp op);
void emitSelect(Emitter &e, SelectOp op);
void emitConstant(Emitter &e, ConstantOp op);
void emitSigmoid(Emitter &e, mlir::Operation *op);
void emitGather(Emitter &e, GatherOp op);
void emitSegmentSum(Emitter &e, SegmentSumOp op);
void emitValid(Emitter &e, ValidOp op);
void emitSlice(Emitter &e, SliceOp op);
void emitPad(Emitter &e, PadOp op);
void emitConcat(Emitter &e, ConcatOp op);
void emitMaxSlot(Emitter &e, MaxSlotOp op);
void emitSelectSlot(Emitter &e, SelectSlotOp op);
void emitSpreadSlot(Emitter &e, SpreadSlotOp op);
/// Copies `from` to `to`, both of the type of `tensor`.
void emitCopy(Emitter &e, mlir::Value tensor, mlir::Value from, mlir::Value to);

} // namespace gyre::plain

#endif // GYRE_LIB_LOWERING_CPU_PLAIN_EMITTER_H
