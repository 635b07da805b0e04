//===- Files.cpp - Arrays in a directory, and options ---------------------===//

#include "Files.h"

#include "gyre/Support/WholeFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
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

Expected<uint64_t> parseSeed(StringRef option) {
  uint64_t seed;
  if (option.getAsInteger(10, seed))
    return makeError("[run-random] expected a number for --random, got `" +
                     option + "`");
  return seed;
}

std::string unknownSize(ArrayRef<std::string> names, StringRef got) {
  std::string expected =
      names.empty() ? "no sizes" : "one of the sizes " + join(names, ", ");
  return "[run-size] expected " + expected + ", got `" + got.str() + "`";
}

Error writeArrays(StringRef directory, ArrayRef<std::string> names,
                  ArrayRef<NpyArray> arrays) {
  std::vector<WholeFile> files;
  for (auto [name, array] : zip_equal(names, arrays))
    files.push_back(
        {getPath(directory, name),
         [&array = array](raw_ostream &os) { writeNpy(os, array); }});
  if (Error error = writeWhole(files))
    return makeError("[run-output] expected to write " +
                     toString(std::move(error)));
  return Error::success();
}

} // namespace gyre
