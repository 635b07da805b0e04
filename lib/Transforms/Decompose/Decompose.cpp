//===- Decompose.cpp - Named ops to primitives -===//

#include "gyre/Transforms/Passes.h"

namespace gyre {

#define GEN_PASS_DEF_DECOMPOSE
#include "gyre/Transforms/Passes.h.inc"

namespace {
struct DecomposePass final : impl::DecomposeBase<DecomposePass> {
  using DecomposeBase::DecomposeBase;
  void runOnOperation() override {}
};
} // namespace

} // namespace gyre
