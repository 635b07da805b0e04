//===- Pipelines.h - The roads from a spec to a target ----------*- C++ -*-===//

#ifndef GYRE_PIPELINES_H
#define GYRE_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

namespace gyre {

/// Options of the pipelines; those of gyrec have the same names.
struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  ListOption<std::string> set{
      *this, "set",
      llvm::cl::desc("parameter values, name=value, separated by commas")};
  Option<std::string> spec{
      *this, "spec",
      llvm::cl::desc("name of the spec, where the module has several")};
  ListOption<std::string> derive{
      *this, "derive",
      llvm::cl::desc("functions to keep, separated by commas; all if empty")};
  Option<bool> specialised{
      *this, "specialised",
      llvm::cl::desc("the module's functions are specialised already"),
      llvm::cl::init(false)};
};

/// From a spec to primitives: specialise, decompose, differentiate, simplify.
void buildAlgebraPipeline(mlir::OpPassManager &passes,
                          const PipelineOptions &options);

/// From primitives to scalar loops on memrefs.
void buildPlainLoopsPipeline(mlir::OpPassManager &passes);

/// From loops on memrefs to the LLVM dialect, with entry points.
void buildCPUCodePipeline(mlir::OpPassManager &passes);

/// The dialects that the pipelines lower to.
void registerLoweredDialects(mlir::DialectRegistry &registry);

/// Registers `gyre-algebra`, `gyre-plain-loops`, `gyre-cpu-code`, and
/// `gyre-pipeline`, which is all of them.
void registerPipelines();

} // namespace gyre

#endif // GYRE_PIPELINES_H
