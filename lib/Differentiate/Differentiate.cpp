//===- Differentiate.cpp - Carry out declared derivatives -===//

#include "gyre/Transforms/Passes.h"

namespace gyre {

#define GEN_PASS_DEF_DIFFERENTIATE
#include "gyre/Transforms/Passes.h.inc"

namespace {
struct DifferentiatePass final : impl::DifferentiateBase<DifferentiatePass> {
  using DifferentiateBase::DifferentiateBase;
  void runOnOperation() override {}
};
} // namespace

} // namespace gyre
