//===- Emit.h - From lowered modules to libraries ---------------*- C++ -*-===//
//
// What comes after the passes: a module in the LLVM dialect, with its entry
// points, becomes LLVM IR, object code and a shared library; its signatures
// become a C header and a manifest. Output depends on the module alone.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_EMIT_EMIT_H
#define GYRE_EMIT_EMIT_H

#include "gyre/Dialect/Gyre.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace gyre {

/// The machine that code is made for: an architecture, by default the host's,
/// and nothing that only some of its processors have.
mlir::FailureOr<std::unique_ptr<llvm::TargetMachine>>
createBaselineMachine(mlir::Location loc, llvm::StringRef triple = "");

/// Translates a module and optimises it. Only the entry points can be seen from
/// outside.
std::unique_ptr<llvm::Module> emitLLVMIR(mlir::ModuleOp module,
                                         llvm::TargetMachine &machine,
                                         llvm::LLVMContext &context);

/// Makes position-independent object code.
mlir::FailureOr<std::string> emitObject(mlir::Location loc,
                                        llvm::Module &module,
                                        llvm::TargetMachine &machine);

/// The same as text.
mlir::FailureOr<std::string> emitAssembly(mlir::Location loc,
                                          llvm::Module &module,
                                          llvm::TargetMachine &machine);

/// Links object code against the runtime in `runtimeDirectory` into a shared
/// library of that file name, with the system's linker. The library looks for
/// the runtime beside itself, then in that directory (made absolute).
mlir::FailureOr<std::string> linkLibrary(mlir::Location loc,
                                         llvm::StringRef object,
                                         llvm::StringRef fileName,
                                         llvm::StringRef runtimeDirectory);

/// Whether the header or the library of a spec of that name would stand in for
/// one of the system's or the runtime's.
bool hidesSystemFile(llvm::StringRef spec);

/// `libNAME.so`, `NAME.h` and `NAME.json` of the module's spec.
std::string getLibraryFileName(mlir::ModuleOp module);
std::string getHeaderFileName(mlir::ModuleOp module);
std::string getManifestFileName(mlir::ModuleOp module);

/// The C header that declares a module's entry points.
std::string emitHeader(mlir::ModuleOp module);

/// The JSON that describes a module's entry points to programs.
std::string emitManifest(mlir::ModuleOp module, llvm::StringRef target);

/// A file that is to be written.
struct OutputFile {
  std::string path;
  std::string contents;
  bool executable = false;
};

/// Writes all files or, on an error, none.
mlir::LogicalResult writeFiles(mlir::Location loc,
                               llvm::ArrayRef<OutputFile> files);

mlir::LogicalResult writeToStdout(mlir::Location loc, llvm::StringRef contents);

} // namespace gyre

#endif // GYRE_EMIT_EMIT_H
