//===- InferredTypes.cpp - Types that follow from the rest ----------------===//

#include "gyre/Dialect/InferredTypes.h"

#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;

namespace gyre {

LogicalResult verifyInferredTypes(Operation *op) {
  SmallVector<Type> types;
  if (failed(cast<InferTypeOpInterface>(op).inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), types)))
    return failure();
  if (op->getResultTypes() == TypeRange(types))
    return success();
  return emitError(op->getLoc(), "[result-type] expected ")
         << types << ", got " << op->getResultTypes();
}

} // namespace gyre
