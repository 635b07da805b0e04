//===- MergeKernels.cpp - gyre-merge-kernels ------------------------------===//

#include "gyre/Lowering/Versions.h"
#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_MERGEKERNELS
#include "gyre/Transforms/Passes.h.inc"

namespace {

struct MergeKernels : impl::MergeKernelsBase<MergeKernels> {
  void runOnOperation() override {
    // Code first: versions for other processors name it.
    merge(/*declared=*/false);
    merge(/*declared=*/true);
  }

private:
  void merge(bool declared);
};

} // namespace

static bool isKernel(Operation *op, bool declared) {
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op))
    return !declared && kernel.isKernel();
  auto task = dyn_cast<LLVM::LLVMFuncOp>(op);
  if (!task)
    return false;
  return declared ? task->hasAttr(kVersionOfAttr)
                  : !task.isExternal() &&
                        task.getLinkage() == LLVM::Linkage::Internal;
}

/// All that a function says of itself but its name.
static DictionaryAttr getUnnamed(Operation *func) {
  NamedAttrList attrs(func->getAttrDictionary());
  attrs.erase(SymbolTable::getSymbolAttrName());
  return attrs.getDictionary(func->getContext());
}

static llvm::hash_code hashCode(Operation *func) {
  llvm::hash_code hash = hash_value(getUnnamed(func));
  func->getRegion(0).walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

static bool areEqual(Operation *a, Operation *b) {
  return a->getParentOp() == b->getParentOp() &&
         getUnnamed(a) == getUnnamed(b) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a->getRegion(0), &b->getRegion(0),
             OperationEquivalence::IgnoreLocations);
}

/// The name of a function of the module, or of a `gpu.module` in it.
static SymbolRefAttr getReference(Operation *func) {
  auto name = FlatSymbolRefAttr::get(SymbolTable::getSymbolName(func));
  if (auto device = dyn_cast<gpu::GPUModuleOp>(func->getParentOp()))
    return SymbolRefAttr::get(device.getSymNameAttr(), {name});
  return name;
}

void MergeKernels::merge(bool declared) {
  llvm::DenseMap<size_t, SmallVector<Operation *, 1>> known;
  llvm::DenseMap<Attribute, Attribute> kept;
  SmallVector<Operation *> repeated;
  auto visit = [&](Operation *func) {
    if (!isKernel(func, declared))
      return;
    auto &alike = known[hashCode(func)];
    auto equal = llvm::find_if(
        alike, [&](Operation *other) { return areEqual(func, other); });
    if (equal == alike.end()) {
      alike.push_back(func);
      return;
    }
    kept[getReference(func)] = getReference(*equal);
    repeated.push_back(func);
  };
  for (Operation &op : *getOperation().getBody())
    if (auto device = dyn_cast<gpu::GPUModuleOp>(op))
      for (Operation &func : *device.getBody())
        visit(&func);
    else
      visit(&op);
  for (Operation *func : repeated)
    func->erase();
  if (repeated.empty())
    return;
  AttrTypeReplacer replacer;
  // The parts of a name are no names.
  replacer.addReplacement([&](SymbolRefAttr name) {
    Attribute other = kept.lookup(name);
    return std::make_pair(other ? other : Attribute(name), WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(getOperation());
}

} // namespace gyre
