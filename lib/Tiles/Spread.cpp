//===- Spread.cpp - Cells that several cells of a result need -------------===//

#include "gyre/Tiles/Spread.h"

#include "AxisSet.h"

#include <set>

using namespace mlir;

namespace gyre::tiles {

/// Positions of the tuples' axes that a subscript names.
static SmallVector<size_t> getPositions(TuplesAttr tuples,
                                        ArrayAttr subscript) {
  AxisSet named = getAxes(subscript);
  SmallVector<size_t> positions;
  for (auto [i, axis] : llvm::enumerate(tuples.getAxes()))
    if (named.contains(axis))
      positions.push_back(i);
  return positions;
}

/// Whether no two tuples have the same indices at some positions.
static bool areDifferent(TuplesAttr tuples, ArrayRef<size_t> positions) {
  std::set<std::vector<int64_t>> seen;
  for (int64_t i = 0; i < tuples.size(); ++i) {
    std::vector<int64_t> indices;
    for (size_t position : positions)
      indices.push_back(tuples.tuple(i)[position]);
    if (!seen.insert(indices).second)
      return false;
  }
  return true;
}

/// The family that has tuple `tuples[number]` of each index along the operand's
/// axis, if these lie evenly.
static std::optional<Spread> getFamily(ContractOp op, size_t along,
                                       ArrayRef<SmallVector<int64_t>> members,
                                       size_t number) {
  TuplesAttr tuples = op.getTuples();
  Spread spread;
  spread.along = tuples.getAxes()[along];
  int64_t first = members.front()[number];
  spread.coefficient = tuples.coefficient(first);
  for (auto [position, axis] : llvm::enumerate(tuples.getAxes())) {
    if (position == along)
      continue;
    Spread::Tie tie{axis, tuples.tuple(first)[position], 0};
    if (members.size() > 1)
      tie.step = tuples.tuple(members[1][number])[position] - tie.first;
    for (auto [index, own] : llvm::enumerate(members))
      if (tuples.tuple(own[number])[position] !=
              tie.first + tie.step * static_cast<int64_t>(index) ||
          tuples.coefficient(own[number]) != spread.coefficient)
        return std::nullopt;
    spread.ties.push_back(tie);
  }
  return spread;
}

/// The families of tuples, if each index along an axis has one of each.
static std::optional<SmallVector<Spread, 2>> getFamilies(ContractOp op,
                                                         size_t along) {
  TuplesAttr tuples = op.getTuples();
  std::optional<int64_t> size =
      op.getAxisSize(tuples.getAxes()[along]).getConstant();
  if (!size)
    return std::nullopt;
  SmallVector<SmallVector<int64_t>> members(*size);
  for (int64_t i = 0; i < tuples.size(); ++i)
    members[tuples.tuple(i)[along]].push_back(i);
  size_t count = members.front().size();
  if (count == 0 ||
      llvm::any_of(members, [&](const SmallVector<int64_t> &each) {
        return each.size() != count;
      }))
    return std::nullopt;
  SmallVector<Spread, 2> families;
  for (size_t number = 0; number < count; ++number) {
    std::optional<Spread> family = getFamily(op, along, members, number);
    if (!family)
      return std::nullopt;
    families.push_back(*family);
  }
  return families;
}

std::optional<SmallVector<Spread, 2>> getSpreads(ContractOp op,
                                                 unsigned input) {
  TuplesAttr tuples = op.getTuples();
  if (op.getInputs().size() != 2 || !tuples || tuples.size() == 0 ||
      op.getInputs()[0] == op.getInputs()[1] ||
      op.getAccumulatorType() != op.getResult().getType().getElementType() ||
      (op.getPrecision() == Precision::fp64 &&
       !op.getAccumulatorType().isF64()))
    return std::nullopt;
  auto subscript = cast<ArrayAttr>(op.getSubscripts()[input]);
  AxisSet own = getAxes(subscript), written = getAxes(op.getResultSubscript());
  SmallVector<size_t> tied = getPositions(tuples, subscript);
  if (tied.size() != 1)
    return std::nullopt;
  // Free axes are those of both.
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    StringAttr name = axis.getName();
    if (!llvm::is_contained(tuples.getAxes(), name) &&
        !axis.getSize().isConstant(1) &&
        (!own.contains(name) || !written.contains(name)))
      return std::nullopt;
  }
  if (!areDifferent(tuples, getPositions(tuples, op.getResultSubscript())))
    return std::nullopt;
  return getFamilies(op, tied[0]);
}

/// Names of axes of a contract, by those that stand in the same place of
/// another one.
using Renamed = llvm::SmallDenseMap<StringAttr, StringAttr>;

/// Whether two subscripts are the same but for names.
static bool rename(ContractOp x, ArrayAttr ofX, ContractOp y, ArrayAttr ofY,
                   Renamed &names) {
  if (ofX.size() != ofY.size())
    return false;
  for (auto [from, to] : llvm::zip_equal(ofX.getAsRange<ArrayAttr>(),
                                         ofY.getAsRange<ArrayAttr>())) {
    if (from.size() != to.size())
      return false;
    for (auto [a, b] : llvm::zip_equal(from.getAsRange<StringAttr>(),
                                       to.getAsRange<StringAttr>()))
      if (names.try_emplace(a, b).first->second != b ||
          x.getAxisSize(a) != y.getAxisSize(b))
        return false;
  }
  return true;
}

bool goAlike(ContractOp x, unsigned ofX, ContractOp y, unsigned ofY) {
  auto first = getSpreads(x, ofX), second = getSpreads(y, ofY);
  Renamed names;
  if (!first || !second || first->size() != second->size() ||
      !rename(x, cast<ArrayAttr>(x.getSubscripts()[ofX]), y,
              cast<ArrayAttr>(y.getSubscripts()[ofY]), names) ||
      !rename(x, x.getResultSubscript(), y, y.getResultSubscript(), names))
    return false;
  for (auto [own, other] : llvm::zip_equal(*first, *second)) {
    if (names.lookup(own.along) != other.along)
      return false;
    for (const Spread::Tie &tie : own.ties) {
      // Others are those of the other operand alone.
      auto named = names.find(tie.axis);
      if (named == names.end())
        continue;
      auto found = llvm::find_if(other.ties, [&](const Spread::Tie &its) {
        return its.axis == named->second;
      });
      if (found == other.ties.end() || found->first != tie.first ||
          found->step != tie.step)
        return false;
    }
  }
  return true;
}

std::optional<SmallVector<Spread, 2>> getTerms(ContractOp op) {
  constexpr size_t most = 8;
  TuplesAttr tuples = op.getTuples();
  if (!tuples || tuples.size() == 0)
    return std::nullopt;
  SmallVector<size_t> tied = getPositions(tuples, op.getResultSubscript());
  if (tied.size() != 1)
    return std::nullopt;
  std::optional<SmallVector<Spread, 2>> terms = getFamilies(op, tied[0]);
  if (terms && terms->size() > most)
    return std::nullopt;
  return terms;
}

bool coversResult(ContractOp op) {
  TuplesAttr tuples = op.getTuples();
  SmallVector<size_t> positions = getPositions(tuples, op.getResultSubscript());
  int64_t cells = 1;
  for (size_t position : positions) {
    std::optional<int64_t> size =
        op.getAxisSize(tuples.getAxes()[position]).getConstant();
    if (!size)
      return false;
    cells *= *size;
  }
  return areDifferent(tuples, positions) && cells == tuples.size();
}

} // namespace gyre::tiles
