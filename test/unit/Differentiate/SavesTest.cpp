//===- SavesTest.cpp - What crosses changes no value ----------------------===//
//
// Random declarations of `saves`, `exact` and `without`: the derivatives have
// the values of those without a declaration, and so has the second order once
// the derivatives in saved values are carried back through the primal.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"

#include "gyre/Differentiate/Differentiate.h"
#include "gyre/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace gyre;
using namespace gyre::test;

namespace {
using Names = std::vector<std::string>;
using Values = std::map<std::string, Argument>;

/// What a derivative is declared with.
struct Crossing {
  Names saves, exact, without;
};

class Saves : public ::testing::Test {
protected:
  Saves() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.printOpOnDiagnostic(false);
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        messages += diagnostic.str() + "\n";
      return success();
    });
  }

  int64_t below(int64_t n) { return random() % n; }
  Crossing randomCrossing(FuncOp func);
  std::string makeLayers();
  FuncOp derive(FuncOp primal, StringRef name, std::string gradient,
                std::string cotangent, const Crossing &crossing = {});
  Values call(FuncOp func, const Values &values);
  void checkSecondOrder(FuncOp primal, FuncOp plain, FuncOp saved,
                        Values values);

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::mt19937_64 random;
  std::string messages;
};
} // namespace

static Names getFloatArguments(FuncOp func) {
  Names names;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (isa<gyre::TensorType>(func.getArgumentTypes()[i]))
      names.push_back(func.getArgName(i).str());
  return names;
}

static Names getResults(FuncOp func) {
  Names names;
  for (unsigned i = 0; i < func.getResultTypes().size(); ++i)
    names.push_back(func.getResName(i).str());
  return names;
}

/// Per cell. Recovered values are rounded otherwise than computed ones, by
/// roundoffs of the values themselves, which are of size 1 or a few.
static void expectClose(const Argument &expected, const Argument &got,
                        const std::string &name) {
  const Array &a = std::get<Array>(expected), &b = std::get<Array>(got);
  ASSERT_EQ(a.shape, b.shape) << name;
  for (size_t i = 0; i < a.data.size(); ++i)
    ASSERT_LE(std::abs(a.data[i] - b.data[i]),
              1e-11 * (1 + std::abs(a.data[i])))
        << name << ", cell " << i << ": " << a.data[i] << ", " << b.data[i];
}

Crossing Saves::randomCrossing(FuncOp func) {
  Crossing crossing;
  for (const std::string &name : getResults(func))
    if (below(3) != 0)
      crossing.saves.push_back(name);
  for (const std::string &name : getFloatArguments(func))
    if (int64_t choice = below(3))
      (choice == 1 ? crossing.exact : crossing.without).push_back(name);
  return crossing;
}

/// A function of smooth ops and of sums and differences, which have inverses.
std::string Saves::makeLayers() {
  std::string body;
  Names values = {"%x", "%b"};
  auto pick = [&] { return values[below(values.size())]; };
  for (int64_t i = 0, count = 4 + below(6); i < count; ++i) {
    std::string name = "%v" + std::to_string(i);
    body += name + " = ";
    switch (below(6)) {
    case 0:
      body += "gyre.contract " + pick() + "[e, i], %w[i, o] -> [e, o] : !u, !w";
      break;
    case 1:
      body += "math.tanh " + pick() + " : !u";
      break;
    case 2:
      body += "math.sin " + pick() + " : !u";
      break;
    default:
      body += below(2) ? "arith.addf " : "arith.subf ";
      body += pick() + ", " + pick() + " : !u";
    }
    body += "\n";
    values.push_back(name);
  }
  body += "gyre.return " + values.back() + ", " + pick() + ", " + pick();
  return "!u = !gyre.tensor<E x 3 x f64>\n!w = !gyre.tensor<3 x 3 x f64>\n"
         "gyre.func @f(%x: !u, %w: !w, %b: !u) -> (p: !u, q: !u, r: !u) {\n" +
         body + " : !u, !u, !u\n}\n";
}

/// The VJP in all float arguments, of all results; null, and only for want of a
/// value, where it cannot be had.
FuncOp Saves::derive(FuncOp primal, StringRef name, std::string gradient,
                     std::string cotangent, const Crossing &crossing) {
  Operation *scope = primal->getParentOp();
  OpBuilder b = OpBuilder::atBlockEnd(primal->getBlock());
  auto names = [&](const Names &from, const std::string &prefix = "") {
    return b.getArrayAttr(llvm::map_to_vector(from, [&](const auto &name) {
      return cast<Attribute>(b.getStringAttr(prefix + name));
    }));
  };
  Names wrt = getFloatArguments(primal), given = getResults(primal);
  auto declared = DeriveOp::create(
      b, primal.getLoc(), name, primal.getSymName(), names(wrt),
      names(wrt, gradient), names(given), names(given, cotangent),
      names(crossing.saves), names(crossing.exact), names(crossing.without),
      PrecisionAttr());
  messages.clear();
  if (succeeded(carryOutDerivatives(scope))) {
    EXPECT_TRUE(succeeded(verify(scope))) << messages;
    return cast<FuncOp>(SymbolTable::lookupSymbolIn(scope, name));
  }
  EXPECT_EQ(messages.rfind("[derive-missing]", 0), 0u) << messages;
  declared.erase();
  return {};
}

