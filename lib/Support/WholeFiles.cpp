//===- WholeFiles.cpp - Files that are written whole or not at all --------===//

#include "gyre/Support/WholeFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::sys;

namespace gyre {

/// What keeps a file from being written under that path.
static Error checkPlace(StringRef path) {
  StringRef directory = path::parent_path(path);
  if (!directory.empty())
    if (std::error_code error = fs::create_directories(directory))
      return errorCodeToError(error);
  // A directory could not be replaced; a device, a pipe or a link should not.
  fs::file_status status;
  fs::status(path, status, /*follow=*/false);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return createStringError("something of that name that is no regular file");
  return Error::success();
}

/// Writes a file under a temporary name beside its own.
static Expected<fs::TempFile> stage(const WholeFile &file) {
  unsigned mode = fs::all_read | fs::all_write;
  if (file.executable)
    mode |= fs::all_exe;
  auto staged = fs::TempFile::create(file.path + ".%%%%%%%%", mode);
  if (!staged)
    return staged;
  raw_fd_ostream stream(staged->FD, /*shouldClose=*/false);
  file.write(stream);
  stream.flush();
  if (std::error_code error = stream.error()) {
    stream.clear_error();
    consumeError(staged->discard());
    return errorCodeToError(error);
  }
  return staged;
}

Error writeWhole(ArrayRef<WholeFile> files) {
  std::vector<fs::TempFile> staged;
  auto fail = [&](size_t firstLeft, StringRef path, Error error) {
    for (size_t i = firstLeft; i < staged.size(); ++i)
      consumeError(staged[i].discard());
    return createStringError(path + ", got: " + toString(std::move(error)));
  };
  for (const WholeFile &file : files) {
    if (Error error = checkPlace(file.path))
      return fail(0, file.path, std::move(error));
    Expected<fs::TempFile> temporary = stage(file);
    if (!temporary)
      return fail(0, file.path, temporary.takeError());
    staged.push_back(std::move(*temporary));
  }
  for (size_t i = 0; i < staged.size(); ++i)
    if (Error error = staged[i].keep(files[i].path))
      return fail(i + 1, files[i].path, std::move(error));
  return Error::success();
}

} // namespace gyre
