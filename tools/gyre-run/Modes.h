//===- Modes.h - What gyre-run and gyre-call do -----------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_MODES_H
#define GYRE_TOOLS_GYRE_RUN_MODES_H

#include "References.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre {

/// The command line.
struct RunOptions {
  std::string input;
  std::string func;
  std::string in;
  std::string out;
  std::vector<std::string> size;

  // Of --interpret.
  std::string spec;
  std::vector<std::string> set;

  // Of calls.
  std::string random; // a seed, "" for none
  References references = References::Uniform;
  int device = 0;
  bool bench = false;
  bool graph = false;
  bool gradcheck = false;
  int64_t repeat = 0; // 0: do not compare runs
  bool load = false;
  bool keepMemory = false;
  int64_t runs = 100;
  int64_t bytes = 0; // 0: what the operands have
  std::string json;
};

/// Prints the tool's name, `: error: ` and the message; returns the exit
/// status.
int reportError(const std::string &message);

/// Evaluates a function of a spec file in fp64; returns the exit status.
int interpretSpec(const RunOptions &options);

/// Calls a compiled function, which `input`, a manifest, describes; returns the
/// exit status.
int callKernel(const RunOptions &options);

/// Checks the derivatives of a library, which `input`, a manifest, describes;
/// returns the exit status, 0 if all are right.
int checkGradients(const RunOptions &options);

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_MODES_H
