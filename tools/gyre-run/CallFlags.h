//===- CallFlags.h - Options of the tools that call kernels -----*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_CALLFLAGS_H
#define GYRE_TOOLS_GYRE_RUN_CALLFLAGS_H

#include "Modes.h"

#include "gyre/runtime.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace gyre {

inline void printVersion(llvm::StringRef tool, llvm::raw_ostream &os) {
  os << tool << " " << GYRE_VERSION_MAJOR << "." << GYRE_VERSION_MINOR << "."
     << GYRE_VERSION_PATCH << "\n";
}

/// Declares the options; `take` after the command line has been read.
struct CallFlags {
  explicit CallFlags(RunOptions &options, llvm::cl::OptionCategory &category)
      : func("func",
             llvm::cl::desc("The function to run, or the derivative to check"),
             llvm::cl::value_desc("NAME"), llvm::cl::location(options.func),
             llvm::cl::cat(category)),
        in("in", llvm::cl::desc("Where <argument>.npy are read"),
           llvm::cl::value_desc("DIRECTORY"), llvm::cl::location(options.in),
           llvm::cl::cat(category)),
        out("out", llvm::cl::desc("Where <result>.npy are written"),
            llvm::cl::value_desc("DIRECTORY"), llvm::cl::location(options.out),
            llvm::cl::cat(category)),
        size("size", llvm::cl::CommaSeparated,
             llvm::cl::desc("Runtime sizes that no tensor argument has; with "
                            "--random all of them"),
             llvm::cl::value_desc("NAME=VALUE,..."), llvm::cl::cat(category)),
        random("random",
               llvm::cl::desc("Make the arguments up in place of --in: floats "
                              "uniform in [-1, 1), maps as --references "
                              "says"),
               llvm::cl::value_desc("SEED"), llvm::cl::location(options.random),
               llvm::cl::cat(category)),
        references(
            "references",
            llvm::cl::desc("To which nodes the maps of --random refer"),
            llvm::cl::values(
                clEnumValN(References::Uniform, "uniform",
                           "to all alike (default)"),
                clEnumValN(References::PowerLaw, "power-law",
                           "to node k about in proportion to 1 / (k + 1)"),
                clEnumValN(References::Hub, "hub",
                           "nine of ten to node 0, others to all alike"),
                clEnumValN(References::Sorted, "sorted",
                           "to all alike, in ascending order")),
            llvm::cl::location(options.references), llvm::cl::cat(category)),
        device("device",
               llvm::cl::desc("Number of the CUDA device (default: 0)"),
               llvm::cl::value_desc("N"), llvm::cl::location(options.device),
               llvm::cl::cat(category)),
        bench("bench",
              llvm::cl::desc("Time the function as well: on a GPU by events, "
                             "on the CPU by a clock; runs take turns on copies "
                             "of the operands that exceed twice the last "
                             "cache"),
              llvm::cl::location(options.bench), llvm::cl::cat(category)),
        graph(
            "graph",
            llvm::cl::desc("Run, and time, a CUDA graph that the function was "
                           "recorded in"),
            llvm::cl::location(options.graph), llvm::cl::cat(category)),
        repeat("repeat",
               llvm::cl::desc("Run N times, with results and workspace spoilt "
                              "before each, and fail unless all runs give the "
                              "bits of the first (which is never a graph's)"),
               llvm::cl::value_desc("N"), llvm::cl::location(options.repeat),
               llvm::cl::cat(category)),
        load("load",
             llvm::cl::desc("Before each run of --repeat, enqueue other calls "
                            "of the function, on operands of their own and "
                            "another stream"),
             llvm::cl::location(options.load), llvm::cl::cat(category)),
        keepMemory(
            "keep-memory",
            llvm::cl::desc("Do not spoil results and workspace, for tools that "
                           "see what was never written, such as "
                           "compute-sanitizer"),
            llvm::cl::location(options.keepMemory), llvm::cl::cat(category)),
        gradcheck(
            "gradcheck",
            llvm::cl::desc("Check all derivatives of a library of f32 or f64 "
                           "by central differences, adjoints and symmetry; "
                           "arguments that are not in --in are made up, as "
                           "are sizes that --size lacks"),
            llvm::cl::location(options.gradcheck), llvm::cl::cat(category)),
        runs("runs", llvm::cl::desc("Runs of --bench (default: 100)"),
             llvm::cl::value_desc("N"), llvm::cl::location(options.runs),
             llvm::cl::cat(category)),
        bytes("bytes",
              llvm::cl::desc("Bytes that GB/s of --bench count (default: each "
                             "tensor once, and 4 for an entry of a map)"),
              llvm::cl::value_desc("N"), llvm::cl::location(options.bytes),
              llvm::cl::cat(category)),
        json(
            "json",
            llvm::cl::desc("Write the times of --bench as JSON, to a file or - "
                           "for stdout"),
            llvm::cl::value_desc("FILE"), llvm::cl::location(options.json),
            llvm::cl::cat(category)) {}

  void take(RunOptions &options) const {
    options.size.assign(size.begin(), size.end());
  }

  using Text = llvm::cl::opt<std::string, true>;
  using Number = llvm::cl::opt<int64_t, true>;
  Text func, in, out;
  llvm::cl::list<std::string> size;
  Text random;
  llvm::cl::opt<References, true> references;
  llvm::cl::opt<int, true> device;
  llvm::cl::opt<bool, true> bench, graph;
  Number repeat;
  llvm::cl::opt<bool, true> load, keepMemory, gradcheck;
  Number runs, bytes;
  Text json;
};

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_CALLFLAGS_H
