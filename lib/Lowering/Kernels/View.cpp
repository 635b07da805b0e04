//===- View.cpp - Where the cells of a row are in memory ------------------===//

#include "View.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gyre::kernels {

Value constant(Builder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

Value constant32(Builder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

//===----------------------------------------------------------------------===//
// Lane axes
//===----------------------------------------------------------------------===//

LaneAxes LaneAxes::get(KernelOp kernel, const cells::BodyAxes &axes) {
  LaneAxes lanes;
  for (auto [axis, place] :
       llvm::enumerate(kernel.getScheduleAttr().getPlaces()))
    if (place == Place::lane) {
      lanes.axes.push_back(axis);
      lanes.sizes.push_back(axes.size(axis));
    }
  // The order in which values have them.
  for (Operation &op : kernel.getBody().front())
    for (Value value : op.getResults()) {
      SmallVector<unsigned> found;
      for (unsigned axis : axes.of(value))
        if (llvm::is_contained(lanes.axes, axis))
          found.push_back(axis);
      if (found.size() != lanes.axes.size() || found.empty())
        continue;
      lanes.axes = found;
      for (auto [axis, size] : llvm::zip_equal(lanes.axes, lanes.sizes))
        size = axes.size(axis);
      return lanes;
    }
  return lanes;
}

int64_t LaneAxes::width() const {
  int64_t width = 1;
  for (int64_t size : sizes)
    width *= size;
  return width;
}

SmallVector<Value> LaneAxes::coordinates(Builder &b, Value start) const {
  SmallVector<Value> result(sizes.size());
  for (size_t i = sizes.size(); i > 0; --i) {
    if (i == 1) {
      result[0] = start;
      break;
    }
    Value size = constant(b, sizes[i - 1]);
    result[i - 1] = arith::RemUIOp::create(b, start, size);
    start = arith::DivUIOp::create(b, start, size);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

View::View(Value value, std::optional<unsigned> rowsDim,
           const cells::BodyAxes &axes, const LaneAxes &lanes)
    : rowsDim(rowsDim) {
  auto type = cast<TensorType>(value.getType());
  element = type.getElementType();
  for (int64_t dim = type.rank(); dim > 0; --dim) {
    bool outer = rowsDim && dim - 1 < static_cast<int64_t>(*rowsDim);
    const cells::AxisList &list = axes.of(value, dim - 1);
    for (unsigned axis : llvm::reverse(list)) {
      Stride stride{rowCells, outer, std::nullopt};
      auto lane = llvm::find(lanes.axes, axis);
      if (lane != lanes.axes.end())
        stride.lane = lane - lanes.axes.begin();
      strides.push_back(stride);
      rowCells *= axes.size(axis);
    }
    if (rowsDim && dim - 1 == static_cast<int64_t>(*rowsDim))
      rowStride = rowCells;
  }
  if (rowsDim && *rowsDim == type.rank())
    rowStride = 1;
  std::reverse(strides.begin(), strides.end());
}

int64_t View::getElementBytes() const {
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

std::pair<int64_t, bool> View::laneStride() const {
  for (const Stride &stride : llvm::reverse(strides))
    if (stride.lane)
      return {stride.elements, stride.timesRows};
  return {0, false};
}

static Value gep(Builder &b, Type element, Value pointer, Value offset) {
  return LLVM::GEPOp::create(b, pointer.getType(), element, pointer, offset);
}

Value View::atLane(Builder &b, const Array &array,
                   ValueRange coordinates) const {
  if (coordinates.empty())
    return array.base;
  Value pointer = array.base;
  for (const Stride &stride : strides) {
    if (!stride.lane)
      continue;
    Value offset = arith::MulIOp::create(b, coordinates[*stride.lane],
                                         constant(b, stride.elements));
    if (stride.timesRows)
      offset = arith::MulIOp::create(b, offset, array.rows);
    pointer = gep(b, element, pointer, offset);
  }
  return pointer;
}

Value View::atRow(Builder &b, Value pointer, Value row) const {
  if (!rowsDim)
    return pointer;
  return gep(b, element, pointer,
             arith::MulIOp::create(b, row, constant(b, rowStride)));
}

std::pair<int64_t, int64_t> View::offset(ArrayRef<int64_t> index) const {
  int64_t fixed = 0, timesRows = 0;
  for (auto [at, stride] : llvm::zip_equal(index, strides))
    (stride.timesRows ? timesRows : fixed) += at * stride.elements;
  return {fixed, timesRows};
}

Value View::atCell(Builder &b, Value pointer, Value rows,
                   ArrayRef<int64_t> index) const {
  auto [fixed, timesRows] = offset(index);
  if (timesRows != 0)
    pointer = gep(b, element, pointer,
                  arith::MulIOp::create(b, rows, constant(b, timesRows)));
  if (fixed != 0)
    pointer = gep(b, element, pointer, constant(b, fixed));
  return pointer;
}

Value View::atRowCell(Builder &b, const Array &array, Value row,
                      Value cell) const {
  // Rows are between an outer and an inner part of the cells.
  Value inner = cell, offset;
  if (!isRowCompact()) {
    Value width = constant(b, rowStride);
    Value outer = arith::DivUIOp::create(b, cell, width);
    inner = arith::RemUIOp::create(b, cell, width);
    offset = arith::MulIOp::create(
        b, arith::MulIOp::create(b, outer, array.rows), width);
  }
  Value pointer = atRow(b, array.base, row);
  if (offset)
    pointer = gep(b, element, pointer, offset);
  return gep(b, element, pointer, inner);
}

} // namespace gyre::kernels
