//===- Loops.cpp - Memory, arithmetic and loops of the emitter ------------===//

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::plain {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value Emitter::read(Value memref, ValueRange indices) {
  return memref::LoadOp::create(b, memref, indices);
}

void Emitter::write(Value element, Value memref, ValueRange indices) {
  memref::StoreOp::create(b, element, memref, indices);
}

Value Emitter::zero(Value memref) {
  return number(cast<MemRefType>(memref.getType()).getElementType(), 0);
}

Value Emitter::readIndex(Value memref, Value position) {
  return arith::IndexCastOp::create(b, b.getIndexType(),
                                    read(memref, position));
}

Value Emitter::load(Value tensor, ValueRange indices) {
  Value element = read(buffer(tensor), indices);
  Type type = cast<TensorType>(tensor.getType()).getElementType();
  if (element.getType() == type)
    return element;
  Value number = arith::BitcastOp::create(b, type, element);
  return arith::ExtFOp::create(b, b.getF32Type(), number);
}

void Emitter::store(Value scalar, Value tensor, ValueRange indices) {
  Type type = cast<TensorType>(tensor.getType()).getElementType();
  Type memory = getMemoryType(type);
  if (memory == type) {
    scalar = convert(scalar, type);
  } else {
    if (scalar.getType() != type)
      scalar = arith::TruncFOp::create(b, type, scalar);
    scalar = arith::BitcastOp::create(b, memory, scalar);
  }
  write(scalar, buffer(tensor), indices);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Type Emitter::computeType(Type element) {
  return isHalf(element) ? Float32Type::get(element.getContext()) : element;
}

Value Emitter::convert(Value scalar, Type type) {
  Type from = scalar.getType();
  if (from == type)
    return scalar;
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, type, scalar);
  return arith::TruncFOp::create(b, type, scalar);
}

Value Emitter::add(Value a, Value c) {
  if (isa<FloatType>(a.getType()))
    return arith::AddFOp::create(b, a, c);
  return arith::AddIOp::create(b, a, c);
}

Value Emitter::mul(Value a, Value c) {
  if (isa<FloatType>(a.getType()))
    return arith::MulFOp::create(b, a, c);
  return arith::MulIOp::create(b, a, c);
}

Value Emitter::linearise(ValueRange indices, ValueRange bounds) {
  Value position;
  for (auto [index, bound] : llvm::zip_equal(indices, bounds))
    position = position ? add(mul(position, bound), index) : index;
  return position ? position : index(0);
}

SmallVector<Value> Emitter::delinearise(Value position, ValueRange bounds) {
  SmallVector<Value> indices(bounds.size());
  for (size_t i = bounds.size(); i-- > 1;) {
    indices[i] = arith::RemUIOp::create(b, position, bounds[i]);
    position = arith::DivUIOp::create(b, position, bounds[i]);
  }
  if (!bounds.empty())
    indices[0] = position;
  return indices;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void Emitter::loops(ValueRange bounds, Body body) {
  SmallVector<Value> lower(bounds.size(), index(0));
  carry(lower, bounds, {}, [&](ValueRange indices, ValueRange) {
    body(indices);
    return SmallVector<Value>();
  });
}

SmallVector<Value> Emitter::carry(ValueRange lower, ValueRange upper,
                                  ValueRange initial, CarryingBody body) {
  SmallVector<Value> steps(lower.size(), index(1));
  scf::LoopNest nest = scf::buildLoopNest(
      b, b.getLoc(), lower, upper, steps, initial,
      [&](OpBuilder &, Location, ValueRange indices, ValueRange carried) {
        return body(indices, carried);
      });
  return nest.results;
}

} // namespace gyre::plain
