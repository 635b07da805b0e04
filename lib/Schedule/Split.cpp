//===- Split.cpp - Kernels that do not fit the registers ------------------===//

#include "Width.h"

#include "gyre/Schedule/Registers.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gyre::schedule {

/// A kernel of the results whose bits are set, right before `kernel`.
static KernelOp buildPart(KernelOp kernel, uint64_t mask) {
  OpBuilder b(kernel);
  SmallVector<Attribute> deliveries;
  SmallVector<Type> types;
  SmallVector<unsigned> results;
  for (unsigned i = 0; i < kernel.getNumResults(); ++i) {
    if (!(mask >> i & 1))
      continue;
    results.push_back(i);
    deliveries.push_back(kernel.getDelivery(i));
    types.push_back(kernel.getResult(i).getType());
  }
  auto part = KernelOp::create(b, kernel.getLoc(), types, kernel.getRows(),
                               kernel.getOwner(), b.getArrayAttr(deliveries),
                               ScheduleAttr());
  IRMapping mapping;
  kernel.getBody().cloneInto(&part.getBody(), mapping);
  DeliverOp deliver = part.getDeliver();
  SmallVector<Value> values;
  for (unsigned i : results)
    values.push_back(deliver.getValues()[i]);
  deliver.getValuesMutable().assign(values);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(part.getBody().front())))
    if (op.use_empty() && &op != deliver.getOperation())
      op.erase();
  return part;
}

static FailureOr<int64_t> countAlive(KernelOp kernel, uint64_t mask) {
  KernelOp part = buildPart(kernel, mask);
  FailureOr<Facts> facts =
      Facts::get(part, /*oneVector=*/false, /*inPhases=*/false);
  part.erase();
  if (failed(facts))
    return failure();
  return facts->mostAlive * facts->bytes / 4;
}

/// Replaces a kernel by one of the results whose bits are set, and one of the
/// others. `separator`: of their numbers.
static std::pair<KernelOp, KernelOp> cut(KernelOp kernel, uint64_t mask,
                                         char separator = '.') {
  unsigned count = kernel.getNumResults();
  SmallVector<KernelOp, 2> parts;
  auto number = kernel->getAttrOfType<StringAttr>(kPartAttr);
  for (uint64_t each : {mask, ~mask}) {
    KernelOp part = buildPart(kernel, each);
    if (number)
      part->setAttr(kPartAttr, StringAttr::get(part.getContext(),
                                               Twine(number.getValue()) +
                                                   Twine(separator) +
                                                   Twine(parts.size())));
    parts.push_back(part);
    unsigned next = 0;
    for (unsigned i = 0; i < count; ++i)
      if (each >> i & 1)
        kernel.getResult(i).replaceAllUsesWith(part.getResult(next++));
  }
  kernel.erase();
  return {parts[0], parts[1]};
}

LogicalResult splitUnrelated(KernelOp kernel) {
  FailureOr<uint64_t> mask = findUnrelated(kernel);
  if (failed(mask))
    return failure();
  if (*mask == 0)
    return success();
  auto [first, second] = cut(kernel, *mask);
  return success(succeeded(splitUnrelated(first)) &&
                 succeeded(splitUnrelated(second)));
}

namespace {
/// A kernel, or some of its results.
struct Candidate {
  Facts facts;
  Width width;
  int64_t cycles = 0;

  static FailureOr<Candidate> get(KernelOp kernel, int64_t registers) {
    FailureOr<Facts> facts = Facts::get(kernel, /*oneVector=*/false);
    if (failed(facts))
      return failure();
    Width width = chooseWidth(*facts, registers);
    return Candidate{*facts, width, estimateCycles(*facts, width)};
  }
  static FailureOr<Candidate> get(KernelOp kernel, uint64_t mask,
                                  int64_t registers) {
    KernelOp part = buildPart(kernel, mask);
    FailureOr<Candidate> candidate = get(part, registers);
    part.erase();
    return candidate;
  }
};
} // namespace

/// The results to compute apart from the others, so that lanes have more cells
/// in both kernels: words that lanes share are read, and sums over lanes taken,
/// less often. None where rows are not done sooner by a tenth. Parts have the
/// registers of any kernel, whatever the whole was found to need.
static FailureOr<uint64_t> findWider(KernelOp kernel) {
  int64_t registers = getRegisters(kernel);
  unsigned count = kernel.getNumResults();
  FailureOr<Candidate> whole = Candidate::get(kernel, registers);
  if (failed(whole))
    return failure();
  if (!couldBeWider(whole->facts, whole->width))
    return 0;
  uint64_t all = (uint64_t(1) << count) - 1, best = 0;
  int64_t bestCycles = whole->cycles * 9 / 10;
  // The last result is in the second part, so that each cut is tried once.
  for (uint64_t mask = 1; mask < uint64_t(1) << (count - 1); ++mask) {
    int64_t cycles = 0;
    bool isWider = true;
    for (uint64_t part : {mask, all & ~mask}) {
      FailureOr<Candidate> candidate = Candidate::get(kernel, part, kRegisters);
      if (failed(candidate))
        return failure();
      isWider &= candidate->width.fits() && candidate->width.isNear &&
                 candidate->width.vector > whole->width.vector;
      cycles += candidate->cycles;
      if (!isWider || cycles >= bestCycles)
        break;
    }
    if (!isWider || cycles >= bestCycles)
      continue;
    best = mask;
    bestCycles = cycles;
  }
  if (best != 0)
    kernel.emitRemark("kernel of lanes of ")
        << whole->width.vector << ": cut into two of more, for some "
        << bestCycles << " cycles of a row in place of " << whole->cycles;
  return best;
}

LogicalResult splitKernel(KernelOp kernel) {
  int64_t most = getNarrow(getRegisters(kernel));
  unsigned count = kernel.getNumResults();
  uint64_t all = (uint64_t(1) << count) - 1;
  FailureOr<int64_t> alive = countAlive(kernel, all);
  if (failed(alive))
    return failure();
  // A single result stays whole, and so do many, of which there are too many
  // halves to try.
  if (count < 2 || count > 12)
    return success();
  if (*alive <= most) {
    FailureOr<uint64_t> wider = count <= 4 ? findWider(kernel) : 0;
    if (failed(wider) || *wider == 0)
      return wider;
    auto [first, second] = cut(kernel, *wider, kWiderPart);
    return success(succeeded(splitKernel(first)) &&
                   succeeded(splitKernel(second)));
  }
  // The last result is in the second part, so that each cut is tried once.
  uint64_t best = 0;
  int64_t bestAlive = *alive;
  for (uint64_t mask = 1; mask < uint64_t(1) << (count - 1); ++mask) {
    FailureOr<int64_t> first = countAlive(kernel, mask);
    if (failed(first))
      return failure();
    if (*first >= bestAlive)
      continue;
    FailureOr<int64_t> second = countAlive(kernel, all & ~mask);
    if (failed(second))
      return failure();
    int64_t larger = std::max(*first, *second);
    if (larger < bestAlive) {
      best = mask;
      bestAlive = larger;
    }
  }
  if (best == 0)
    return success();
  kernel.emitRemark("kernel of ")
      << *alive << " vectors alive at once, where " << most
      << " fit the registers: cut into two of at most " << bestAlive;
  auto [first, second] = cut(kernel, best);
  return success(succeeded(splitKernel(first)) &&
                 succeeded(splitKernel(second)));
}

} // namespace gyre::schedule
