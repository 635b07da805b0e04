//===- gyre-run.cpp - Runs a function on array files ----------------------===//

#include "Modes.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

int gyre::reportError(const std::string &message) {
  llvm::errs() << "gyre-run: error: " << message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  gyre::RunOptions options;
  cl::OptionCategory category("gyre-run options");
  cl::opt<std::string, true> input(
      cl::Positional, cl::Required,
      cl::desc("<spec file, or manifest of gyrec>"),
      cl::location(options.input), cl::cat(category));
  cl::opt<bool> interpret(
      "interpret",
      cl::desc("evaluate a spec's function in fp64; without "
               "this, call the manifest's library"),
      cl::cat(category));
  cl::opt<std::string, true> func(
      "func", cl::Required, cl::desc("the function to run"),
      cl::value_desc("name"), cl::location(options.func), cl::cat(category));
  cl::opt<std::string, true> in(
      "in", cl::Required, cl::desc("where <argument>.npy are read"),
      cl::value_desc("directory"), cl::location(options.in), cl::cat(category));
  cl::opt<std::string, true> out("out", cl::Required,
                                 cl::desc("where <result>.npy are written"),
                                 cl::value_desc("directory"),
                                 cl::location(options.out), cl::cat(category));
  cl::list<std::string> size(
      "size", cl::CommaSeparated,
      cl::desc("runtime sizes that no tensor argument has"),
      cl::value_desc("name=value,..."), cl::cat(category));
  cl::list<std::string> set(
      "set", cl::CommaSeparated, cl::desc("values of the spec's parameters"),
      cl::value_desc("name=value,..."), cl::cat(category));
  cl::opt<std::string, true> spec(
      "spec", cl::desc("the spec, where the file has several"),
      cl::value_desc("name"), cl::location(options.spec), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "runs a function on the arrays of a directory\n\n"
                              "Arrays are NumPy's, of the kernel's element "
                              "types (f4 for bf16).\n");
  options.size.assign(size.begin(), size.end());
  options.set.assign(set.begin(), set.end());

  if (interpret)
    return gyre::interpretSpec(options);
  if (!llvm::StringRef(options.input).ends_with(".json"))
    return gyre::reportError("[run-mode] expected --interpret and a spec, or a "
                             "manifest <spec>.json, got " +
                             options.input);
  return gyre::callKernel(options);
}
