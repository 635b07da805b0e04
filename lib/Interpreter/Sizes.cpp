//===- Sizes.cpp - Values of runtime sizes --------------------------------===//

#include "Sizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre {

/// 32 GiB of doubles: an absurd size is an error, not a failure to allocate.
static constexpr int64_t kMaxElements = int64_t(1) << 32;

void Sizes::bind(StringRef name, int64_t value, StringRef source) {
  bindings.try_emplace(name, Binding{value, source.str()});
}

void Sizes::bind(PolyAttr poly, int64_t value, StringRef source) {
  if (StringAttr name = poly.getVariable())
    bind(name.getValue(), value, source);
}

FailureOr<int64_t> Sizes::evaluate(Operation *op, PolyAttr poly) const {
  int64_t sum = 0;
  bool overflow = false;
  for (auto [coef, names] :
       llvm::zip_equal(poly.getCoefs(), poly.getMonomials())) {
    int64_t term = coef;
    for (StringRef name : names.getAsValueRange<StringAttr>()) {
      auto it = bindings.find(name);
      if (it == bindings.end())
        return op->emitError("[interpret-size] expected a value for size `")
               << name
               << "` from an argument or from the given sizes, got none";
      overflow |= llvm::MulOverflow(term, it->second.value, term);
    }
    overflow |= llvm::AddOverflow(sum, term, sum);
  }
  if (overflow)
    return op->emitError("[interpret-size] expected a size of 64 bits, got ")
           << poly.str() << explain(poly);
  if (sum < 0)
    return op->emitError("[interpret-size] expected a size of at least 0, got ")
           << sum << " for " << poly.str() << explain(poly);
  return sum;
}

FailureOr<SmallVector<int64_t>> Sizes::evaluate(Operation *op,
                                                ArrayRef<PolyAttr> dims) const {
  SmallVector<int64_t> shape;
  for (PolyAttr dim : dims) {
    FailureOr<int64_t> size = evaluate(op, dim);
    if (failed(size))
      return failure();
    shape.push_back(*size);
  }
  // Strides are products of sizes even where the value is empty.
  int64_t count = 1;
  bool overflow = false;
  for (int64_t size : shape)
    overflow |= llvm::MulOverflow(count, std::max<int64_t>(size, 1), count);
  bool empty = llvm::is_contained(shape, 0);
  if (overflow || (!empty && count > kMaxElements)) {
    InFlightDiagnostic diag =
        op->emitError("[interpret-size] expected at most ")
        << kMaxElements << " elements in a value, got sizes (";
    llvm::interleaveComma(shape, diag);
    return diag << ")";
  }
  return shape;
}

std::string Sizes::explain(PolyAttr poly) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<StringRef> names;
  poly.walkVariables([&](StringAttr name) {
    if (!llvm::is_contained(names, name.getValue()))
      names.push_back(name.getValue());
  });
  StringRef separator = " (";
  for (StringRef name : names) {
    auto it = bindings.find(name);
    if (it == bindings.end())
      continue;
    os << separator << name << " is " << it->second.value << " by "
       << it->second.source;
    separator = ", ";
  }
  if (!text.empty())
    os << ")";
  return text;
}

} // namespace gyre
