//===- gyre-lsp-server.cpp - Specs in an editor ---------------------------===//
//
// A language server: an editor starts it, and shows for files of Gyre what the
// parser and the verifiers say, definitions and uses of values and symbols, and
// types under the cursor. It speaks the Language Server Protocol on stdin and
// stdout; `--help` lists options for those who write plugins.
//
//===----------------------------------------------------------------------===//

#include "gyre/Pipelines.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  gyre::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
