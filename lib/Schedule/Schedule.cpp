//===- Schedule.cpp - gyre-schedule: defaults from static facts -----------===//

#include "Facts.h"

#include "gyre/Schedule/Registers.h"
#include "gyre/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_SCHEDULE
#include "gyre/Transforms/Passes.h.inc"

using schedule::Facts;

namespace {

/// What a schedule has beside places.
struct Numbers {
  int64_t vector, lanes, workers, span, teams, warps = 1, alive = 0;
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

/// How many warps a multiprocessor can hold with the registers that a body
/// needs: for its vectors, and about 70 for pointers, words and sums under way.
int64_t chooseWarps(int64_t registersOfVectors) {
  constexpr int64_t others = 70;
  // Warps, and the registers that each of their threads may have. More than 20
  // need not be there to keep the memory busy.
  constexpr std::pair<int64_t, int64_t> choices[] = {
      {20, 96}, {16, 128}, {12, 168}};
  for (auto [warps, registers] : choices)
    if (registersOfVectors + others <= registers)
      return warps;
  return 8;
}

/// The widest lanes whose cells fit the registers and that leave no thread of a
/// warp without cells; full waves of workers on a large device, as rows are cut
/// evenly among them.
Numbers scheduleForCUDA(const Facts &facts, int64_t registers) {
  constexpr int64_t warp = 32, multiprocessors = 132, span = 16, mostWarps = 2;
  int64_t bestVector = 1;
  double bestUse = 0;
  int64_t perAlive = facts.bytes / 4;
  for (int64_t vector : {4, 2, 1}) {
    if (facts.contiguous % vector != 0 || vector * facts.bytes > 16)
      continue;
    int64_t lanes = llvm::alignTo(llvm::divideCeil(facts.width, vector), warp);
    if (lanes > schedule::kMostThreads)
      continue;
    double use = double(facts.width) / double(lanes * vector);
    if (facts.mostAlive * vector * perAlive > registers)
      use -= 1;
    if (use > bestUse || (vector == 1 && bestUse <= 0)) {
      bestUse = use;
      bestVector = vector;
    }
  }
  int64_t lanes =
      llvm::alignTo(llvm::divideCeil(facts.width, bestVector), warp);
  int64_t teams = lanes == warp ? mostWarps : 1;
  perAlive *= bestVector;
  Numbers numbers{bestVector, lanes, 0, span, teams};
  if (facts.mostAlive * perAlive > registers)
    numbers.alive = std::max<int64_t>(registers / perAlive, 1);
  numbers.warps = chooseWarps(std::min(facts.mostAlive * perAlive, registers));
  int64_t blocks = std::max<int64_t>(numbers.warps * warp / (lanes * teams), 1);
  // Where few are there at once, a second wave evens out what they take.
  int64_t waves = blocks * teams <= 2 ? 2 : 1;
  numbers.workers = multiprocessors * blocks * teams * waves;
  return numbers;
}

} // namespace

static FailureOr<ScheduleAttr> makeSchedule(KernelOp kernel, bool cuda) {
  FailureOr<Facts> facts = Facts::get(kernel, /*oneVector=*/!cuda);
  if (failed(facts))
    return failure();
  Numbers numbers =
      cuda ? scheduleForCUDA(*facts, schedule::getRegisters(kernel))
           : scheduleForCPU(*facts);
  if (cuda && numbers.lanes > schedule::kMostThreads)
    return kernel.emitError("[schedule-width] expected cells along one axis "
                            "that the ")
           << schedule::kMostThreads << " threads of a block hold, of "
           << numbers.vector << " each, got " << facts->width;
  if (numbers.alive > 0)
    kernel.emitRemark("kernel of ")
        << facts->mostAlive << " vectors alive at once, where " << numbers.alive
        << " fit the registers: cut by cells of its results";
  return ScheduleAttr::get(kernel.getContext(), facts->places, numbers.vector,
                           numbers.lanes, numbers.workers, numbers.span,
                           numbers.teams, numbers.warps, numbers.alive);
}

namespace {
struct Schedule : impl::ScheduleBase<Schedule> {
  using ScheduleBase::ScheduleBase;

  /// Kernels without a schedule.
  SmallVector<KernelOp> findKernels() {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) {
      if (!kernel.getSchedule())
        kernels.push_back(kernel);
    });
    return kernels;
  }

  void numberParts() {
    getOperation().walk([](FuncOp func) {
      for (auto [i, kernel] : llvm::enumerate(func.getOps<KernelOp>()))
        kernel->setAttr(schedule::kPartAttr,
                        StringAttr::get(func.getContext(), Twine(i)));
    });
  }

  void runOnOperation() override {
    if (target != "cpu" && target != "cuda") {
      getOperation().emitError("[schedule-target] expected cpu or cuda, got ")
          << target;
      return signalPassFailure();
    }
    bool cuda = target == "cuda";
    getOperation().walk([&](CellsOp kernel) {
      if (cuda)
        schedule::chooseTile(kernel);
      if (!kernel.getTile())
        schedule::cutSum(kernel, cuda);
    });
    for (KernelOp kernel : findKernels())
      if (failed(schedule::splitUnrelated(kernel)))
        return signalPassFailure();
    if (cuda)
      numberParts();
    for (KernelOp kernel : findKernels())
      if (cuda && failed(schedule::splitKernel(kernel)))
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
