//===- Compile.h - From a file to the requested form ------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYREC_COMPILE_H
#define GYRE_TOOLS_GYREC_COMPILE_H

#include "gyre/Pipelines.h"

#include "mlir/Support/Timing.h"

namespace gyre {

/// What to write.
enum class Emission { MLIR, LLVM, PTX, Assembly, Object, Library };

struct CompileOptions {
  std::string input;
  std::string output;
  PipelineOptions pipeline;
  Emission emission = Emission::Library;
  std::string runtimeDirectory;

  /// Whether nothing but the programs of kernels is asked for.
  bool printsOnly() const {
    return pipeline.printProgram && output.empty() &&
           emission == Emission::Library;
  }
};

/// Compiles; errors have been printed if it fails, and nothing was written.
mlir::LogicalResult compile(CompileOptions &options, mlir::TimingScope &timing);

} // namespace gyre

#endif // GYRE_TOOLS_GYREC_COMPILE_H
