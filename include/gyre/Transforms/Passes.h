//===- Passes.h - All passes, and their registration ------------*- C++ -*-===//

#ifndef GYRE_TRANSFORMS_PASSES_H
#define GYRE_TRANSFORMS_PASSES_H

#include "gyre/Dialect/Gyre.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

namespace gyre {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "gyre/Transforms/Passes.h.inc"

} // namespace gyre

#endif // GYRE_TRANSFORMS_PASSES_H
