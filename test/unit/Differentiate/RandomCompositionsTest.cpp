//===- RandomCompositionsTest.cpp - Rules against differences -------------===//
//
// Random compositions of the primitives are differentiated twice; both
// derivatives are compared with differences of the interpreter's values.
//
//===----------------------------------------------------------------------===//

#include "Differences.h"
#include "RandomProgram.h"

#include "gyre/Differentiate/Differentiate.h"
#include "gyre/InitAll.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace mlir;
using namespace gyre;
using namespace gyre::test;

namespace {
/// An op and one of its operands: what a rule gives a gradient of.
using RuleKey = std::pair<std::string, unsigned>;

/// Every gradient that some rule can give.
const std::vector<RuleKey> kRules = {
    {"arith.addf", 0},     {"arith.addf", 1},       {"arith.subf", 0},
    {"arith.subf", 1},     {"arith.mulf", 0},       {"arith.mulf", 1},
    {"arith.divf", 0},     {"arith.divf", 1},       {"arith.negf", 0},
    {"gyre.select", 1},    {"gyre.select", 2},      {"arith.maximumf", 0},
    {"arith.maximumf", 1}, {"arith.minimumf", 0},   {"arith.minimumf", 1},
    {"math.exp", 0},       {"math.log", 0},         {"math.sqrt", 0},
    {"math.rsqrt", 0},     {"math.tanh", 0},        {"math.sin", 0},
    {"math.cos", 0},       {"math.absf", 0},        {"math.powf", 0},
    {"math.powf", 1},      {"gyre.sigmoid", 0},     {"gyre.silu", 0},
    {"gyre.gather", 0},    {"gyre.segment_sum", 0}, {"gyre.contract", 0},
    {"gyre.contract", 1},  {"gyre.contract", 2},    {"gyre.slice", 0},
    {"gyre.pad", 0},       {"gyre.concat", 0},      {"gyre.concat", 1},
    {"gyre.max_slot", 0},  {"gyre.select_slot", 0}, {"gyre.spread_slot", 0},
    {"gyre.convert", 0}};

class RandomCompositions : public ::testing::Test {
protected:
  RandomCompositions() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Declares and builds the derivative of `primal` in all its float arguments.
  FuncOp derive(FuncOp primal, StringRef name, StringRef gradientPrefix,
                StringRef cotangentPrefix, GradientObserver observer) {
    OpBuilder builder = OpBuilder::atBlockEnd(primal->getBlock());
    SmallVector<Attribute> wrt, wrtNames, given, givenNames;
    auto add = [&](StringRef prefix, StringRef from, auto &names,
                   auto &renamed) {
      names.push_back(builder.getStringAttr(from));
      renamed.push_back(builder.getStringAttr(prefix + from));
    };
    for (unsigned i = 0; i < primal.getArgumentTypes().size(); ++i)
      if (isa<gyre::TensorType>(primal.getArgumentTypes()[i]))
        add(gradientPrefix, primal.getArgName(i), wrt, wrtNames);
    for (unsigned i = 0; i < primal.getResultTypes().size(); ++i)
      add(cotangentPrefix, primal.getResName(i), given, givenNames);
    DeriveOp::create(builder, primal.getLoc(), name, primal.getSymName(),
                     builder.getArrayAttr(wrt), builder.getArrayAttr(wrtNames),
                     builder.getArrayAttr(given),
                     builder.getArrayAttr(givenNames), /*saves=*/ArrayAttr(),
                     /*exact=*/ArrayAttr(), /*without=*/ArrayAttr(),
                     /*precision=*/PrecisionAttr());
    Operation *module = primal->getParentOp();
    if (failed(carryOutDerivatives(module, observer)) || failed(verify(module)))
      return {};
    return cast<FuncOp>(SymbolTable::lookupSymbolIn(module, name));
  }

