//===- PolyTest.cpp - Arithmetic of sizes against a naive version ---------===//

#include "gyre/Dialect/Gyre.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace mlir;

namespace gyre {
namespace {

const std::vector<std::string> names = {"L", "N", "a", "b2", "_"};
constexpr int64_t most = std::numeric_limits<int64_t>::max();
constexpr int rounds = 500;

/// Sorted names to a coefficient, wide enough that nothing here overflows.
using Naive = std::map<std::vector<std::string>, __int128>;
using Values = std::map<std::string, int64_t>;

Naive naiveAdd(const Naive &a, const Naive &b) {
  Naive sum = a;
  for (const auto &[key, coef] : b)
    sum[key] += coef;
  return sum;
}

Naive naiveMul(const Naive &a, const Naive &b) {
  Naive product;
  for (const auto &[x, p] : a) {
    for (const auto &[y, q] : b) {
      std::vector<std::string> key = x;
      key.insert(key.end(), y.begin(), y.end());
      std::sort(key.begin(), key.end());
      product[key] += p * q;
    }
  }
  return product;
}

__int128 evaluate(const Naive &poly, const Values &values) {
  __int128 sum = 0;
  for (const auto &[key, coef] : poly) {
    __int128 term = coef;
    for (const std::string &name : key)
      term *= values.at(name);
    sum += term;
  }
  return sum;
}

Naive toNaive(PolyAttr poly) {
  Naive naive;
  for (auto [coef, monomial] :
       llvm::zip_equal(poly.getCoefs(), poly.getMonomials())) {
    std::vector<std::string> key;
    for (StringAttr name : monomial.getAsRange<StringAttr>())
      key.push_back(name.str());
    naive[key] += coef;
  }
  return naive;
}

Naive withoutZeros(const Naive &poly) {
  Naive result;
  for (const auto &[key, coef] : poly)
    if (coef != 0)
      result.insert({key, coef});
  return result;
}

bool fits(const Naive &poly) {
  return std::all_of(poly.begin(), poly.end(), [](const auto &term) {
    return term.second >= -most && term.second <= most;
  });
}

/// A polynomial, the same as text, and the same by hand.
struct Sample {
  PolyAttr poly;
  std::string text;
  Naive naive;
};

class PolyTest : public ::testing::Test {
protected:
  PolyTest() { context.loadDialect<GyreDialect>(); }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  PolyAttr constant(int64_t value) {
    return PolyAttr::constant(&context, value);
  }
  PolyAttr variable(const std::string &name) {
    return PolyAttr::variable(StringAttr::get(&context, name));
  }

  PolyAttr parse(const std::string &text) {
    return dyn_cast_if_present<PolyAttr>(
        parseAttribute("#gyre.poly<" + text + ">", &context));
  }

  Sample getLeaf() {
    if (pick(0, 2) == 0) {
      int64_t value = pick(-5, 5);
      return {constant(value), std::to_string(value), {{{}, value}}};
    }
    const std::string &name = names[pick(0, names.size() - 1)];
    return {variable(name), name, {{{name}, 1}}};
  }

  /// A random sum, difference or product, parenthesised here and there where it
  /// need not be.
  Sample getRandom(int depth) {
    if (depth == 0)
      return getLeaf();
    Sample a = getRandom(depth - 1), b = getRandom(pick(0, depth - 1));
    std::string left = "(" + a.text + ")", right = "(" + b.text + ")";
    switch (pick(0, 3)) {
    case 0:
      return {a.poly.add(b.poly), a.text + " + " + right,
              naiveAdd(a.naive, b.naive)};
    case 1:
      return {a.poly.sub(b.poly), left + "-" + right,
              naiveAdd(a.naive, naiveMul(b.naive, {{{}, -1}}))};
    case 2:
      return {a.poly.mul(constant(-1)), "-" + left,
              naiveMul(a.naive, {{{}, -1}})};
    default:
      return {a.poly.mul(b.poly), left + "*" + right,
              naiveMul(a.naive, b.naive)};
    }
  }

  Sample getRandom() { return getRandom(static_cast<int>(pick(0, 4))); }

  Values getValues() {
    Values values;
    for (const std::string &name : names)
      values[name] = pick(-4, 9);
    return values;
  }

