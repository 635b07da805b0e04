//===- Files.h - Arrays in a directory, and options -------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_FILES_H
#define GYRE_TOOLS_GYRE_RUN_FILES_H

#include "gyre/Support/Npy.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace gyre {

llvm::Error makeError(const llvm::Twine &message);

/// The file of an argument or a result.
std::string getPath(llvm::StringRef directory, llvm::StringRef name);

/// The values of `--size`.
llvm::Expected<llvm::StringMap<int64_t>>
parseSizes(llvm::ArrayRef<std::string> options);

/// The value of `--random`.
llvm::Expected<uint64_t> parseSeed(llvm::StringRef option);

/// What to say of a size of that name where the function has these.
std::string unknownSize(llvm::ArrayRef<std::string> names, llvm::StringRef got);

/// Writes <name>.npy for each array. Each file appears whole, and only after
/// all have been written.
llvm::Error writeArrays(llvm::StringRef directory,
                        llvm::ArrayRef<std::string> names,
                        llvm::ArrayRef<NpyArray> arrays);

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_FILES_H
