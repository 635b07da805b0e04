//===- Split.cpp - Kernels that do not fit the registers ------------------===//

#include "Facts.h"

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
/// others.
static std::pair<KernelOp, KernelOp> cut(KernelOp kernel, uint64_t mask) {
  unsigned count = kernel.getNumResults();
  SmallVector<KernelOp, 2> parts;
  auto number = kernel->getAttrOfType<StringAttr>(kPartAttr);
  for (uint64_t each : {mask, ~mask}) {
    KernelOp part = buildPart(kernel, each);
    if (number)
      part->setAttr(kPartAttr, StringAttr::get(part.getContext(),
                                               Twine(number.getValue()) + "." +
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

LogicalResult splitKernel(KernelOp kernel) {
  int64_t most = getNarrow(getRegisters(kernel));
  unsigned count = kernel.getNumResults();
  uint64_t all = (uint64_t(1) << count) - 1;
  FailureOr<int64_t> alive = countAlive(kernel, all);
  if (failed(alive))
    return failure();
  // A single result stays whole, and so do many, of which there are too many
  // halves to try.
  if (*alive <= most || count < 2 || count > 12)
    return success();
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
