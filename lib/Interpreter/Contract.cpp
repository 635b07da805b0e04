//===- Contract.cpp - Sums of products over named axes --------------------===//

#include "Semantics.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace gyre {

namespace {
/// An axis of the domain, with its stride in each operand and, last, in the
/// result; 0 in those that lack it.
struct Axis {
  int64_t size;
  SmallVector<int64_t> strides;
};
using Axes = llvm::MapVector<StringAttr, Axis>;

/// A sum over free axes, added to the cells of the result.
class Sum {
public:
  Sum(Operands inputs, Array &out) : out(out.data.data()) {
    for (const Array *input : inputs)
      this->inputs.push_back(input->data.data());
  }

  /// `at` holds an offset into each operand and, last, the result. The last of
  /// the axes, of which there is at least one, is the inner loop.
  void add(double coefficient, ArrayRef<Axis> axes, SmallVector<int64_t> at) {
    const Axis &axis = axes.front();
    for (int64_t i = 0; i < axis.size; ++i) {
      if (axes.size() > 1) {
        add(coefficient, axes.drop_front(), at);
      } else {
        double product = coefficient;
        for (size_t p = 0; p < inputs.size(); ++p)
          product *= inputs[p][at[p]];
        out[at.back()] += product;
      }
      for (size_t p = 0; p < at.size(); ++p)
        at[p] += axis.strides[p];
    }
  }

private:
  SmallVector<const double *> inputs;
  double *out;
};
} // namespace

/// Dimensions, and the axes within one, are row-major: one running stride.
static void setStrides(Axes &axes, size_t operand, ArrayAttr subscript) {
  int64_t stride = 1;
  for (Attribute group : llvm::reverse(subscript))
    for (Attribute name : llvm::reverse(cast<ArrayAttr>(group))) {
      Axis &axis = axes.find(cast<StringAttr>(name))->second;
      axis.strides[operand] = stride;
      stride *= axis.size;
    }
}

LogicalResult contract(ContractOp op, const Sizes &sizes, Operands inputs,
                       Array &out) {
  if (isa_and_present<RelationAttr>(op.getRelationAttr()))
    return op.emitError("[interpret-relation] expected an evaluated relation, "
                        "got a symbolic one: run gyre-specialise first");
  Axes axes;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    FailureOr<int64_t> size = sizes.evaluate(op, axis.getSize());
    if (failed(size))
      return failure();
    axes.insert(
        {axis.getName(), {*size, SmallVector<int64_t>(inputs.size() + 1, 0)}});
  }
  for (auto [operand, subscript] : llvm::enumerate(op.getSubscripts()))
    setStrides(axes, operand, cast<ArrayAttr>(subscript));
  setStrides(axes, inputs.size(), op.getResultSubscript());

  SmallVector<Axis> free;
  for (const auto &[name, axis] : axes)
    if (!llvm::is_contained(op.getRelationAxes(), name))
      free.push_back(axis);
  SmallVector<int64_t> origin(inputs.size() + 1, 0);
  if (free.empty())
    free.push_back({1, origin});

  Sum sum(inputs, out);
  TuplesAttr tuples = op.getTuples();
  if (!tuples) {
    sum.add(1.0, free, origin);
    return success();
  }
  SmallVector<Axis> tied;
  for (StringAttr name : tuples.getAxes())
    tied.push_back(axes.find(name)->second);
  for (int64_t t = 0; t < tuples.size(); ++t) {
    SmallVector<int64_t> at = origin;
    for (size_t a = 0; a < tied.size(); ++a) {
      int64_t index = tuples.tuple(t)[a];
      if (index < 0 || index >= tied[a].size)
        return op.emitError("[interpret-tuple-range] expected indices of axis ")
               << tuples.getAxes()[a] << " in [0, " << tied[a].size << "), got "
               << index;
      for (size_t p = 0; p < at.size(); ++p)
        at[p] += index * tied[a].strides[p];
    }
    sum.add(tuples.coefficient(t), free, at);
  }
  return success();
}

} // namespace gyre
