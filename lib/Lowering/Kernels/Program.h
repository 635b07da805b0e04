//===- Program.h - The host side of a program of kernels --------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_PROGRAM_H
#define GYRE_LIB_LOWERING_KERNELS_PROGRAM_H

#include "Workspace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gyre::kernels {

/// The body of an entry point: pointers, sizes and the workspace of a function.
class Program {
public:
  static mlir::FailureOr<std::unique_ptr<Program>>
  create(FuncOp func, const std::string &target);

  Builder &builder() { return *b; }
  mlir::func::FuncOp getBody() const { return body; }
  llvm::ArrayRef<Plan> getPlans() const { return plans; }
  /// A name for code of the function, unique in the module.
  std::string getName(llvm::StringRef suffix) const;
  mlir::Value size(PolyAttr size);
  /// The parameters of a kernel: how its rows are cut is among them. `name` is
  /// that of a device's kernel.
  Params makeParams(const Plan &plan, llvm::StringRef name = "");
  Params makeParams(CellsOp kernel);
  const Stacks &getStacks() const { return workspace.stacks; }
  /// Visits the kernels in their order; the parts of one, one by one.
  void forEachKernel(llvm::function_ref<void(const Plan &)> rows,
                     llvm::function_ref<void(CellsOp)> cells);

private:
  Program() = default;
  void createBody(const std::string &target);
  mlir::Value pointerOf(mlir::Value memref);
  void addMap(Params &params, mlir::Value map);
  void shareNodes(Params &params, mlir::Value rows, mlir::Value most,
                  int64_t heavy, PolyAttr target);

  FuncOp func;
  std::unique_ptr<Builder> b;
  mlir::func::FuncOp body;
  std::vector<Plan> plans;
  Workspace workspace;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers;
  llvm::DenseMap<mlir::Value, std::array<mlir::Value, 3>> maps;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> sizes;
  Values bufferPointers;
};

/// Emits the kernels of a program: as parallel loops over workers, or as
/// gpu.funcs and their launches.
void emitForCPU(Program &program);
/// Fails, with an error, where a kernel has no room.
mlir::LogicalResult emitForCUDA(Program &program);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_PROGRAM_H
