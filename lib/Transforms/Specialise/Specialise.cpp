//===- Specialise.cpp - Fix a spec's parameters -===//

#include "gyre/Transforms/Passes.h"

namespace gyre {

#define GEN_PASS_DEF_SPECIALISE
#include "gyre/Transforms/Passes.h.inc"

namespace {
struct SpecialisePass final : impl::SpecialiseBase<SpecialisePass> {
  using SpecialiseBase::SpecialiseBase;
  void runOnOperation() override {}
};
} // namespace

} // namespace gyre
