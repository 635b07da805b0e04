//===- Arch.cpp - Architectures of GPUs -----------------------------------===//

#include "Arch.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace gyre::emit {

/// The first with asynchronous copies to shared memory.
static constexpr unsigned kOldest = 80;
static constexpr StringLiteral kDefaultArchs[] = {"sm_80", "sm_90a",
                                                  "compute_80"};

FailureOr<Arch> Arch::parse(Location loc, StringRef name) {
  auto fail = [&] {
    return emitError(loc, "[gpu-arch] expected an architecture such as sm_90a "
                          "or compute_80, from 80 on, got `")
           << name << "`";
  };
  auto [kind, version] = name.split('_');
  unsigned number;
  if ((kind != "sm" && kind != "compute") ||
      version.rtrim("af").getAsInteger(10, number) || number < kOldest)
    return fail();
  Arch arch{name.str(), kind == "compute", ("sm_" + version).str(), ""};
  std::string error;
  llvm::Triple triple(kDeviceTriple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(loc, "[gpu-arch] expected code generation for ")
           << kDeviceTriple << ", got: " << error;
  std::unique_ptr<llvm::MCSubtargetInfo> subtargets(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!subtargets->isCPUStringValid(arch.chip))
    return fail();
  bool isNewest = number == 110; // has nothing older
  arch.features = isNewest                     ? "+ptx90"
                  : arch.isPtx && number <= 90 ? "+ptx80"
                                               : "+ptx88";
  return arch;
}

FailureOr<SmallVector<Arch>> parseArchs(Location loc,
                                        ArrayRef<std::string> given) {
  SmallVector<StringRef> names(given.begin(), given.end());
  if (names.empty())
    llvm::append_range(names, kDefaultArchs);
  SmallVector<Arch> parsed;
  for (StringRef name : names) {
    FailureOr<Arch> arch = Arch::parse(loc, name);
    if (failed(arch))
      return failure();
    if (llvm::any_of(parsed, [&](Arch &other) { return other.name == name; }))
      return emitError(loc, "[gpu-arch] expected each architecture once, got `")
             << name << "` twice";
    parsed.push_back(std::move(*arch));
  }
  return parsed;
}

} // namespace gyre::emit
