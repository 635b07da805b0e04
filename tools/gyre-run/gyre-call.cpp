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
  cl::extrahelp examples(R"(
EXAMPLES:

  gyre-call out/segment_sum.json --func segment_sum --in in --out out
      reads in/rows.npy and in/index.npy, writes out/out.npy
  gyre-call out/segment_sum.json --func segment_sum --random 1 --size N=1000,E=9000 --bench
      the time of a call, on random arguments
  gyre-call out/segment_sum.json --gradcheck
      whether its derivatives are right

Needs the kernel's library, libgyre_runtime.so and, for a GPU, its driver; nothing
else. Arrays are NumPy's, of the kernel's element types; those of bf16 are in f4.
)");
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { gyre::printVersion("gyre-call", os); });
  cl::ParseCommandLineOptions(
      argc, argv,
      "gyre-call: calls a compiled function on the arrays of a directory\n");
  flags.take(options);
  return options.gradcheck ? gyre::checkGradients(options)
                           : gyre::callKernel(options);
}