  MLIRContext context;
  std::mt19937_64 random{20240607};
};

TEST_F(PolyTest, EqualsNaiveArithmetic) {
  for (int i = 0; i < rounds; ++i) {
    Sample p = getRandom();
    EXPECT_EQ(toNaive(p.poly), withoutZeros(p.naive)) << p.text;
  }
}

TEST_F(PolyTest, IsCanonical) {
  for (int i = 0; i < rounds; ++i) {
    PolyAttr poly = getRandom().poly;
    std::vector<std::pair<int, std::vector<std::string>>> keys;
    for (auto [coef, monomial] :
         llvm::zip_equal(poly.getCoefs(), poly.getMonomials())) {
      EXPECT_NE(coef, 0);
      std::vector<std::string> key;
      for (StringAttr name : monomial.getAsRange<StringAttr>())
        key.push_back(name.str());
      EXPECT_TRUE(std::is_sorted(key.begin(), key.end())) << poly.str();
      keys.push_back({-static_cast<int>(key.size()), key});
    }
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end())) << poly.str();
    EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end())
        << poly.str();
  }
}

TEST_F(PolyTest, ObeysTheLawsOfARing) {
  PolyAttr zero = constant(0), one = constant(1);
  for (int i = 0; i < rounds; ++i) {
    PolyAttr a = getRandom(2).poly, b = getRandom(2).poly,
             c = getRandom(2).poly;
    EXPECT_EQ(a.add(b), b.add(a));
    EXPECT_EQ(a.mul(b), b.mul(a));
    EXPECT_EQ(a.add(b).add(c), a.add(b.add(c)));
    EXPECT_EQ(a.mul(b).mul(c), a.mul(b.mul(c)));
    EXPECT_EQ(a.mul(b.add(c)), a.mul(b).add(a.mul(c)));
    EXPECT_EQ(a.add(zero), a);
    EXPECT_EQ(a.mul(one), a);
    EXPECT_EQ(a.mul(zero), zero);
    EXPECT_EQ(a.sub(a), zero);
    EXPECT_EQ(a.sub(b).add(b), a);
  }
}

TEST_F(PolyTest, SubstitutesNumbers) {
  for (int i = 0; i < rounds; ++i) {
    Sample p = getRandom();
    Values values = getValues();
    PolyAttr value = p.poly.substitute(
        [&](StringAttr name) { return constant(values.at(name.str())); });
    ASSERT_TRUE(value.getConstant()) << value.str();
    EXPECT_TRUE(*value.getConstant() == evaluate(p.naive, values)) << p.text;
  }
}

TEST_F(PolyTest, SubstitutesPolynomials) {
  // Evaluating what was put in is evaluating what it was put into.
  for (int i = 0; i < rounds; ++i) {
    Sample p = getRandom(2);
    std::map<std::string, Sample> inner;
    Values values = getValues(), innerValues = values;
    for (const std::string &name : names) {
      if (pick(0, 2) == 0)
        continue; // stays what it is
      inner[name] = getRandom(1);
      innerValues[name] =
          static_cast<int64_t>(evaluate(inner[name].naive, values));
    }
    PolyAttr outer = p.poly.substitute([&](StringAttr name) {
      auto it = inner.find(name.str());
      return it == inner.end() ? PolyAttr() : it->second.poly;
    });
    EXPECT_TRUE(evaluate(toNaive(outer), values) ==
                evaluate(p.naive, innerValues))
        << p.text;
  }
}

TEST_F(PolyTest, ParsesWhatItPrints) {
  for (int i = 0; i < rounds; ++i) {
    PolyAttr poly = getRandom().poly;
    EXPECT_EQ(parse(poly.str()), poly) << poly.str();
  }
}

TEST_F(PolyTest, ParsesExpressions) {
  for (int i = 0; i < rounds; ++i) {
    Sample p = getRandom();
    EXPECT_EQ(parse(p.text), p.poly) << p.text;
  }
}

