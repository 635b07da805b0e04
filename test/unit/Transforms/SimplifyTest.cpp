//===- SimplifyTest.cpp - Simplified programs have the same values --------===//

#include "SameValues.h"

#include "gyre/InitAll.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace gyre;
using namespace gyre::test;

namespace {
/// A relation over axes of size 4, drawn at random.
struct Relation {
  std::vector<std::vector<int64_t>> tuples;
  std::string text;

  Relation(const std::string &axes, size_t width, std::mt19937_64 &random)
      : text("over [" + axes + "] {") {
    const char *const coefficients[] = {"1.0", "-1.0", "0.5"};
    for (uint64_t left = 1 + random() % 5; left > 0; --left) {
      std::vector<int64_t> tuple(width);
      for (int64_t &index : tuple)
        index = random() % 4;
      text += tuples.empty() ? "(" : ", (";
      for (size_t i = 0; i < width; ++i)
        text += (i ? ", " : "") + std::to_string(tuple[i]);
      text += std::string(") * ") + coefficients[random() % 3];
      tuples.push_back(tuple);
    }
    text += "}";
  }

  /// Whether some tuple has these indices at these positions.
  bool lists(std::initializer_list<size_t> positions,
             std::initializer_list<int64_t> indices) const {
    return llvm::any_of(tuples, [&](const std::vector<int64_t> &tuple) {
      return llvm::all_of(llvm::zip_equal(positions, indices), [&](auto pair) {
        return tuple[std::get<0>(pair)] == std::get<1>(pair);
      });
    });
  }
};

/// Entries that no tuple lists hold NaN: they are never read. Cells that no
/// tuple lists are exact zeros; what the lists are of two contracts that become
/// one is for the pass to find out.
TEST(Simplify, ReadsAndWritesWhatTheRelationsList) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  PassManager passes(&context);
  passes.addPass(createSimplify());
  uint64_t merged = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Relation first("r, k, d", 3, random), second("r, s", 2, random),
        third("s, t", 2, random);
    auto module = parseSourceString<ModuleOp>(
        R"(
      !w = !gyre.tensor<4 x 4 x f64>
      !x = !gyre.tensor<4 x 2 x f64>
      !v = !gyre.tensor<4 x f64>
      gyre.func @f(%w: !w, %x: !x, %v: !v) -> (u: !x) {
        %y = gyre.contract %w[k, d], %x[d, c] -> [r, c] with (r = 4) )" +
            first.text + R"( : !w, !x
        %z = gyre.contract %y[r, c], %v[s] -> [s, c] )" +
            second.text + R"( : !x, !v
        %u = gyre.contract %z[s, c] -> [t, c] with (t = 4) )" +
            third.text + R"( : !x
        gyre.return %u : !x
      })",
        &context);
    ASSERT_TRUE(module);
    addDerivative(*module, "first", "g");
    addDerivative(*module, "second", "h");
    OwningOpRef<ModuleOp> simplified = module->clone();
    ASSERT_TRUE(succeeded(passes.run(*simplified)));
    auto before = cast<FuncOp>(*module->getOps<FuncOp>().begin());
    auto after = cast<FuncOp>(*simplified->getOps<FuncOp>().begin());
    merged += after.getBody().front().getOperations().size() <
              before.getBody().front().getOperations().size();

    for (FuncOp func : module->getOps<FuncOp>()) {
      std::vector<Argument> arguments = makeArguments(func, random);
      // The cotangents of gradients are read where these are written.
      auto fill = [&](StringRef argument, auto isRead) {
        for (std::string name : {argument.str(), "hg" + argument.str()})
          if (std::optional<unsigned> i = func.findArg(name))
            for (auto [j, value] :
                 llvm::enumerate(std::get<Array>(arguments[*i]).data))
              if (!isRead(j))
                value = std::nan("");
      };
      fill("w", [&](int64_t j) { return first.lists({1, 2}, {j / 4, j % 4}); });
      fill("x", [&](int64_t j) { return first.lists({2}, {j / 2}); });
      fill("v", [&](int64_t j) { return second.lists({1}, {j}); });
      fill("gu", [&](int64_t j) { return third.lists({1}, {j / 2}); });
      auto other = cast<FuncOp>(
          SymbolTable::lookupSymbolIn(*simplified, func.getSymName()));
      auto expected = interpret(func, arguments);
      auto got = interpret(other, arguments);
      ASSERT_TRUE(succeeded(expected) && succeeded(got));
      for (size_t i = 0; i < expected->size(); ++i) {
        StringRef name = func.getResName(i);
        const Array &a = (*expected)[i], &b = (*got)[i];
        for (int64_t j = 0; j < static_cast<int64_t>(a.data.size()); ++j) {
          SCOPED_TRACE(func.getSymName().str() + ", " + name.str() + ", cell " +
                       std::to_string(j));
          ASSERT_LE(std::abs(a.data[j] - b.data[j]),
                    1e-13 * (1 + std::abs(a.data[j])));
          bool listed = name == "u"    ? third.lists({1}, {j / 2})
                        : name == "gw" ? first.lists({1, 2}, {j / 4, j % 4})
                        : name == "gx" ? first.lists({2}, {j / 2})
                        : name == "gv" ? second.lists({1}, {j})
                                       : true;
          if (!listed) {
            ASSERT_TRUE(b.data[j] == 0 && !std::signbit(b.data[j]));
          }
        }
      }
    }
  }
  EXPECT_GT(merged, 250u);
}

TEST(Simplify, KeepsTheValuesOfRandomProgramsAndTheirDerivatives) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  PassManager passes(&context);
  passes.addPass(createSimplify());

  auto [opsBefore, opsAfter] = expectSameValues(context, passes, 1000);
  // The pass earns its name: it finds something to do in most programs.
  EXPECT_LT(opsAfter, opsBefore * 9 / 10);
}
} // namespace
