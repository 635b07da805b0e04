//===- InitAll.h - What every tool registers --------------------*- C++ -*-===//

#ifndef GYRE_INITALL_H
#define GYRE_INITALL_H

#include "gyre/Differentiate/Rules.h"
#include "gyre/Transforms/Passes.h"

namespace gyre {

/// The dialects that a spec may use, with the differentiation rules of their
/// ops.
inline void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<GyreDialect, mlir::arith::ArithDialect,
                  mlir::math::MathDialect>();
  registerDifferentiationRules(registry);
}

} // namespace gyre

#endif // GYRE_INITALL_H
