//===- Schedule.cpp - gyre-schedule: defaults from static facts -----------===//

#include "Facts.h"

#include "gyre/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_SCHEDULE
#include "gyre/Transforms/Passes.h.inc"

using schedule::Facts;

namespace {

/// Vector, lanes, workers, span and teams.
struct Numbers {
  int64_t vector, lanes, workers, span, teams;
};

/// One vector of the widest registers at a time; sums over lanes that the body
/// goes on with need all lanes in one vector.
Numbers scheduleForCPU(const Facts &facts) {
  constexpr int64_t vectorBytes = 64, workers = 256, span = 32;
  int64_t vector = std::min(facts.width, vectorBytes / facts.bytes);
  if (facts.reducesInside)
    vector = facts.width;
  return {vector, 1, workers, span, 1};
}

/// The widest lanes whose cells fit the registers and that leave no thread of a
/// warp without cells.
Numbers scheduleForCUDA(const Facts &facts) {
  constexpr int64_t warp = 32, warpsOnDevice = 132 * 16, span = 16,
                    mostWarps = 4;
  int64_t bestVector = 1;
  double bestUse = 0;
  for (int64_t vector : {4, 2, 1}) {
    if (facts.contiguous % vector != 0 || vector * facts.bytes > 16)
      continue;
    int64_t lanes = llvm::alignTo(llvm::divideCeil(facts.width, vector), warp);
    double use = double(facts.width) / double(lanes * vector);
    if (facts.mostAlive * vector * (facts.bytes / 4) >
        schedule::kDeviceRegisters)
      use -= 1;
    if (use > bestUse || (vector == 1 && bestUse <= 0)) {
      bestUse = use;
      bestVector = vector;
    }
  }
  int64_t lanes =
      llvm::alignTo(llvm::divideCeil(facts.width, bestVector), warp);
  int64_t warps = lanes / warp;
  int64_t teams = warps == 1 ? mostWarps : 1;
  return {bestVector, lanes, std::max<int64_t>(warpsOnDevice / warps, 132),
          span, teams};
}

} // namespace

static FailureOr<ScheduleAttr> makeSchedule(KernelOp kernel, bool cuda) {
  FailureOr<Facts> facts = Facts::get(kernel, /*oneVector=*/!cuda);
  if (failed(facts))
    return failure();
  Numbers numbers = cuda ? scheduleForCUDA(*facts) : scheduleForCPU(*facts);
  return ScheduleAttr::get(kernel.getContext(), facts->places, numbers.vector,
                           numbers.lanes, numbers.workers, numbers.span,
                           numbers.teams);
}

namespace {
struct Schedule : impl::ScheduleBase<Schedule> {
  using ScheduleBase::ScheduleBase;

  void runOnOperation() override {
    if (target != "cpu" && target != "cuda") {
      getOperation().emitError("[schedule-target] expected cpu or cuda, got ")
          << target;
      return signalPassFailure();
    }
    bool cuda = target == "cuda";
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) {
      if (!kernel.getSchedule())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      if (cuda &&
          failed(schedule::splitKernel(kernel, schedule::kDeviceRegisters)))
        return signalPassFailure();
    WalkResult walk = getOperation().walk([&](KernelOp kernel) {
      if (kernel.getSchedule())
        return WalkResult::advance();
      FailureOr<ScheduleAttr> chosen = makeSchedule(kernel, cuda);
      if (failed(chosen))
        return WalkResult::interrupt();
      kernel.setScheduleAttr(*chosen);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

} // namespace gyre
