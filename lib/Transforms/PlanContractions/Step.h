//===- Step.h - One step of a contraction plan ------------------*- C++ -*-===//

#ifndef GYRE_LIB_TRANSFORMS_PLANCONTRACTIONS_STEP_H
#define GYRE_LIB_TRANSFORMS_PLANCONTRACTIONS_STEP_H

#include "../Simplify/ContractForm.h"

#include <map>

namespace gyre {

/// Number of a value that exists or that a step would form; equal ones have the
/// same.
using ValueId = unsigned;

/// A contract whose operands need not exist yet: `form.inputs` stays empty
/// until it is built.
struct Product {
  ContractForm form;
  llvm::SmallVector<ValueId> operands;
};

/// Numbers values, so that steps of different contracts that form the same
/// value meet.
class ValueNumbers {
public:
  ValueId get(mlir::Value value);
  /// Of what a product computes. Operands are to be in ascending order.
  ValueId get(const Product &product);
  void set(mlir::Value value, ValueId id) { values[value] = id; }

private:
  llvm::DenseMap<mlir::Value, ValueId> values;
  std::map<std::vector<int64_t>, ValueId> products;
  ValueId next = 0;
};

/// What steps take: first multiply-adds, then cells of intermediates.
struct Cost {
  double work = 0, cells = 0;

  bool operator<(const Cost &other) const {
    return std::tie(work, cells) < std::tie(other.work, other.cells);
  }
  Cost operator+(const Cost &other) const {
    return {work + other.work, cells + other.cells};
  }
  Cost operator*(double part) const { return {work * part, cells * part}; }
};

struct Step {
  Product product;
  ValueId result;
  Cost cost;
};

/// The contract as a whole as a step; its result is no intermediate.
Step makeLastStep(Product product, ValueNumbers &numbers);

/// Whether an axis is summed that the operand at `position` alone has.
bool hasOwnSum(const ContractForm &form, unsigned position);

/// When a step sums the tied axes that only its operands have.
enum class TiedSums { now, later };

/// Whether the operands at `positions` have such axes.
bool hasTiedSum(const ContractForm &form, llvm::ArrayRef<unsigned> positions);

/// Takes the operands at `positions` out of `product` as one step, whose result
/// becomes the last operand of what is left.
Step split(Product &product, llvm::ArrayRef<unsigned> positions,
           TiedSums tiedSums, ValueNumbers &numbers);

/// Multiply-adds of a contract as it stands, of one that only moves cells none.
PolyAttr countMultiplyAdds(const ContractForm &form);

} // namespace gyre

#endif // GYRE_LIB_TRANSFORMS_PLANCONTRACTIONS_STEP_H
