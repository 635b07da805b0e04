//===- gyre-opt.cpp - Runs any pass on any file ---------------------------===//

#include "gyre/Pipelines.h"
#include "gyre/Transforms/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

/// Leaves to --help-hidden what LLVM's libraries bring along for compilers of
/// other languages, much of it without a word: their options stand when main
/// begins, those of MLIR and of Gyre do not yet.
static void hideOptionsOfLibraries() {
  for (auto [name, option] : llvm::cl::getRegisteredOptions())
    if (option->getOptionHiddenFlag() == llvm::cl::NotHidden &&
        !name.starts_with("help") && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
}

int main(int argc, char **argv) {
  hideOptionsOfLibraries();
  mlir::DialectRegistry registry;
  gyre::registerAllDialects(registry);
  gyre::registerGyrePasses();
  gyre::registerPipelines();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv,
      "gyre-opt: runs passes on a file\n\n"
      "  gyre-opt kernels/segment_sum.mlir --gyre-specialise=set=B=4\n"
      "  gyre-opt kernels/segment_sum.mlir --gyre-algebra='set=B=4 "
      "derive=segment_sum_bwd' \\\n"
      "      --gyre-plan-contractions --gyre-fuse --gyre-schedule=target=cuda "
      "--gyre-print-program\n"
      "  gyre-opt kernels/segment_sum.mlir --gyre-pipeline='set=B=4 "
      "lowering=fused' --mlir-timing\n\n"
      "What the passes of Gyre do and take: dialects/Gyre/Passes.td; pipelines "
      "have the options of gyrec.\n",
      registry));
}
