//===- ContractForm.cpp - A contract with numbered axes -------------------===//

#include "ContractForm.h"

#include "gyre/Dialect/ContractBuilder.h"

#include <map>
#include <set>

using namespace mlir;

namespace gyre {

//===----------------------------------------------------------------------===//
// TupleList
//===----------------------------------------------------------------------===//

bool TupleList::isInjectiveOn(llvm::function_ref<bool(AxisId)> keep) const {
  std::set<std::vector<int64_t>> seen;
  for (const auto &[tuple, coefficient] : tuples) {
    std::vector<int64_t> kept;
    for (size_t i = 0; i < axes.size(); ++i)
      if (keep(axes[i]))
        kept.push_back(tuple[i]);
    if (!seen.insert(kept).second)
      return false;
  }
  return true;
}

void TupleList::project(AxisId axis) {
  size_t position = llvm::find(axes, axis) - axes.begin();
  axes.erase(axes.begin() + position);
  for (auto &[tuple, coefficient] : tuples)
    tuple.erase(tuple.begin() + position);
  normalise();
}

void TupleList::normalise() {
  std::map<std::vector<int64_t>, double> sums;
  for (const auto &[tuple, coefficient] : tuples)
    sums[std::vector<int64_t>(tuple.begin(), tuple.end())] += coefficient;
  tuples.clear();
  for (const auto &[tuple, coefficient] : sums)
    if (coefficient != 0)
      tuples.push_back({llvm::SmallVector<int64_t>(tuple.begin(), tuple.end()),
                        coefficient});
}

TupleList TupleList::join(const TupleList &a, const TupleList &b) {
  TupleList joined;
  joined.axes = a.axes;
  SmallVector<std::pair<size_t, size_t>> shared;
  SmallVector<size_t> added;
  for (size_t j = 0; j < b.axes.size(); ++j) {
    auto *it = llvm::find(a.axes, b.axes[j]);
    if (it != a.axes.end()) {
      shared.push_back({it - a.axes.begin(), j});
    } else {
      joined.axes.push_back(b.axes[j]);
      added.push_back(j);
    }
  }
  for (const auto &[x, p] : a.tuples) {
    for (const auto &[y, q] : b.tuples) {
      if (!llvm::all_of(shared, [&, &x = x, &y = y](auto pair) {
            return x[pair.first] == y[pair.second];
          }))
        continue;
      SmallVector<int64_t> tuple(x);
      for (size_t j : added)
        tuple.push_back(y[j]);
      joined.tuples.push_back({tuple, p * q});
    }
  }
  joined.normalise();
  return joined;
}

//===----------------------------------------------------------------------===//
// ContractForm
//===----------------------------------------------------------------------===//

std::optional<ContractForm> ContractForm::get(ContractOp op) {
  if (op.getRelationAttr() && !op.getTuples())
    return std::nullopt;
  ContractForm form;
  DenseMap<StringAttr, AxisId> ids;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    ids[axis.getName()] = form.addAxis(axis.getSize());
  auto number = [&](ArrayAttr subscript) {
    AxisSubscript numbered;
    for (Attribute entry : subscript) {
      AxisGroup group;
      for (Attribute axis : cast<ArrayAttr>(entry))
        group.push_back(ids.lookup(cast<StringAttr>(axis)));
      numbered.push_back(group);
    }
    return numbered;
  };
  form.inputs.assign(op.getInputs().begin(), op.getInputs().end());
  for (ArrayAttr subscript : op.getSubscripts().getAsRange<ArrayAttr>())
    form.subscripts.push_back(number(subscript));
  form.result = number(op.getResultSubscript());
  form.relation = TupleList::free();
  if (TuplesAttr tuples = op.getTuples()) {
    form.relation.tuples.clear();
    for (StringAttr axis : tuples.getAxes())
      form.relation.axes.push_back(ids.lookup(axis));
    for (int64_t i = 0; i < tuples.size(); ++i)
      form.relation.tuples.push_back(
          {SmallVector<int64_t>(tuples.tuple(i)), tuples.coefficient(i)});
  }
  // An accumulator that is the implied one anyway is not worth saying.
  auto type = cast<TensorType>(op.getResult().getType());
  if (op.getAccumulatorType() != getImpliedAccumulator(type.getElementType()))
    form.acc = op.getAccAttr();
  form.precision = op.getPrecisionAttr();
  return form;
}

/// a, b, …, z, a1, b1, … without `x`, which separates sizes.
static std::string getAxisName(unsigned i) {
  constexpr StringLiteral letters = "abcdefghijklmnopqrstuvwyz";
  std::string name(1, letters[i % letters.size()]);
  if (i >= letters.size())
    name += std::to_string(i / letters.size());
  return name;
}

ContractOp ContractForm::build(OpBuilder &builder, Location loc) const {
  SmallVector<StringAttr> names(sizes.size());
  SmallVector<AxisAttr> domain;
  SmallVector<AxisId> order;
  auto name = [&](const AxisSubscript &subscript) {
    SmallVector<Attribute> entries;
    for (const AxisGroup &group : subscript) {
      SmallVector<Attribute> members;
      for (AxisId axis : group) {
        if (!names[axis]) {
          names[axis] = builder.getStringAttr(getAxisName(domain.size()));
          domain.push_back(
              AxisAttr::get(builder.getContext(), names[axis], sizes[axis]));
          order.push_back(axis);
        }
        members.push_back(names[axis]);
      }
      entries.push_back(builder.getArrayAttr(members));
    }
    return builder.getArrayAttr(entries);
  };
  SmallVector<ArrayAttr> named;
  for (const AxisSubscript &subscript : subscripts)
    named.push_back(name(subscript));
  ArrayAttr resultSubscript = name(result);

  Attribute tuples;
  if (!relation.isFree()) {
    SmallVector<StringAttr> axes;
    SmallVector<size_t> positions;
    for (AxisId axis : order)
      if (relation.has(axis)) {
        axes.push_back(names[axis]);
        positions.push_back(llvm::find(relation.axes, axis) -
                            relation.axes.begin());
      }
    SmallVector<int64_t> indices;
    SmallVector<double> coefficients;
    for (const auto &[tuple, coefficient] : relation.tuples) {
      for (size_t position : positions)
        indices.push_back(tuple[position]);
      coefficients.push_back(coefficient);
    }
    tuples = TuplesAttr::getCanonical(builder.getContext(), axes, indices,
                                      coefficients);
  }
  return buildContract(builder, loc, inputs, named, resultSubscript, domain,
                       tuples, acc, precision);
}

bool ContractForm::contains(const AxisSubscript &subscript, AxisId axis) {
  return llvm::any_of(subscript, [&](const AxisGroup &group) {
    return llvm::is_contained(group, axis);
  });
}

bool ContractForm::isRead(AxisId axis) const {
  return llvm::any_of(subscripts, [&](const AxisSubscript &subscript) {
    return contains(subscript, axis);
  });
}

void ContractForm::substitute(AxisId axis, const AxisGroup &group) {
  auto replace = [&](AxisSubscript &subscript) {
    for (AxisGroup &entry : subscript) {
      auto *it = llvm::find(entry, axis);
      if (it == entry.end())
        continue;
      it = entry.erase(it);
      entry.insert(it, group.begin(), group.end());
    }
  };
  llvm::for_each(subscripts, replace);
  replace(result);
}

} // namespace gyre
