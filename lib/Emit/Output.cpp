//===- Output.cpp - Files that are written whole or not at all ------------===//

#include "gyre/Emit/Emit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace gyre {

static LogicalResult fail(Location loc, StringRef path, StringRef got) {
  return emitError(loc, "[emit-output] expected to write ")
         << path << ", got: " << got;
}

/// Writes a file under a temporary name beside its own.
static llvm::Expected<llvm::sys::fs::TempFile> stage(const OutputFile &file) {
  unsigned mode = llvm::sys::fs::all_read | llvm::sys::fs::all_write;
  if (file.executable)
    mode |= llvm::sys::fs::all_exe;
  auto staged = llvm::sys::fs::TempFile::create(file.path + ".%%%%%%%%", mode);
  if (!staged)
    return staged;
  llvm::raw_fd_ostream stream(staged->FD, /*shouldClose=*/false);
  stream << file.contents;
  stream.flush();
  if (std::error_code error = stream.error()) {
    stream.clear_error();
    llvm::consumeError(staged->discard());
    return llvm::errorCodeToError(error);
  }
  return staged;
}

LogicalResult writeFiles(Location loc, ArrayRef<OutputFile> files) {
  std::vector<llvm::sys::fs::TempFile> staged;
  auto discardFrom = [&](size_t first) {
    for (size_t i = first; i < staged.size(); ++i)
      llvm::consumeError(staged[i].discard());
  };
  for (const OutputFile &file : files) {
    StringRef directory = llvm::sys::path::parent_path(file.path);
    if (std::error_code error =
            directory.empty() ? std::error_code()
                              : llvm::sys::fs::create_directories(directory)) {
      discardFrom(0);
      return fail(loc, file.path, error.message());
    }
    // A directory could not be replaced; a device, a pipe or a link should not.
    llvm::sys::fs::file_status status;
    llvm::sys::fs::status(file.path, status, /*follow=*/false);
    if (llvm::sys::fs::exists(status) &&
        !llvm::sys::fs::is_regular_file(status)) {
      discardFrom(0);
      return fail(loc, file.path,
                  "something of that name that is no regular file");
    }
    auto temporary = stage(file);
    if (!temporary) {
      discardFrom(0);
      return fail(loc, file.path, llvm::toString(temporary.takeError()));
    }
    staged.push_back(std::move(*temporary));
  }
  for (size_t i = 0; i < staged.size(); ++i)
    if (llvm::Error error = staged[i].keep(files[i].path)) {
      discardFrom(i + 1);
      return fail(loc, files[i].path, llvm::toString(std::move(error)));
    }
  return success();
}

} // namespace gyre
