//===- CudaToolkit.cpp - ptxas and libdevice ------------------------------===//

#include "CudaToolkit.h"
#include "Tool.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir;

namespace gyre::emit {

static std::string join(StringRef root, StringRef part) {
  SmallString<128> path(root);
  llvm::sys::path::append(path, part);
  return path.str().str();
}

static std::vector<std::string> listRoots(StringRef given) {
  if (!given.empty())
    return {given.str()};
  std::vector<std::string> roots;
  for (StringRef name : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (auto value = llvm::sys::Process::GetEnv(name); value && !value->empty())
      roots.push_back(*value);
  if (auto ptxas = llvm::sys::findProgramByName("ptxas"))
    roots.push_back(
        llvm::sys::path::parent_path(llvm::sys::path::parent_path(*ptxas))
            .str());
  roots.push_back("/usr/local/cuda");
  return roots;
}

CudaToolkit CudaToolkit::find(StringRef given) {
  for (const std::string &root : listRoots(given)) {
    CudaToolkit toolkit{
        root, join(root, "bin/ptxas"),
        llvm::sys::fs::exists(join(root, "nvvm/libdevice/libdevice.10.bc"))};
    if (!llvm::sys::fs::can_execute(toolkit.ptxas))
      toolkit.ptxas.clear();
    if (!toolkit.ptxas.empty() || toolkit.hasLibdevice)
      return toolkit;
  }
  return {};
}

/// The number before `unit` in a line, 0 without one.
static int64_t numberBefore(StringRef line, StringRef unit) {
  size_t at = line.find((" " + unit).str());
  if (at == StringRef::npos)
    return 0;
  StringRef before = line.take_front(at);
  int64_t value = 0;
  before.take_back(before.size() - (before.find_last_of(' ') + 1))
      .getAsInteger(10, value);
  return value;
}

llvm::StringMap<KernelUsage> readUsage(StringRef messages) {
  llvm::StringMap<KernelUsage> kernels;
  // Which kernel a line is about, some line before it says. Other functions
  // have properties too, but no entry.
  KernelUsage *kernel = nullptr;
  while (!messages.empty()) {
    auto [line, rest] = messages.split('\n');
    messages = rest;
    if (line.contains("Compiling entry function '")) {
      kernel = &kernels[line.split('\'').second.split('\'').first];
      continue;
    }
    if (line.contains("Function properties for")) {
      auto known = kernels.find(line.split("for ").second.trim());
      kernel = known == kernels.end() ? nullptr : &known->second;
      continue;
    }
    if (!kernel)
      continue;
    kernel->spillBytes += numberBefore(line, "bytes spill stores") +
                          numberBefore(line, "bytes spill loads");
    if (line.contains("Used ")) {
      kernel->registers = numberBefore(line, "registers");
      kernel->sharedBytes = numberBefore(line, "bytes smem");
    }
    if (line.contains("Compile time = "))
      line.split("= ").second.split(' ').first.getAsDouble(
          kernel->milliseconds);
  }
  return kernels;
}

FailureOr<Cubin> CudaToolkit::assemble(Location loc, StringRef ptx,
                                       StringRef arch, Effort effort) const {
  TemporaryFile source, cubin, messages;
  std::error_code error = source.create("ptx");
  if (!error)
    error = cubin.create("cubin");
  if (!error)
    error = messages.create("txt");
  if (!error)
    error = source.write(ptx);
  if (error)
    return emitError(loc, "[gpu-ptxas] expected temporary files, got: ")
           << error.message();
  std::vector<std::string> command{ptxas, "-arch=" + arch.str(),
                                   effort == Effort::least ? "-O1" : "-O3",
                                   "-v"};
  if (effort == Effort::fewRegisters)
    command.push_back("--register-usage-level=0");
  llvm::append_range(
      command, std::initializer_list<std::string>{source.path().str(), "-o",
                                                  cubin.path().str()});
  ToolRun run = runTool(command, messages);
  if (run.failure)
    return emitError(loc, "[gpu-ptxas] expected ")
           << ptxas << " to assemble the kernels for " << arch
           << ", got: " << *run.failure;
  return Cubin{cubin.read(), readUsage(run.output)};
}

} // namespace gyre::emit
