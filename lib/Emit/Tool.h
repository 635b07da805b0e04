//===- Tool.h - Programs of the system, and files for them ------*- C++ -*-===//

#ifndef GYRE_LIB_EMIT_TOOL_H
#define GYRE_LIB_EMIT_TOOL_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileUtilities.h"

#include <optional>
#include <string>

namespace gyre::emit {

/// A file that is gone with this object.
class TemporaryFile {
public:
  std::error_code create(llvm::StringRef suffix);
  std::error_code write(llvm::StringRef contents) const;
  /// What is in it, "" if it cannot be read.
  std::string read() const;
  llvm::StringRef path() const { return place; }

private:
  llvm::SmallString<128> place;
  llvm::FileRemover remover;
};

/// What running a program brought: `failure` says why, if it did not succeed.
struct ToolRun {
  std::optional<std::string> failure;
  std::string output;
};

/// Runs a program, whose output goes to the file `messages` and is returned.
ToolRun runTool(llvm::ArrayRef<std::string> command,
                const TemporaryFile &messages);

} // namespace gyre::emit

#endif // GYRE_LIB_EMIT_TOOL_H
