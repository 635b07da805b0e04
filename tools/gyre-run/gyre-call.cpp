//===- gyre-call.cpp - Calls compiled functions, anywhere -----------------===//

#include "CallFlags.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <iostream>

namespace cl = llvm::cl;

static constexpr const char *kOverview =
    "gyre-call: calls a compiled function on the arrays of a directory\n";

int gyre::reportError(const std::string &message) {
  llvm::errs() << "gyre-call: error: " << message << "\n";
  return 1;
}

static int run(gyre::RunOptions &options, const gyre::CallFlags &flags) {
  if (options.input.empty())
    return gyre::reportError("[run-mode] expected a manifest, got none");
  flags.take(options);
  return options.gradcheck ? gyre::checkGradients(options)
                           : gyre::callKernel(options);
}

/// What a process sets up once, as the context of a GPU, is there for all of
/// the calls.
static int serve(const char *program, gyre::RunOptions &options,
                 const gyre::CallFlags &flags) {
  for (std::string line; std::getline(std::cin, line);) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(line).split(words, '\t', -1, /*KeepEmpty=*/false);
    std::vector<std::string> texts(words.begin(), words.end());
    std::vector<const char *> arguments = {program};
    for (const std::string &text : texts)
      arguments.push_back(text.c_str());
    cl::ResetAllOptionOccurrences();
    bool isRead =
        cl::ParseCommandLineOptions(static_cast<int>(arguments.size()),
                                    arguments.data(), kOverview, &llvm::errs());
    int status = isRead ? run(options, flags) : 1;
    llvm::errs().flush();
    llvm::outs() << "gyre-call: status " << status << "\n";
    llvm::outs().flush();
  }
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  gyre::RunOptions options;
  cl::OptionCategory category("Options of gyre-call");
  cl::opt<std::string, true> input(
      cl::Positional, cl::desc("<manifest of gyrec>"),
      cl::location(options.input), cl::cat(category));
  cl::opt<bool> serves(
      "serve",
      cl::desc("Take calls from stdin in one process: a line each, its words "
               "apart by tabs; after what a call prints comes a line "
               "`gyre-call: status N`"),
      cl::cat(category));
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
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  return serves ? serve(argv[0], options, flags) : run(options, flags);
}
