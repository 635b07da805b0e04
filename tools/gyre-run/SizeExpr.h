//===- SizeExpr.h - Sizes as manifests write them ---------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_SIZEEXPR_H
#define GYRE_TOOLS_GYRE_RUN_SIZEEXPR_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace gyre {

/// A polynomial over runtime sizes, such as `3*E + 1`. (That of the dialect
/// would bring MLIR into the tools that only call kernels.)
class SizeExpr {
public:
  /// Reads sums of products of numbers and names.
  static std::optional<SizeExpr> parse(llvm::StringRef text);

  const std::string &str() const { return text; }
  /// The name that this is, if it is one and nothing else.
  std::optional<llvm::StringRef> getName() const;
  /// The value, which is none of a size if it is negative or too large.
  llvm::Expected<int64_t> evaluate(const llvm::StringMap<int64_t> &sizes) const;

private:
  struct Term {
    int64_t coefficient = 1;
    std::vector<std::string> names;
  };
  std::string text;
  std::vector<Term> terms;
};

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_SIZEEXPR_H
