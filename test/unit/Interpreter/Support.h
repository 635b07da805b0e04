//===- Support.h - Functions from text, run on arrays -----------*- C++ -*-===//

#ifndef GYRE_TEST_UNIT_INTERPRETER_SUPPORT_H
#define GYRE_TEST_UNIT_INTERPRETER_SUPPORT_H

#include "gyre/InitAll.h"
#include "gyre/Interpreter/Interpreter.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <limits>

namespace gyre::test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

using Sizes = llvm::StringMap<int64_t>;

inline Array array(std::initializer_list<int64_t> shape,
                   std::vector<double> data) {
  return Array{shape, std::move(data)};
}

inline IndexMap map(std::initializer_list<int64_t> axes, int64_t target,
                    std::vector<int64_t> index) {
  return IndexMap{axes, target, /*padded=*/false, std::move(index)};
}

inline IndexMap paddedMap(std::initializer_list<int64_t> axes, int64_t target,
                          std::vector<int64_t> index) {
  return IndexMap{axes, target, /*padded=*/true, std::move(index)};
}

class InterpreterTest : public ::testing::Test {
protected:
  InterpreterTest() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.printOpOnDiagnostic(false);
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
          return mlir::success();
        });
  }

  /// Runs the one function of a module; no results where there is an error.
  std::vector<Array> run(const std::string &text,
                         std::vector<Argument> arguments,
                         const Sizes &sizes = {}) {
    messages.clear();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    if (!module)
      return {};
    FuncOp func = *module->getOps<FuncOp>().begin();
    mlir::FailureOr<std::vector<Array>> results =
        interpret(func, arguments, sizes);
    EXPECT_EQ(mlir::succeeded(results), messages.empty()) << messages;
    return mlir::succeeded(results) ? *results : std::vector<Array>();
  }

  /// Expects one result of these values.
  void expectResult(const std::string &text, std::vector<Argument> arguments,
                    const Array &expected, const Sizes &sizes = {}) {
    std::vector<Array> results = run(text, std::move(arguments), sizes);
    EXPECT_EQ(messages, "");
    ASSERT_EQ(results.size(), 1u);
    expectEqual(results[0], expected);
  }

  void expectEqual(const Array &actual, const Array &expected) {
    EXPECT_EQ(actual.shape, expected.shape);
    ASSERT_EQ(actual.data.size(), expected.data.size());
    for (size_t i = 0; i < expected.data.size(); ++i) {
      if (std::isnan(expected.data[i]))
        EXPECT_TRUE(std::isnan(actual.data[i])) << "at " << i;
      else
        EXPECT_EQ(actual.data[i], expected.data[i]) << "at " << i;
    }
  }

  /// Expects one error with exactly this message.
  void expectError(const std::string &text, std::vector<Argument> arguments,
                   const std::string &message, const Sizes &sizes = {}) {
    EXPECT_TRUE(run(text, std::move(arguments), sizes).empty());
    EXPECT_EQ(messages, message + "\n");
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string messages;
};

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_INTERPRETER_SUPPORT_H
