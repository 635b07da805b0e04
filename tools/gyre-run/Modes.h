//===- Modes.h - What gyre-run does -----------------------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_MODES_H
#define GYRE_TOOLS_GYRE_RUN_MODES_H

#include <string>
#include <vector>

namespace gyre {

/// The command line.
struct RunOptions {
  std::string input;
  std::string func;
  std::string in;
  std::string out;
  std::string spec;
  std::vector<std::string> set;
  std::vector<std::string> size;
};

/// Prints `gyre-run: error: ` and the message; returns the exit status.
int reportError(const std::string &message);

/// Evaluates a function of a spec file in fp64; returns the exit status.
int interpretSpec(const RunOptions &options);

/// Calls a compiled function, which `input`, a manifest, describes; returns the
/// exit status.
int callKernel(const RunOptions &options);

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_MODES_H
