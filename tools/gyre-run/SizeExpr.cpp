//===- SizeExpr.cpp - Sizes as manifests write them -----------------------===//

#include "SizeExpr.h"
#include "Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gyre {

std::optional<SizeExpr> SizeExpr::parse(StringRef text) {
  SizeExpr expr;
  expr.text = text.str();
  StringRef rest = text.trim();
  bool negative = rest.consume_front("-");
  for (;;) {
    Term term;
    do {
      rest = rest.ltrim();
      StringRef word = rest.take_while(
          [](char c) { return isAlnum(c) || c == '_' || c == '$'; });
      rest = rest.drop_front(word.size()).ltrim();
      int64_t value;
      if (word.empty())
        return std::nullopt;
      if (!isDigit(word.front()))
        term.names.push_back(word.str());
      else if (word.getAsInteger(10, value) ||
               MulOverflow(term.coefficient, value, term.coefficient))
        return std::nullopt;
    } while (rest.consume_front("*"));
    if (negative)
      term.coefficient = -term.coefficient;
    expr.terms.push_back(std::move(term));
    if (rest.empty())
      return expr;
    negative = rest.starts_with("-");
    if (!rest.consume_front("-") && !rest.consume_front("+"))
      return std::nullopt;
  }
}

std::optional<StringRef> SizeExpr::getName() const {
  if (terms.size() != 1 || terms[0].coefficient != 1 ||
      terms[0].names.size() != 1)
    return std::nullopt;
  return StringRef(terms[0].names[0]);
}

Expected<int64_t> SizeExpr::evaluate(const StringMap<int64_t> &sizes) const {
  auto fail = [&](const Twine &got) {
    return makeError("[run-size] expected a size of at least 0 for " + text +
                     ", got " + got);
  };
  int64_t value = 0;
  for (const Term &term : terms) {
    int64_t product = term.coefficient;
    for (const std::string &name : term.names) {
      auto size = sizes.find(name);
      if (size == sizes.end())
        return fail("no value for `" + name + "`");
      if (MulOverflow(product, size->second, product))
        return fail("more than 64 bits");
    }
    if (AddOverflow(value, product, value))
      return fail("more than 64 bits");
  }
  if (value < 0)
    return fail(Twine(value));
  return value;
}

} // namespace gyre
