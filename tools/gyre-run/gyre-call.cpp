//===- gyre-call.cpp - Calls compiled functions, anywhere -----------------===//

#include "CallFlags.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

int gyre::reportError(const std::string &message) {
  llvm::errs() << "gyre-call: error: " << message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  gyre::RunOptions options;
  cl::OptionCategory category("Options of gyre-call");
  cl::opt<std::string, true> input(
      cl::Positional, cl::Required, cl::desc("<manifest of gyrec>"),
      cl::location(options.input), cl::cat(category));
  gyre::CallFlags flags(options, category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "gyre-call: calls a compiled function on the arrays of a directory\n\n"
      "  gyre-call out/segment_sum.json --func segment_sum --in in --out out\n"
      "  gyre-call out/segment_sum.json --func segment_sum --random 1 --size "
      "N=1000,E=9000 --bench\n\n"
      "Needs the kernel's library, libgyre_runtime.so and, for a GPU, its "
      "driver; nothing\nelse. Arrays are NumPy's, of the kernel's element "
      "types "
      "(f4 for bf16).\n");
  flags.take(options);
  return gyre::callKernel(options);
}
