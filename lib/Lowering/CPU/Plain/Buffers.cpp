//===- Buffers.cpp - Where each value of a function is kept ---------------===//

#include "Buffers.h"

using namespace mlir;

namespace gyre::plain {

bool isHalf(Type element) { return isa<Float16Type, BFloat16Type>(element); }

std::optional<int64_t> getElementBytes(Type element) {
  if (isHalf(element))
    return 2;
  if (element.isF32())
    return 4;
  if (element.isF64())
    return 8;
  if (element.isSignlessInteger(1))
    return 1;
  for (unsigned width : {8, 16, 32, 64})
    if (element.isSignlessInteger(width))
      return width / 8;
  return std::nullopt;
}

void BufferPlan::place(Value value) {
  auto type = cast<TensorType>(value.getType());
  auto key = EntryBufferAttr::get(value.getContext(),
                                  *getElementBytes(type.getElementType()),
                                  countElements(type));
  SmallVector<unsigned> &candidates = free[key];
  if (!candidates.empty()) {
    bufferOf[value] = candidates.pop_back_val();
    return;
  }
  bufferOf[value] = buffers.size();
  buffers.push_back(key);
}

void BufferPlan::release(Value value) {
  auto it = bufferOf.find(value);
  if (it != bufferOf.end())
    free[buffers[it->second]].push_back(it->second);
}

BufferPlan::BufferPlan(FuncOp func) {
  for (auto [i, value] : llvm::enumerate(func.getReturn().getOperands()))
    if (value.getDefiningOp())
      resultOf.insert({value, i});
  Block &block = func.getBody().front();
  llvm::DenseMap<Value, Operation *> lastUse;
  for (Operation &op : block)
    for (Value operand : op.getOperands())
      lastUse[operand] = &op;
  for (Operation &op : block) {
    requireSizes(&op, buffers);
    // Results first: no op writes where it still reads.
    for (Value result : op.getResults())
      if (!resultOf.contains(result))
        place(result);
    llvm::SmallVector<Value> ended;
    for (Value operand : op.getOperands())
      if (lastUse[operand] == &op && !llvm::is_contained(ended, operand))
        ended.push_back(operand);
    for (Value result : op.getResults())
      if (result.use_empty())
        ended.push_back(result);
    llvm::for_each(ended, [&](Value value) { release(value); });
  }
}

} // namespace gyre::plain
