//===- Call.h - Calls of compiled functions ---------------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_CALL_H
#define GYRE_TOOLS_GYRE_RUN_CALL_H

#include "HostArrays.h"
#include "Inputs.h"
#include "Machine.h"

#include <deque>

namespace gyre {

/// What a call takes from the library, and from the runtime that it brings in.
struct Library {
  int32_t (*packed)(void *const *, const gyre_context *) = nullptr;
  int32_t (*workspace)(const int64_t *, int64_t *) = nullptr;
  decltype(&gyre_last_error) lastError = nullptr;
  decltype(&gyre_map_bytes) mapBytes = nullptr;
  decltype(&gyre_map_build) mapBuild = nullptr;
  decltype(&gyre_map_to_cuda) mapToCuda = nullptr;

  /// It stays loaded until the process ends.
  llvm::Error load(const CompiledFunction &function);
  llvm::Error check(int32_t status) const;
};

/// A function with operands in the memory of a machine. Can be run many times.
class Call {
public:
  Call(const CompiledFunction &function, const Library &library,
       Machine &machine)
      : function(function), library(library), machine(machine) {}

  /// From now on nothing is spoilt.
  void keepMemory() { spoils = false; }
  /// Puts arguments, results and workspace into memory. What the function does
  /// not write is spoilt, so that it can be seen.
  llvm::Error prepare(const Inputs &inputs);
  /// Enqueues the call.
  llvm::Error run();
  /// From now on `run` replays a recording of the call. It has been run before,
  /// so that its code is loaded.
  llvm::Error record();
  /// The runs that results are read after, and their end. The first is a plain
  /// one, others are those of a recording if `graph` says so. If there are to
  /// be `repeat` runs, all must give the bits of the first, whatever `disturb`
  /// does before each of them.
  llvm::Error runFirst(bool graph, int64_t repeat,
                       llvm::function_ref<llvm::Error()> disturb = nullptr);
  llvm::Error writeResults(llvm::StringRef directory);
  /// The results as arrays of files, in order.
  llvm::Expected<std::vector<NpyArray>> readResults();

  /// Bytes that any way to compute the function has to move: each tensor once,
  /// and 4 bytes for each entry of a map.
  int64_t compulsoryBytes() const { return compulsory; }

private:
  using Operand = CompiledFunction::Operand;

  llvm::Expected<void *> place(int64_t bytes);
  llvm::Error placeTensor(HostTensor &tensor);
  /// The memory of a result.
  gyre_tensor *resultTensor(size_t i) const;
  llvm::Error downloadResults();
  /// Results and workspace are as if it had not been run.
  llvm::Error spoil();
  llvm::Error keepResults();
  /// An error if the results, of the run of this number, have other bits than
  /// those that are kept.
  llvm::Error compareResults(int64_t run);
  llvm::Error buildMap(const Operand &argument, const NpyArray &file,
                       const llvm::StringMap<int64_t> &sizes);
  llvm::Error makeWorkspace(const llvm::StringMap<int64_t> &sizes);

  const CompiledFunction &function;
  const Library &library;
  Machine &machine;
  // Deques: what points into them stays good.
  std::deque<HostTensor> arguments, results;
  std::deque<gyre_map> maps;
  std::vector<Block> blocks, hostBlocks;
  std::vector<void *> operands;
  std::vector<std::vector<char>> kept;
  gyre_context context{};
  std::function<llvm::Error()> recording;
  int64_t compulsory = 0;
  bool spoils = true;
};

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_CALL_H