  /// Both orders of one program; the worse of the two verdicts.
  Verdict check(uint64_t seed, GradientObserver observer,
                std::string *report = nullptr) {
    std::mt19937_64 random(seed);
    RandomProgram program = makeRandomProgram(context, random);
    if (failed(verify(*program.module)))
      return Verdict::differs;
    FuncOp first = derive(program.func, "first", "g", "g", observer);
    FuncOp second =
        first ? derive(first, "second", "d", "h", observer) : FuncOp();
    if (!second)
      return Verdict::differs;
    Verdict worst = Verdict::inconclusive;
    // Away from kinks the verdict is clear; a few points find such a place.
    for (int attempt = 0; attempt < 4; ++attempt) {
      std::vector<Argument> arguments = makeArguments(program.func, random);
      Comparison one = compareWithDifferences(program.func, first, arguments,
                                              "g", "g", random);
      std::vector<Argument> more;
      std::vector<Argument> fresh = makeArguments(first, random);
      for (unsigned i = 0; i < first.getArgumentTypes().size(); ++i) {
        std::optional<unsigned> same =
            program.func.findArg(first.getArgName(i));
        more.push_back(same ? arguments[*same] : fresh[i]);
      }
      Comparison two =
          compareWithDifferences(first, second, more, "d", "h", random);
      worst = std::max(one.verdict, two.verdict);
      if (worst == Verdict::differs && report) {
        llvm::raw_string_ostream os(*report);
        os << "order 1: differences " << one.differences << ", derivative "
           << one.derivative << "; order 2: " << two.differences << ", "
           << two.derivative << "\n"
           << *program.module;
      }
      if (worst != Verdict::inconclusive)
        break;
    }
    return worst;
  }

  MLIRContext context;
};

uint64_t getCount() {
  const char *text = std::getenv("GYRE_RANDOM_PROGRAMS");
  return text ? std::strtoull(text, nullptr, 10) : 1000;
}

TEST_F(RandomCompositions, AgreeWithDifferencesToSecondOrder) {
  std::map<RuleKey, uint64_t> hits;
  auto count = [&](OpBuilder &, Operation *op, unsigned operand, Value &) {
    ++hits[{op->getName().getStringRef().str(), operand}];
  };
  uint64_t inconclusive = 0, total = getCount();
  for (uint64_t seed = 0; seed < total; ++seed) {
    std::string report;
    Verdict verdict = check(seed, count, &report);
    ASSERT_NE(verdict, Verdict::differs) << "seed " << seed << "\n" << report;
    inconclusive += verdict == Verdict::inconclusive;
  }
  EXPECT_LE(inconclusive, total / 100 + 1);
  for (const RuleKey &rule : kRules)
    EXPECT_GT(hits[rule], 0u) << rule.first << " operand " << rule.second;
  for (const auto &[rule, number] : hits) {
    std::printf("%-20s operand %u: %llu\n", rule.first.c_str(), rule.second,
                static_cast<unsigned long long>(number));
    EXPECT_TRUE(llvm::is_contained(kRules, rule))
        << rule.first << " operand " << rule.second << " is not listed";
  }
  std::printf("%llu programs, %llu inconclusive\n",
              static_cast<unsigned long long>(total),
              static_cast<unsigned long long>(inconclusive));
}

/// An op with a rule that nothing above would hit is not forgotten.
TEST_F(RandomCompositions, KnowEachOpThatHasARule) {
  std::set<std::string> listed, have;
  for (const RuleKey &rule : kRules)
    listed.insert(rule.first);
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.hasInterface<DifferentiableOpInterface>())
      have.insert(op.getStringRef().str());
  EXPECT_EQ(listed, have);
}

class SeededFault : public RandomCompositions,
                    public ::testing::WithParamInterface<RuleKey> {};

/// A gradient that is off by 1 % is noticed, whichever rule gives it.
TEST_P(SeededFault, IsCaught) {
  auto spoil = [&](OpBuilder &builder, Operation *op, unsigned operand,
                   Value &gradient) {
    if (RuleKey(op->getName().getStringRef().str(), operand) != GetParam())
      return;
    Value factor = ConstantOp::create(builder, op->getLoc(), gradient.getType(),
                                      builder.getF64FloatAttr(1.01));
    gradient = arith::MulFOp::create(builder, op->getLoc(), gradient, factor);
  };
  for (uint64_t seed = 0; seed < 2000; ++seed)
    if (check(seed, spoil) == Verdict::differs)
      return;
  FAIL() << "no program noticed the fault";
}

INSTANTIATE_TEST_SUITE_P(EachRule, SeededFault, ::testing::ValuesIn(kRules),
                         [](const auto &info) {
                           std::string name = info.param.first + "_" +
                                              std::to_string(info.param.second);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });
} // namespace
