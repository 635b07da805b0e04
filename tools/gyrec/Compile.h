//===- Compile.h - From a file to the requested form ------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYREC_COMPILE_H
#define GYRE_TOOLS_GYREC_COMPILE_H

#include "mlir/Support/LLVM.h"
#include "mlir/Support/Timing.h"

#include <string>
#include <vector>

namespace gyre {

/// What to write.
enum class Emission { MLIR, LLVM, PTX, Object, Library };

/// What to compile for.
enum class Target { CPU, CUDA };

/// How primitives become loops for the CPU.
enum class Road { Plain, Fused };

struct CompileOptions {
  std::string input;
  std::string output;
  std::vector<std::string> set, derive;
  std::string spec;
  Target target = Target::CPU;
  Road lowering = Road::Plain;
  std::vector<std::string> archs; // of GPUs
  std::string toolkit;            // CUDA's; looked for if empty
  bool reportKernels = false;
  Emission emission = Emission::Library;
  std::string runtimeDirectory;
};

/// Compiles; errors have been printed if it fails, and nothing was written.
mlir::LogicalResult compile(const CompileOptions &options,
                            mlir::TimingScope &timing);

} // namespace gyre

#endif // GYRE_TOOLS_GYREC_COMPILE_H