TEST_F(PolyTest, NamesItsVariables) {
  for (int i = 0; i < rounds; ++i) {
    PolyAttr poly = getRandom().poly;
    std::vector<std::string> visited, expected;
    poly.walkVariables([&](StringAttr name) { visited.push_back(name.str()); });
    for (ArrayAttr monomial : poly.getMonomials())
      for (StringAttr name : monomial.getAsRange<StringAttr>())
        expected.push_back(name.str());
    EXPECT_EQ(visited, expected);
    EXPECT_EQ(poly.getConstant().has_value(), visited.empty());
    bool isVariable = visited.size() == 1 && poly == variable(visited[0]);
    EXPECT_EQ(static_cast<bool>(poly.getVariable()), isVariable) << poly.str();
  }
}

TEST_F(PolyTest, PrintsInOneOrder) {
  PolyAttr l = variable("L"), n = variable("N");
  EXPECT_EQ(constant(0).str(), "0");
  EXPECT_EQ(constant(-1).str(), "-1");
  EXPECT_EQ(l.mul(constant(-1)).str(), "-L");
  EXPECT_EQ(constant(1).add(l).sub(n.mul(l)).str(), "-L*N + L + 1");
  EXPECT_EQ(constant(-most).mul(l).str(), "-9223372036854775807*L");
}

TEST_F(PolyTest, OverflowsAsItsCoefficientsDo) {
  // Coefficients near the limit: the result is exact, or known not to fit.
  for (int i = 0; i < rounds; ++i) {
    Sample p = getRandom(2), q = getRandom(2);
    int64_t factor = most / pick(1, 40), other = most / pick(1, 40);
    PolyAttr a = p.poly.mul(constant(factor)), b = q.poly.mul(constant(other));
    Naive x = naiveMul(p.naive, {{{}, factor}});
    Naive y = naiveMul(q.naive, {{{}, other}});
    ASSERT_EQ(a.isOverflow(), !fits(x)) << p.text;
    ASSERT_EQ(b.isOverflow(), !fits(y)) << q.text;
    if (a.isOverflow() || b.isOverflow())
      continue;
    Naive sum = naiveAdd(x, y);
    EXPECT_EQ(a.add(b).isOverflow(), !fits(sum)) << a.str() << ", " << b.str();
    if (fits(sum)) {
      EXPECT_EQ(toNaive(a.add(b)), withoutZeros(sum));
    }
  }
}

TEST_F(PolyTest, OverflowAbsorbs) {
  PolyAttr over = PolyAttr::overflow(&context);
  EXPECT_TRUE(over.isOverflow());
  EXPECT_LT(*over.getConstant(), 0);
  EXPECT_FALSE(over.getVariable());
  EXPECT_EQ(over.str(), "overflow");
  for (int i = 0; i < rounds; ++i) {
    PolyAttr a = getRandom().poly;
    EXPECT_EQ(a.add(over), over);
    EXPECT_EQ(over.sub(a), over);
    EXPECT_EQ(a.sub(over), over);
    EXPECT_EQ(a.mul(over), over);
    EXPECT_EQ(over.mul(constant(0)), over);
  }
  EXPECT_EQ(variable("L").substitute([&](StringAttr) { return over; }), over);
}

TEST_F(PolyTest, OverflowsAtTheLimits) {
  PolyAttr l = variable("L"), power = l;
  EXPECT_EQ(constant(most).add(constant(1)), PolyAttr::overflow(&context));
  EXPECT_EQ(constant(-most).sub(constant(1)), PolyAttr::overflow(&context));
  EXPECT_EQ(constant(most).sub(constant(most)), constant(0));
  // Two terms of a product that each fit.
  PolyAttr half = constant(most / 2 + 1);
  EXPECT_TRUE(half.mul(l).add(half).mul(l.add(constant(1))).isOverflow());
  for (int degree = 2; degree <= 64; ++degree) {
    power = power.mul(l);
    EXPECT_FALSE(power.isOverflow()) << degree;
  }
  EXPECT_TRUE(power.mul(l).isOverflow());

  PolyAttr sum = constant(0);
  for (int i = 0; i < 512; ++i) {
    EXPECT_FALSE(sum.isOverflow()) << i;
    sum = sum.add(variable("v" + std::to_string(i)));
  }
  EXPECT_FALSE(sum.isOverflow());
  EXPECT_TRUE(sum.add(constant(1)).isOverflow());
  EXPECT_TRUE(sum.mul(sum).isOverflow());
}

} // namespace
} // namespace gyre
