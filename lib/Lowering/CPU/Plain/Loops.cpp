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

Value Emitter::load(Value memref, ValueRange indices) {
  return memref::LoadOp::create(b, memref, indices);
}

Value Emitter::loadIndex(Value memref, Value position) {
  return arith::IndexCastOp::create(b, b.getIndexType(),
                                    load(memref, position));
}

void Emitter::store(Value scalar, Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  memref::StoreOp::create(b, convert(scalar, element), memref, indices);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Type Emitter::computeType(Type element) {
  if (isa<Float16Type, BFloat16Type>(element))
    return Float32Type::get(element.getContext());
  return element;
}

Value Emitter::convert(Value scalar, Type type) {
  Type from = scalar.getType();
  if (from == type)
    return scalar;
  unsigned width = type.getIntOrFloatBitWidth();
  if (from.getIntOrFloatBitWidth() == width) // f16 and bf16
    return convert(convert(scalar, b.getF32Type()), type);
  if (from.getIntOrFloatBitWidth() < width)
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
