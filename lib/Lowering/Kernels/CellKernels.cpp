//===- CellKernels.cpp - Kernels of cells ---------------------------------===//
//
// Cells are counted row-major; neighbours are neighbours in memory. Of parts,
// the first ones of all cells come first.
//
//===----------------------------------------------------------------------===//

#include "CellKernels.h"

#include "CellCode.h"

#include "../Entry.h"

#include "gyre/Dialect/PolySyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace gyre::kernels {

CellInputs::CellInputs(CellsOp kernel) {
  AttrTypeWalker walker;
  walker.addWalk([&](PolyAttr size) {
    size.walkVariables([&](StringAttr name) { sizes.insert(name); });
  });
  for (Operation &op : kernel.getBody().front()) {
    walker.walk(op.getAttrDictionary());
    for (Value value : op.getOperands()) {
      walker.walk(value.getType());
      if (isa<MapType>(value.getType()))
        maps.insert(value);
      else if (value.getParentRegion() != &kernel.getBody())
        tensors.insert(value);
    }
    for (Type type : op.getResultTypes())
      walker.walk(type);
  }
}

static TensorType getType(CellsOp kernel, unsigned result = 0) {
  return cast<TensorType>(kernel.getResult(result).getType());
}

SmallVector<SmallVector<unsigned, 1>, 1> groupResults(CellsOp kernel) {
  SmallVector<SmallVector<unsigned, 1>, 1> groups;
  for (unsigned i = 0; i < kernel.getNumResults(); ++i) {
    auto alike = llvm::find_if(groups, [&](ArrayRef<unsigned> group) {
      return getType(kernel, group.front()).getDims() ==
             getType(kernel, i).getDims();
    });
    if (alike == groups.end())
      groups.push_back({i});
    else
      alike->push_back(i);
  }
  return groups;
}

std::string nameGroup(const std::string &name, size_t number) {
  return number == 0 ? name : name + "_" + std::to_string(number);
}

PolyAttr countCells(CellsOp kernel, unsigned result) {
  return countElements(getType(kernel, result));
}

PolyAttr countWork(CellsOp kernel, unsigned result) {
  return countCells(kernel, result)
      .mul(PolyAttr::constant(kernel.getContext(),
                              kernel.getParts().value_or(1)));
}

Type getPartType(CellsOp kernel) {
  ContractOp sum = kernel.getSum();
  return sum.getPrecision() == Precision::fp64
             ? Type(Float64Type::get(kernel.getContext()))
             : sum.getAccumulatorType();
}

/// The sizes that are summed, and cut.
static SmallVector<PolyAttr> getSummed(ContractOp sum) {
  SmallVector<PolyAttr> sizes;
  for (AxisAttr axis : sum.getDomain().getAsRange<AxisAttr>()) {
    bool written = llvm::is_contained(sum.getRelationAxes(), axis.getName());
    walkAxes(sum.getResultSubscript(),
             [&](StringAttr name) { written |= name == axis.getName(); });
    if (!written && !axis.getSize().getConstant())
      sizes.push_back(axis.getSize());
  }
  return sizes;
}

Value emitSize(Builder &b, const Params &params, PolyAttr size) {
  Value sum = constant(b, 0);
  for (auto [coef, monomial] :
       llvm::zip_equal(size.getCoefs(), size.getMonomials())) {
    Value product = constant(b, coef);
    for (StringAttr name : monomial.getAsRange<StringAttr>())
      product = arith::MulIOp::create(b, product,
                                      params.getSize(PolyAttr::variable(name)));
    sum = arith::AddIOp::create(b, sum, product);
  }
  return sum;
}

static void emitPart(Builder &b, CellsOp kernel, const Params &params,
                     CellCode &code, Value at) {
  ContractOp sum = kernel.getSum();
  Value cells = code.size(countCells(kernel));
  Value part = arith::DivUIOp::create(b, at, cells);
  Value cell = arith::RemUIOp::create(b, at, cells);
  Value all = code.count(getSummed(sum));
  Value width =
      arith::CeilDivSIOp::create(b, all, constant(b, *kernel.getParts()));
  Value lo = arith::MulIOp::create(b, part, width);
  Value hi =
      arith::MinSIOp::create(b, arith::AddIOp::create(b, lo, width), all);
  Values index = code.delinearise(cell, getType(kernel).getDims());
  Value number = code.getSum(sum, index, std::make_pair(lo, hi));
  code.store(number, number.getType(), params.get(Params::partial), at);
}

void emitCell(Builder &b, CellsOp kernel, const Params &params, Tables &tables,
              ArrayRef<unsigned> results, Value at) {
  CellCode code(b, kernel, params, tables);
  if (kernel.getParts())
    return emitPart(b, kernel, params, code, at);
  Values index =
      code.delinearise(at, getType(kernel, results.front()).getDims());
  Values numbers;
  for (unsigned i : results)
    numbers.push_back(code.get(kernel.getDeliver().getValues()[i], index));
  for (auto [i, number] : llvm::zip_equal(results, numbers))
    code.store(number, getType(kernel, i).getElementType(),
               params.get(Params::result, i), at);
}

void emitCellOfParts(Builder &b, CellsOp kernel, const Params &params,
                     Tables &tables, Value at) {
  CellCode code(b, kernel, params, tables);
  Type type = getPartType(kernel), element = getType(kernel).getElementType();
  Value cells = code.size(countCells(kernel));
  Value base = params.get(Params::partial);
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
  Value first = constant(b, 0), end = constant(b, *kernel.getParts());
  Value sum =
      code.loop(first, end, zero, [&](Value part, ValueRange sum) -> Values {
        Value place =
            arith::AddIOp::create(b, arith::MulIOp::create(b, part, cells), at);
        Value pointer =
            LLVM::GEPOp::create(b, base.getType(), type, base, place);
        Value number = LLVM::LoadOp::create(b, type, pointer);
        return {arith::AddFOp::create(b, sum[0], number)};
      })[0];
  code.store(code.convert(sum, element), element,
             params.get(Params::result, uintptr_t(0)), at);
}

} // namespace gyre::kernels
