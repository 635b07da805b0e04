//===- Dialect.cpp - Registration of attributes, types, ops ---------------===//

#include "gyre/Dialect/Gyre.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "gyre/Dialect/GyreDialect.cpp.inc"
#include "gyre/Dialect/GyreEnums.cpp.inc"
#include "gyre/Dialect/GyreInterfaces.cpp.inc"

using namespace gyre;

void GyreDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "gyre/Dialect/GyreOps.cpp.inc"
      >();
}
