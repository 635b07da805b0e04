//===- Output.cpp - Writes what was made ----------------------------------===//

#include "gyre/Emit/Emit.h"
#include "gyre/Support/WholeFiles.h"

using namespace mlir;

namespace gyre {

LogicalResult writeFiles(Location loc, ArrayRef<OutputFile> files) {
  std::vector<WholeFile> whole;
  for (const OutputFile &file : files)
    whole.push_back({file.path,
                     [&](llvm::raw_ostream &os) { os << file.contents; },
                     file.executable});
  if (llvm::Error error = writeWhole(whole))
    return emitError(loc, "[emit-output] expected to write ")
           << llvm::toString(std::move(error));
  return success();
}

LogicalResult writeToStdout(Location loc, StringRef contents) {
  llvm::raw_fd_ostream &os = llvm::outs();
  os << contents;
  os.flush();
  if (!os.has_error())
    return success();
  std::error_code error = os.error();
  os.clear_error(); // else the stream's destructor would report it as well
  return emitError(loc, "[emit-output] expected to write stdout, got: ")
         << error.message();
}

} // namespace gyre
