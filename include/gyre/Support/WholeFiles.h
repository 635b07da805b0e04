//===- WholeFiles.h - Files that are written whole or not at all -*- C++
//-*-===//

#ifndef GYRE_SUPPORT_WHOLEFILES_H
#define GYRE_SUPPORT_WHOLEFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <string>

namespace gyre {

/// A file that is to be written; its directory is made if it is missing.
struct WholeFile {
  std::string path;
  std::function<void(llvm::raw_ostream &)> write;
  bool executable = false;
};

/// Writes all files or, on an error, none: each under another name first. What
/// stands under a path already is replaced only if it is a regular file.
/// Errors read `PATH, got: REASON`.
llvm::Error writeWhole(llvm::ArrayRef<WholeFile> files);

} // namespace gyre

#endif // GYRE_SUPPORT_WHOLEFILES_H
