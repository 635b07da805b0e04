//===- Call.h - One call of a compiled kernel -------------------*- C++ -*-===//
//
// gyre_rt_enter in steps. Each step relies on those before it, and the first
// failure ends the call.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_LIB_RUNTIME_CALL_H
#define GYRE_LIB_RUNTIME_CALL_H

#include "Tensor.h"
#include "gyre/Runtime/EntryTable.h"

namespace gyre::runtime {

struct Call {
  entry::Reader table;
  void *const *args;
  const gyre_context *ctx;
  int64_t *frame;

  const gyre_tensor &tensor(int64_t operand) const {
    return *static_cast<const gyre_tensor *>(args[operand]);
  }
  const gyre_map &map(int64_t operand) const {
    return *static_cast<const gyre_map *>(args[operand]);
  }
  Subject subject(int64_t operand, const entry::OperandView &view) const {
    return {table.function(),
            operand < table.arguments() ? "argument" : "result",
            table.text(view.name())};
  }

  /// Dimension `number` as the operand has it.
  int64_t actual(int64_t operand, const entry::OperandView &view,
                 int64_t number) const {
    if (!view.isMap())
      return tensor(operand).shape[number];
    return number < view.rank() ? map(operand).shape[number]
                                : map(operand).target;
  }

  /// Checks every operand by itself: there, on the right device, of the right
  /// dtype and rank.
  gyre_status checkOperands() const;

  /// Checks that all operands are on one device, if there can be several.
  gyre_status checkOneDevice() const;

  /// Takes the sizes from the first operand that has each as a dimension, and
  /// writes them to the frame.
  gyre_status bindSizes() const;

  /// Checks every dimension against its polynomial in the sizes.
  gyre_status checkDimensions() const;

  /// Checks strides, alignment and data, and writes the descriptors of the
  /// operands to the frame.
  gyre_status describeOperands() const;

  /// Checks the context, and writes the descriptor of the workspace and the
  /// stream to the frame.
  gyre_status describeWorkspace() const;

  /// Checks that results and workspace share memory with nothing else.
  gyre_status checkOverlaps() const;

  /// Checks the contents of maps, if the context asks for it.
  gyre_status checkMaps() const;
};

/// Computes the bytes of the workspace at `sizes`.
gyre_status workspaceBytes(const entry::Reader &table, const int64_t *sizes,
                           int64_t &bytes);

} // namespace gyre::runtime

#endif // GYRE_LIB_RUNTIME_CALL_H
