//===- Files.cpp - Arrays in a directory, and options ---------------------===//

#include "Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gyre {

Error makeError(const Twine &message) { return createStringError(message); }

std::string getPath(StringRef directory, StringRef name) {
  SmallString<128> path(directory);
  sys::path::append(path, name + ".npy");
  return path.str().str();
}

Expected<StringMap<int64_t>> parseSizes(ArrayRef<std::string> options) {
  StringMap<int64_t> sizes;
  for (StringRef option : options) {
    auto [name, text] = option.split('=');
    int64_t value;
    if (name.empty() || text.getAsInteger(10, value) || value < 0)
      return makeError("[run-size] expected name=value with a value of at "
                       "least 0, got `" +
                       option + "`");
    if (!sizes.try_emplace(name, value).second)
      return makeError("[run-size] expected one value for `" + name +
                       "`, got two");
  }
  return sizes;
}

static Error write(sys::fs::TempFile &file, const NpyArray &array) {
  raw_fd_ostream os(file.FD, /*shouldClose=*/false);
  writeNpy(os, array);
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return errorCodeToError(code);
}

/// Says that a result's file could not be written, if there is an error.
static Error explain(Error error, StringRef path) {
  if (!error)
    return error;
  return makeError("[run-output] expected to write " + path +
                   ", got: " + toString(std::move(error)));
}

Error writeArrays(StringRef directory, ArrayRef<std::string> names,
                  ArrayRef<NpyArray> arrays) {
  if (std::error_code code = sys::fs::create_directories(directory))
    return explain(errorCodeToError(code), directory);
  SmallVector<std::string> paths;
  for (StringRef name : names)
    paths.push_back(getPath(directory, name));
  std::vector<sys::fs::TempFile> files;
  Error error = Error::success();
  for (size_t i = 0; !error && i < paths.size(); ++i) {
    auto file = sys::fs::TempFile::create(paths[i] + ".%%%%%%%%");
    if (!file) {
      error = explain(file.takeError(), paths[i]);
      break;
    }
    files.push_back(std::move(*file));
    error = explain(write(files[i], arrays[i]), paths[i]);
  }
  for (size_t i = 0; i < files.size(); ++i) {
    bool good = !error;
    Error last = good ? files[i].keep(paths[i]) : files[i].discard();
    error = joinErrors(std::move(error), explain(std::move(last), paths[i]));
  }
  return error;
}

} // namespace gyre
