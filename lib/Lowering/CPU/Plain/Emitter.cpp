//===- Emitter.cpp - Loops over buffers, for one function -----------------===//

#include "Emitter.h"

#include "gyre/runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::plain {

Value Tables::get(ImplicitLocOpBuilder &b, DenseElementsAttr elements) {
  auto tensor = cast<RankedTensorType>(elements.getType());
  auto type = MemRefType::get(tensor.getShape(), tensor.getElementType());
  StringAttr &symbol = symbols[elements];
  if (!symbol) {
    symbol = b.getStringAttr("__gyre_table_" + Twine(symbols.size() - 1));
    OpBuilder::InsertionGuard guard(b);
    if (last)
      b.setInsertionPointAfter(last);
    else
      b.setInsertionPointToStart(module.getBody());
    last = memref::GlobalOp::create(b, symbol, b.getStringAttr("private"),
                                    TypeAttr::get(type), elements,
                                    b.getUnitAttr(), IntegerAttr());
  }
  return memref::GetGlobalOp::create(b, type, symbol.getValue());
}

Emitter::Emitter(FuncOp source, func::FuncOp body, const BufferPlan &plan,
                 EntryAttr entry, Tables &tables)
    : b(body.getLoc(), body.getContext()), body(body), tables(tables) {
  b.setInsertionPointToStart(&body.getBody().front());
  b.setInsertionPoint(func::ReturnOp::create(b));
  bindArguments(source, plan, entry);
}

void Emitter::bindArguments(FuncOp source, const BufferPlan &plan,
                            EntryAttr entry) {
  unsigned next = 0;
  auto take = [&]() -> Value { return body.getArgument(next++); };
  for (BlockArgument argument : source.getBody().getArguments()) {
    if (isa<MapType>(argument.getType())) {
      MapBuffers &map = maps[argument];
      map.index = take();
      map.order = take();
      map.ptr = take();
    } else {
      buffers[argument] = take();
    }
  }
  for (size_t i = 0; i < source.getResultTypes().size(); ++i)
    results.push_back(take());
  for (StringAttr name : entry.getSizes())
    sizeArguments[name] = take();
  for (auto [value, i] : plan.resultOf)
    buffers[value] = results[i];
  bindWorkspace(source, plan, take());
}

void Emitter::bindWorkspace(FuncOp source, const BufferPlan &plan,
                            Value workspace) {
  SmallVector<Value> offsets;
  Value offset = index(0);
  for (EntryBufferAttr buffer : plan.buffers) {
    offsets.push_back(offset);
    if (buffer.getBytes() == 0)
      continue;
    Value elements = size(buffer.getElements());
    offset = atStart([&]() -> Value {
      Value bytes = mul(elements, index(buffer.getBytes()));
      bytes = add(bytes, index(GYRE_ALIGNMENT - 1));
      bytes = arith::AndIOp::create(b, bytes, index(-GYRE_ALIGNMENT));
      return add(offset, bytes);
    });
  }
  source.walk([&](Operation *op) {
    for (Value value : op->getResults()) {
      auto it = plan.bufferOf.find(value);
      if (it == plan.bufferOf.end())
        continue;
      auto type = cast<TensorType>(value.getType());
      SmallVector<Value> dynamic;
      for (PolyAttr dim : type.getDims())
        if (!dim.getConstant())
          dynamic.push_back(size(dim));
      buffers[value] = atStart([&]() -> Value {
        return memref::ViewOp::create(
            b,
            MemRefType::get(type.getShape(),
                            getMemoryType(type.getElementType())),
            workspace, offsets[it->second], dynamic);
      });
    }
  });
}

//===----------------------------------------------------------------------===//
// Sizes and constants
//===----------------------------------------------------------------------===//

/// Builds at the start of the function, after all that was built there so far.
Value Emitter::atStart(function_ref<Value()> build) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = b.getLoc();
  b.setLoc(body.getLoc());
  Block *block = &body.getBody().front();
  if (endOfStart)
    b.setInsertionPointAfter(endOfStart);
  else
    b.setInsertionPointToStart(block);
  Value value = build();
  if (b.getInsertionPoint() != block->begin())
    endOfStart = &*std::prev(b.getInsertionPoint());
  b.setLoc(loc);
  return value;
}

Value Emitter::index(int64_t value) {
  Value &constant = constants[b.getIndexAttr(value)];
  if (!constant)
    constant = atStart(
        [&]() -> Value { return arith::ConstantIndexOp::create(b, value); });
  return constant;
}

Value Emitter::number(Type type, double value) {
  TypedAttr attr = isa<FloatType>(type)
                       ? TypedAttr(b.getFloatAttr(type, value))
                       : b.getIntegerAttr(type, static_cast<int64_t>(value));
  Value &constant = constants[attr];
  if (!constant)
    constant =
        atStart([&]() -> Value { return arith::ConstantOp::create(b, attr); });
  return constant;
}

Value Emitter::size(PolyAttr poly) {
  if (std::optional<int64_t> value = poly.getConstant())
    return index(*value);
  if (StringAttr name = poly.getVariable())
    return sizeArguments.at(name);
  Value &computed = polynomials[poly];
  if (computed)
    return computed;
  SmallVector<SmallVector<Value>> terms;
  for (auto [coef, monomial] :
       llvm::zip_equal(poly.getCoefs(), poly.getMonomials())) {
    SmallVector<Value> &factors = terms.emplace_back();
    if (coef != 1 || monomial.empty())
      factors.push_back(index(coef));
    for (StringAttr name : monomial.getAsRange<StringAttr>())
      factors.push_back(sizeArguments.at(name));
  }
  computed = atStart([&] {
    Value sum;
    for (ArrayRef<Value> factors : terms) {
      Value product = factors.front();
      for (Value factor : factors.drop_front())
        product = mul(product, factor);
      sum = sum ? add(sum, product) : product;
    }
    return sum;
  });
  return computed;
}

SmallVector<Value> Emitter::sizes(ArrayRef<PolyAttr> polys) {
  return llvm::map_to_vector(polys, [&](PolyAttr poly) { return size(poly); });
}

SmallVector<Value> Emitter::sizes(Value tensor) {
  return sizes(cast<TensorType>(tensor.getType()).getDims());
}

Value Emitter::table(ArrayRef<int64_t> elements) {
  auto type = RankedTensorType::get({static_cast<int64_t>(elements.size())},
                                    b.getI64Type());
  return atStart(
      [&] { return tables.get(b, DenseElementsAttr::get(type, elements)); });
}

Value Emitter::table(ArrayRef<double> elements, Type type) {
  auto values = llvm::map_to_vector(elements, [&](double value) {
    return cast<Attribute>(b.getFloatAttr(type, value));
  });
  auto tensor =
      RankedTensorType::get({static_cast<int64_t>(elements.size())}, type);
  return atStart(
      [&] { return tables.get(b, DenseElementsAttr::get(tensor, values)); });
}

} // namespace gyre::plain
