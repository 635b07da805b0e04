//===- Simplify.cpp - Contract algebra, CSE, dead code -===//

#include "gyre/Transforms/Passes.h"

namespace gyre {

#define GEN_PASS_DEF_SIMPLIFY
#include "gyre/Transforms/Passes.h.inc"

namespace {
struct SimplifyPass final : impl::SimplifyBase<SimplifyPass> {
  using SimplifyBase::SimplifyBase;
  void runOnOperation() override {}
};
} // namespace

} // namespace gyre
