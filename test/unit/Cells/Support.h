//===- Support.h - Kernels from text --------------------------*- C++ -*-===//

#ifndef GYRE_TEST_UNIT_CELLS_SUPPORT_H
#define GYRE_TEST_UNIT_CELLS_SUPPORT_H

#include "gyre/Cells/Order.h"
#include "gyre/InitAll.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace gyre::test {

class CellsTest : public ::testing::Test {
protected:
  CellsTest() {
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

  /// The first kernel of a module.
  KernelOp parse(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    KernelOp kernel;
    if (module)
      module->walk([&](KernelOp op) { kernel = kernel ? kernel : op; });
    return kernel;
  }

  /// The op of a kernel's body at a position.
  static mlir::Operation *at(KernelOp kernel, unsigned position) {
    return &*std::next(kernel.getBody().front().begin(), position);
  }
  static mlir::Value valueAt(KernelOp kernel, unsigned position) {
    return at(kernel, position)->getResult(0);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string messages;
};

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_CELLS_SUPPORT_H
