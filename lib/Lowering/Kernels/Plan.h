//===- Plan.h - What the code of one kernel is made from --------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_PLAN_H
#define GYRE_LIB_LOWERING_KERNELS_PLAN_H

#include "Body.h"

#include <map>

namespace gyre::kernels {

/// The parameters of a kernel's code: values of the host program, and what they
/// are inside.
class Params {
public:
  enum Kind {
    tensor,  ///< pointer to a value
    index,   ///< of a map: node of each row
    order,   ///< of a map: rows by node
    ptr,     ///< of a map: where each node's rows begin in `order`
    size,    ///< a size, i64
    result,  ///< pointer to a result of the kernel, by number
    partial, ///< pointer to the parts of a result, or to what is packed for it
    span,    ///< rows of a worker, i64
    workers, ///< number of workers, i64
  };

  void add(Kind kind, uintptr_t what, mlir::Value host);
  void add(Kind kind, mlir::Value what, mlir::Value host) {
    add(kind, reinterpret_cast<uintptr_t>(what.getAsOpaquePointer()), host);
  }
  void addSize(PolyAttr size, mlir::Value host) {
    add(Kind::size, reinterpret_cast<uintptr_t>(size.getAsOpaquePointer()),
        host);
  }
  llvm::ArrayRef<mlir::Value> getHost() const { return host; }
  mlir::Value getHost(Kind kind) const { return host[numbers.at({kind, 0})]; }
  /// Says what the parameters are inside the code.
  void bind(mlir::ValueRange values) {
    inside.assign(values.begin(), values.end());
  }

  mlir::Value get(Kind kind, uintptr_t what = 0) const {
    return inside[numbers.at({kind, what})];
  }
  mlir::Value get(Kind kind, mlir::Value what) const {
    return get(kind, reinterpret_cast<uintptr_t>(what.getAsOpaquePointer()));
  }
  mlir::Value getSize(PolyAttr size) const {
    return get(Kind::size,
               reinterpret_cast<uintptr_t>(size.getAsOpaquePointer()));
  }

private:
  std::map<std::pair<Kind, uintptr_t>, unsigned> numbers;
  Values host, inside;
};

/// A kernel, or a part of its cells, with the layouts of what it reads and
/// writes.
struct Plan {
  /// A plan for each part.
  static mlir::FailureOr<std::vector<Plan>> get(KernelOp kernel);
  /// Whether the code of a target can follow the schedule.
  mlir::LogicalResult checkForCPU() const;
  mlir::LogicalResult checkForCUDA() const;

  DeliveryKind kind(unsigned result) const {
    return KernelOp(kernel).getDelivery(result).getKind();
  }
  /// The number of rows of a result: of the kernel, or of its owner's nodes.
  PolyAttr getResultRows(unsigned result) const;
  /// The largest of schedule's numbers of workers, as there are two partial
  /// rows of each.
  int64_t getPartialRows(unsigned result) const;
  /// Whether sums over lanes go into a result.
  bool hasPartial(unsigned result) const;
  bool isZero(cells::NodeId node) const;
  /// Whether rows of a result are written as zeros first: they have cells which
  /// nothing goes into.
  bool isCleared(unsigned result) const;
  bool delivers(DeliveryKind kind) const;
  /// The sums over rows that go to results of a kind.
  llvm::SmallVector<cells::NodeId> getCarried(DeliveryKind kind) const;

  /// Points a body to what is the same for all rows.
  void pointShared(Builder &b, const Params &params,
                   mlir::ValueRange coordinates, Body &body) const;
  /// Points a body to the rows `row` of all that it reads.
  void pointRows(Builder &b, const Params &params, mlir::ValueRange coordinates,
                 mlir::Value row,
                 llvm::function_ref<mlir::Value(mlir::Value map)> nodeOf,
                 Body &body) const;
  /// Where row `row` of an array like result `i` is.
  RowPointer pointResult(Builder &b, unsigned i, const Array &array,
                         mlir::ValueRange coordinates, mlir::Value row) const;
  /// The result that a carried node is delivered to, and its cell.
  const cells::DeliveredCell &getDelivered(cells::NodeId node) const;

  KernelOp kernel;
  ScheduleAttr schedule;
  cells::BodyAxes axes;
  LaneAxes lanes;
  cells::CellGraph graph;
  cells::Order order;
  /// Whether all of the kernel is computed when this part is.
  bool isLast = true;
  /// Of the values that the body reads, and of the results.
  llvm::MapVector<mlir::Value, View> views;
  llvm::SmallVector<View> results;

private:
  void lookAtValues();
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_PLAN_H
