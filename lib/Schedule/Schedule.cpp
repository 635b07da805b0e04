//===- Schedule.cpp - gyre-schedule: defaults from static facts -----------===//

#include "Facts.h"
#include "Width.h"

#include "gyre/Schedule/Registers.h"
#include "gyre/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_SCHEDULE
#include "gyre/Transforms/Passes.h.inc"

using schedule::Facts;
using schedule::kLargestRoom;
using schedule::Room;
using schedule::Width;

namespace {

/// What a schedule has beside places.
struct Numbers {
  int64_t vector, lanes, workers, span, teams, warps = 1, alive = 0, heavy = 0;
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

constexpr Room kRooms[] = {{20, 96}, {16, 128}, {12, 168}};

/// How many warps a multiprocessor can hold with the registers that a body
/// needs: for its vectors, and about 70 for pointers, words and sums under way.
int64_t chooseWarps(int64_t registersOfVectors) {
  constexpr int64_t others = 70;
  for (Room room : kRooms)
    if (registersOfVectors + others <= room.registers)
      return room.warps;
  return kLargestRoom.warps;
}

/// Warps of workers of single nodes, and the registers that their threads need
/// beside those for vectors.
constexpr Room kNodeRoom = {32, 64};
constexpr int64_t kBesideNodes = 44;

/// Whether sums of nodes have a worker each: where a multiprocessor would wait
/// for the memory most of the time. The next nodes' first rows come while
/// others are added then, and no partial rows are written, but for those of
/// heavy nodes.
bool givesNodesWorkers(const Facts &facts, const Width &width) {
  constexpr int64_t warp = 32;
  int64_t cycles =
      schedule::estimateCycles(facts.steps, width.vector, width.lanes / warp);
  return facts.sumsNodes && facts.spreads &&
         facts.mostAlive * width.perAlive + kBesideNodes <=
             kNodeRoom.registers &&
         cycles * schedule::kBytesPerCycle < facts.rowBytes;
}

Numbers scheduleNodes(const Width &width) {
  constexpr int64_t warp = 32, ranges = 1024, span = 16, heavy = 64;
  int64_t shares = llvm::divideCeil(width.lanes, schedule::kShareThreads);
  int64_t lanes =
      llvm::alignTo(llvm::divideCeil(width.lanes, shares), warp) * shares;
  return {width.vector, lanes,           ranges,      span,
          /*teams=*/1,  kNodeRoom.warps, /*alive=*/0, heavy};
}

/// Full waves of workers on a large device, as rows are cut evenly among them.
Numbers scheduleForCUDA(const Facts &facts, int64_t registers) {
  constexpr int64_t warp = 32, span = 16;
  Width width = schedule::chooseWidth(facts, registers);
  if (givesNodesWorkers(facts, width))
    return scheduleNodes(width);
  // One team is a block: where teams share one, the assembler takes the rows of
  // its threads for different ones, and branches for others that may diverge.
  Numbers numbers{width.vector, width.lanes, 0, span, /*teams=*/1};
  int64_t most = width.getMost();
  numbers.warps = chooseWarps(std::min(facts.mostAlive, most) * width.perAlive);
  // Teams that do not fill the largest room: a smaller one holds more of them,
  // where phases keep few enough vectors alive.
  int64_t shares = schedule::countShares(width.lanes);
  int64_t ofTeam = width.lanes / shares / warp;
  if (numbers.warps == kLargestRoom.warps && numbers.warps % ofTeam != 0) {
    // Phases take some registers, too.
    constexpr int64_t others = 80;
    Room room = std::end(kRooms)[-1];
    int64_t fits = (room.registers - others) / width.perAlive;
    if (facts.leastAlive <= std::min(fits, most) && room.warps % ofTeam == 0) {
      numbers.warps = room.warps;
      most = fits;
    }
  }
  // Cells of the nodes of fewer warps are nearer.
  auto isNear = [&](int64_t warps) {
    return facts.ownerBytes * std::max<int64_t>(warps / ofTeam, 1) <=
           schedule::kNearBytes;
  };
  if (!isNear(numbers.warps) && isNear(kLargestRoom.warps))
    numbers.warps = kLargestRoom.warps;
  if (facts.mostAlive > most)
    numbers.alive = most;
  int64_t blocks = std::max<int64_t>(numbers.warps / ofTeam, 1);
  // Where few are there at once, a second wave evens out what they take.
  int64_t waves = blocks <= 2 ? 2 : 1;
  numbers.workers = std::max<int64_t>(
      schedule::kMultiprocessors * blocks * waves / shares, 1);
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
  if (cuda && numbers.lanes > schedule::kMostThreads && !facts->spreads)
    return kernel.emitError("[schedule-width] expected cells along one axis "
                            "that the ")
           << schedule::kMostThreads << " threads of a block hold, of "
           << numbers.vector << " each, got " << facts->width;
  if (numbers.alive > 0 && facts->leastAlive > numbers.alive)
    kernel.emitRemark("kernel of ")
        << facts->leastAlive << " vectors alive at once, where "
        << numbers.alive << " fit the registers: cut by cells of its results";
  return ScheduleAttr::get(kernel.getContext(), facts->places, numbers.vector,
                           numbers.lanes, numbers.workers, numbers.span,
                           numbers.teams, numbers.warps, numbers.alive,
                           numbers.heavy);
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
        schedule::chooseTile(kernel, warpgroups);
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
