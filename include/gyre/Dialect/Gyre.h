//===- Gyre.h - The dialect: attributes, types, ops -------------*- C++ -*-===//

#ifndef GYRE_DIALECT_GYRE_H
#define GYRE_DIALECT_GYRE_H

#include "gyre/Dialect/InferredTypes.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gyre {
class ReturnOp;
class TensorType;
} // namespace gyre

#include "gyre/Dialect/GyreDialect.h.inc"
#include "gyre/Dialect/GyreEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "gyre/Dialect/GyreAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "gyre/Dialect/GyreInterfaces.h.inc"
#include "gyre/Dialect/GyreTypes.h.inc"

#define GET_OP_CLASSES
#include "gyre/Dialect/GyreOps.h.inc"

#endif // GYRE_DIALECT_GYRE_H
