//===- gyre-run.cpp - Runs a function on array files ----------------------===//

#include "CallFlags.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

int gyre::reportError(const std::string &message) {
  llvm::errs() << "gyre-run: error: " << message << "\n";
  return 1;
}

static int interpret(const gyre::RunOptions &options) {
  if (options.func.empty())
    return gyre::reportError(
        "[run-mode] expected --func with --interpret, got none");
  if (options.in.empty() || options.out.empty())
    return gyre::reportError(
        "[run-mode] expected --in and --out with --interpret, got none");
  if (options.bench || options.repeat || options.gradcheck ||
      !options.random.empty() ||
      options.references != gyre::References::Uniform)
    return gyre::reportError("[run-mode] expected a manifest for --bench, "
                             "--repeat, --gradcheck, --random and "
                             "--references, got --interpret");
  return gyre::interpretSpec(options);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  gyre::RunOptions options;
  cl::OptionCategory category("Options of gyre-run");
  cl::opt<std::string, true> input(
      cl::Positional, cl::Required,
      cl::desc("<spec file, or manifest of gyrec>"),
      cl::location(options.input), cl::cat(category));
  cl::opt<bool> interpreting(
      "interpret",
      cl::desc("Evaluate a spec's function in fp64; without "
               "this, call the manifest's library"),
      cl::cat(category));
  gyre::CallFlags flags(options, category);
  cl::list<std::string> set(
      "set", cl::CommaSeparated,
      cl::desc("Values of the spec's parameters, with --interpret"),
      cl::value_desc("NAME=VALUE,..."), cl::cat(category));
  cl::opt<std::string, true> spec(
      "spec", cl::desc("The spec, where the file has several"),
      cl::value_desc("NAME"), cl::location(options.spec), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::extrahelp examples(R"(
EXAMPLES:

  gyre-run --interpret kernels/segment_sum.mlir --set B=4 --func segment_sum --in in --out out
      reads in/rows.npy and in/index.npy, writes out/out.npy, computed in fp64
  gyre-run out/segment_sum.json --func segment_sum --in in --out out
      the same by the library that gyrec has compiled, in the kernel's element types
  gyre-run out/segment_sum.json --func segment_sum --random 1 --size N=1000,E=9000 --bench
      the time of a call, on random arguments
  gyre-run out/segment_sum.json --gradcheck
      whether its derivatives are right

Arrays are NumPy's; those of bf16 are in f4. gyre-call does the same for
manifests and needs no library of LLVM.
)");
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { gyre::printVersion("gyre-run", os); });
  cl::ParseCommandLineOptions(
      argc, argv, "gyre-run: runs a function on the arrays of a directory\n");
  flags.take(options);
  options.set.assign(set.begin(), set.end());

  if (interpreting)
    return interpret(options);
  if (!llvm::StringRef(options.input).ends_with(".json"))
    return gyre::reportError("[run-mode] expected --interpret and a spec, or a "
                             "manifest <spec>.json, got " +
                             options.input);
  return options.gradcheck ? gyre::checkGradients(options)
                           : gyre::callKernel(options);
}
