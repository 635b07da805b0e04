//===- Poly.cpp - Arithmetic of sizes -------------------------------------===//

#include "gyre/Dialect/Gyre.h"

#include <map>

using namespace mlir;

namespace gyre {

namespace {

/// Monomials as sorted names, ordered by descending degree and then by name, so
/// that `3*L + 1` prints with its constant last.
using Key = SmallVector<StringAttr>;
struct KeyLess {
  bool operator()(const Key &a, const Key &b) const {
    if (a.size() != b.size())
      return a.size() > b.size();
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](StringAttr x, StringAttr y) { return x.getValue() < y.getValue(); });
  }
};
using Terms = std::map<Key, int64_t, KeyLess>;

/// Wraps on overflow: a size that large fails the range checks of its use.
int64_t wrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
int64_t wrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

Key getKey(ArrayAttr monomial) {
  Key key;
  for (Attribute name : monomial)
    key.push_back(cast<StringAttr>(name));
  return key;
}

Terms getTerms(PolyAttr poly) {
  Terms terms;
  for (auto [coef, monomial] :
       llvm::zip_equal(poly.getCoefs(), poly.getMonomials()))
    terms[getKey(monomial)] = coef;
  return terms;
}

PolyAttr getPoly(MLIRContext *context, const Terms &terms) {
  SmallVector<int64_t> coefs;
  SmallVector<ArrayAttr> monomials;
  for (const auto &[key, coef] : terms) {
    if (coef == 0)
      continue;
    coefs.push_back(coef);
    monomials.push_back(ArrayAttr::get(
        context, SmallVector<Attribute>(key.begin(), key.end())));
  }
  return PolyAttr::get(context, coefs, monomials);
}

} // namespace

PolyAttr PolyAttr::constant(MLIRContext *context, int64_t value) {
  return getPoly(context, {{Key(), value}});
}

PolyAttr PolyAttr::variable(StringAttr name) {
  return getPoly(name.getContext(), {{Key{name}, 1}});
}

PolyAttr PolyAttr::add(PolyAttr other) const {
  Terms terms = getTerms(*this);
  for (const auto &[key, coef] : getTerms(other))
    terms[key] = wrapAdd(terms[key], coef);
  return getPoly(getContext(), terms);
}

PolyAttr PolyAttr::sub(PolyAttr other) const {
  return add(other.mul(constant(getContext(), -1)));
}

PolyAttr PolyAttr::mul(PolyAttr other) const {
  Terms terms;
  Terms others = getTerms(other);
  for (const auto &[a, x] : getTerms(*this)) {
    for (const auto &[b, y] : others) {
      Key key(a);
      key.append(b.begin(), b.end());
      llvm::sort(key, [](StringAttr p, StringAttr q) {
        return p.getValue() < q.getValue();
      });
      terms[key] = wrapAdd(terms[key], wrapMul(x, y));
    }
  }
  return getPoly(getContext(), terms);
}

std::optional<int64_t> PolyAttr::getConstant() const {
  if (getCoefs().empty())
    return 0;
  if (getCoefs().size() == 1 && getMonomials()[0].empty())
    return getCoefs()[0];
  return std::nullopt;
}

StringAttr PolyAttr::getVariable() const {
  if (getCoefs().size() == 1 && getCoefs()[0] == 1 &&
      getMonomials()[0].size() == 1)
    return cast<StringAttr>(getMonomials()[0][0]);
  return {};
}

PolyAttr
PolyAttr::substitute(llvm::function_ref<PolyAttr(StringAttr)> lookup) const {
  PolyAttr result = constant(getContext(), 0);
  for (auto [coef, monomial] : llvm::zip_equal(getCoefs(), getMonomials())) {
    PolyAttr term = constant(getContext(), coef);
    for (Attribute attr : monomial) {
      StringAttr name = cast<StringAttr>(attr);
      PolyAttr value = lookup(name);
      term = term.mul(value ? value : variable(name));
    }
    result = result.add(term);
  }
  return result;
}

void PolyAttr::walkVariables(
    llvm::function_ref<void(StringAttr)> visit) const {
  for (ArrayAttr monomial : getMonomials())
    for (Attribute name : monomial)
      visit(cast<StringAttr>(name));
}

void PolyAttr::printExpression(llvm::raw_ostream &os) const {
  if (getCoefs().empty()) {
    os << "0";
    return;
  }
  for (size_t i = 0; i < getCoefs().size(); ++i) {
    int64_t coef = getCoefs()[i];
    ArrayAttr names = getMonomials()[i];
    // The magnitude as unsigned: the smallest integer has no positive twin.
    uint64_t magnitude = coef < 0 ? 0 - static_cast<uint64_t>(coef)
                                  : static_cast<uint64_t>(coef);
    if (i == 0)
      os << (coef < 0 ? "-" : "");
    else
      os << (coef < 0 ? " - " : " + ");
    bool printCoef = magnitude != 1 || names.empty();
    if (printCoef)
      os << magnitude;
    llvm::StringRef star = printCoef ? "*" : "";
    for (Attribute name : names) {
      os << star << cast<StringAttr>(name).getValue();
      star = "*";
    }
  }
}

std::string PolyAttr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printExpression(os);
  return text;
}

} // namespace gyre
