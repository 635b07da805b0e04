//===- Poly.cpp - Arithmetic of sizes -------------------------------------===//

#include "gyre/Dialect/Gyre.h"

#include "llvm/Support/MathExtras.h"

#include <limits>
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

/// No size comes near these; they keep a product of sums from taking all time.
constexpr size_t maxMonomials = 512, maxDegree = 64;

/// Stands for what does not fit. No sum or product of others comes out as this.
constexpr int64_t overflowed = std::numeric_limits<int64_t>::min();

/// Once over, always over: a later term must not bring it back.
int64_t checkedAdd(int64_t a, int64_t b) {
  int64_t sum;
  return a == overflowed || b == overflowed || llvm::AddOverflow(a, b, sum)
             ? overflowed
             : sum;
}
int64_t checkedMul(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? overflowed : product;
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
    if (coef == overflowed || key.size() > maxDegree ||
        coefs.size() == maxMonomials)
      return PolyAttr::overflow(context);
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

PolyAttr PolyAttr::overflow(MLIRContext *context) {
  return PolyAttr::get(context, {overflowed}, {ArrayAttr::get(context, {})});
}

bool PolyAttr::isOverflow() const { return isConstant(overflowed); }

PolyAttr PolyAttr::variable(StringAttr name) {
  return getPoly(name.getContext(), {{Key{name}, 1}});
}

PolyAttr PolyAttr::add(PolyAttr other) const {
  if (isOverflow() || other.isOverflow())
    return overflow(getContext());
  Terms terms = getTerms(*this);
  for (const auto &[key, coef] : getTerms(other))
    terms[key] = checkedAdd(terms[key], coef);
  return getPoly(getContext(), terms);
}

PolyAttr PolyAttr::sub(PolyAttr other) const {
  return add(other.mul(constant(getContext(), -1)));
}

PolyAttr PolyAttr::mul(PolyAttr other) const {
  if (isOverflow() || other.isOverflow())
    return overflow(getContext());
  Terms terms;
  Terms others = getTerms(other);
  for (const auto &[a, x] : getTerms(*this)) {
    for (const auto &[b, y] : others) {
      Key key(a);
      key.append(b.begin(), b.end());
      llvm::sort(key, [](StringAttr p, StringAttr q) {
        return p.getValue() < q.getValue();
      });
      terms[key] = checkedAdd(terms[key], checkedMul(x, y));
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

void PolyAttr::walkVariables(llvm::function_ref<void(StringAttr)> visit) const {
  for (ArrayAttr monomial : getMonomials())
    for (Attribute name : monomial)
      visit(cast<StringAttr>(name));
}

void PolyAttr::printExpression(llvm::raw_ostream &os) const {
  if (getCoefs().empty())
    os << "0";
  if (isOverflow()) {
    os << "overflow";
    return;
  }
  for (size_t i = 0; i < getCoefs().size(); ++i) {
    int64_t coef = getCoefs()[i];
    ArrayAttr names = getMonomials()[i];
    int64_t magnitude = std::abs(coef);
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