/// The results of a function by name, whose arguments are among `values`.
Values Saves::call(FuncOp func, const Values &values) {
  std::vector<Argument> arguments;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    arguments.push_back(values.at(func.getArgName(i).str()));
  FailureOr<std::vector<Array>> got = interpret(func, arguments, getSizes());
  EXPECT_TRUE(succeeded(got)) << messages;
  Values results;
  if (succeeded(got))
    for (auto [name, array] : llvm::zip_equal(getResults(func), *got))
      results[name] = array;
  return results;
}

static Values drawValues(FuncOp func, std::mt19937_64 &random) {
  Values values;
  for (auto [i, value] : llvm::enumerate(makeArguments(func, random)))
    values[func.getArgName(i).str()] = value;
  return values;
}

/// Total derivatives: `saved` depends on the primal's arguments also through
/// the saved results.
void Saves::checkSecondOrder(FuncOp primal, FuncOp plain, FuncOp saved,
                             Values values) {
  FuncOp plain2 = derive(plain, "plain2", "d", "h");
  FuncOp saved2 = derive(saved, "saved2", "d", "h");
  ASSERT_TRUE(plain2 && saved2) << messages;
  values.merge(drawValues(plain2, random)); // cotangents; others are there
  values.merge(drawValues(saved2, random));
  Values expected = call(plain2, values), got = call(saved2, values);

  // The saved results' derivatives are cotangents of the primal.
  Values cotangents = values;
  for (const std::string &name : getResults(primal)) {
    Array &cotangent = std::get<Array>(cotangents["g" + name]);
    auto derivative = got.find("d" + name);
    if (derivative != got.end())
      cotangent = std::get<Array>(derivative->second);
    else
      llvm::fill(cotangent.data, 0.0);
  }
  Values carried = call(plain, cotangents);
  for (const std::string &name : getFloatArguments(primal)) {
    Array total = std::get<Array>(carried.at("g" + name));
    auto direct = got.find("d" + name);
    for (size_t i = 0; direct != got.end() && i < total.data.size(); ++i)
      total.data[i] += std::get<Array>(direct->second).data[i];
    auto whole = expected.find("d" + name);
    if (whole != expected.end())
      expectClose(whole->second, total, "d" + name);
    else
      expectClose(Array{total.shape, std::vector<double>(total.data.size())},
                  total, "d" + name);
  }
  // The first order is linear in its cotangents: nothing is carried back.
  for (const std::string &name : getResults(primal))
    if (expected.count("dg" + name) && got.count("dg" + name))
      expectClose(expected.at("dg" + name), got.at("dg" + name), "dg" + name);
}

TEST_F(Saves, ChangeNoValueOfEitherOrder) {
  uint64_t carriedOut = 0, recovered = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    random.seed(seed);
    std::string text = makeLayers();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << messages;
    FuncOp primal = *module->getOps<FuncOp>().begin();
    Crossing crossing = randomCrossing(primal);
    FuncOp plain = derive(primal, "plain", "g", "g");
    FuncOp saved = derive(primal, "saved", "g", "g", crossing);
    ASSERT_TRUE(plain);
    if (!saved)
      continue;
    ++carriedOut;
    for (const std::string &name : crossing.without)
      EXPECT_FALSE(saved.findArg(name)) << name;

    Values values = drawValues(primal, random);
    values.merge(call(primal, values));
    values.merge(drawValues(plain, random));
    Values expected = call(plain, values);
    for (auto &[name, gradient] : call(saved, values))
      expectClose(expected.at(name), gradient, name);
    recovered += llvm::any_of(saved.getBody().getOps(), [&](Operation &op) {
      return isa<arith::SubFOp, arith::AddFOp>(op) &&
             llvm::any_of(op.getOperands(), [&](Value v) {
               auto argument = dyn_cast<BlockArgument>(v);
               return argument &&
                      primal.findRes(saved.getArgName(argument.getArgNumber()));
             });
    });
    checkSecondOrder(primal, plain, saved, values);
    if (HasFailure())
      return;
  }
  std::printf("%llu carried out, %llu of them with recovered values\n",
              static_cast<unsigned long long>(carriedOut),
              static_cast<unsigned long long>(recovered));
  EXPECT_GT(carriedOut, 500u);
  EXPECT_GT(recovered, 50u);
}

TEST_F(Saves, ChangeNoValueOfRandomCompositions) {
  uint64_t carriedOut = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    random.seed(seed);
    RandomProgram program = makeRandomProgram(context, random);
    SCOPED_TRACE("seed " + std::to_string(seed));
    FuncOp plain = derive(program.func, "plain", "g", "g");
    FuncOp saved =
        derive(program.func, "saved", "g", "g", randomCrossing(program.func));
    ASSERT_TRUE(plain);
    if (!saved)
      continue;
    ++carriedOut;
    Values values = drawValues(program.func, random);
    values.merge(call(program.func, values));
    values.merge(drawValues(plain, random));
    Values expected = call(plain, values);
    for (auto &[name, gradient] : call(saved, values))
      expectClose(expected.at(name), gradient, name);
    if (HasFailure())
      return;
  }
  EXPECT_GT(carriedOut, 100u);
}
