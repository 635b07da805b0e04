//===- gyre-opt.cpp - Runs any pass on any file ---------------------------===//

#include "gyre/InitAll.h"
#include "gyre/Pipelines.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  gyre::registerDialects(registry);
  gyre::registerLoweredDialects(registry);
  gyre::registerDeviceDialects(registry);
  gyre::registerGyrePasses();
  gyre::registerPipelines();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Gyre optimizer driver\n", registry));
}
