//===- SugarOps.cpp - Result types of the named ops -----------------------===//

#include "gyre/Dialect/Gyre.h"

using namespace mlir;

namespace gyre {

namespace {
/// Sizes that a maximal degree implies (docs/operators.md 1.1).
struct DegreeSizes {
  explicit DegreeSizes(PolyAttr degree)
      : one(PolyAttr::constant(degree.getContext(), 1)), degree(degree) {}

  /// (L+1)^2
  PolyAttr coefficients() const {
    PolyAttr next = degree.add(one);
    return next.mul(next);
  }
  /// 3L+1
  PolyAttr rows() const {
    return degree.mul(PolyAttr::constant(degree.getContext(), 3)).add(one);
  }
  /// 3(L+1)^2 - 2
  PolyAttr packedEntries() const {
    MLIRContext *context = degree.getContext();
    return coefficients()
        .mul(PolyAttr::constant(context, 3))
        .sub(PolyAttr::constant(context, 2));
  }
  /// (L+1)^2 + L^2
  PolyAttr kernelSlots() const {
    return coefficients().add(degree.mul(degree));
  }

  PolyAttr one, degree;
};

/// The type of an operand that may be missing, for messages.
std::string describe(Value operand) {
  std::string text = "none";
  if (operand)
    llvm::raw_string_ostream(text = "'") << operand.getType() << "'";
  return text;
}

/// Whether `type` has these sizes; a null entry stands for any.
bool hasDims(TensorType type, ArrayRef<PolyAttr> dims) {
  return type.rank() == static_cast<int64_t>(dims.size()) &&
         llvm::all_of(llvm::zip_equal(type.getDims(), dims), [](auto pair) {
           return !std::get<1>(pair) || std::get<0>(pair) == std::get<1>(pair);
         });
}
} // namespace

LogicalResult RotateOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         RotateOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  TensorType x = TensorType::getOperand(loc, adaptor.getX());
  TensorType wigner = TensorType::getOperand(loc, adaptor.getWigner());
  if (!x || !wigner)
    return failure();
  DegreeSizes sizes(adaptor.getDegree());
  PolyAttr d = sizes.coefficients();
  // Of a negative degree (L+1)^2 looks like a size.
  if (sizes.degree.getConstant().value_or(0) < 0 || !hasDims(x, {{}, d, {}}) ||
      (!hasDims(wigner, {x.getDims()[0], d, d}) &&
       !hasDims(wigner, {x.getDims()[0], sizes.packedEntries()})) ||
      x.getElementType() != wigner.getElementType())
    return emitOptionalError(
        loc,
        "[rotate-shape] expected x (E, D, C) and wigner (E, D, D), or packed "
        "(E, 3*D - 2), of one element type with D = (L + 1)^2 and L = ",
        sizes.degree.str(), " of at least 0, got ", x, " and ", wigner);
  return TensorType::infer(loc, {x.getDims()[0], sizes.rows(), x.getDims()[2]},
                           x.getElementType(), inferred);
}

LogicalResult DegreeMixOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            DegreeMixOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  TensorType x = TensorType::getOperand(loc, adaptor.getX());
  TensorType kernel = TensorType::getOperand(loc, adaptor.getKernel());
  if (!x || !kernel)
    return failure();
  DegreeSizes sizes(adaptor.getDegree());
  bool ok = hasDims(x, {{}, sizes.rows(), {}}) &&
            x.getElementType() == kernel.getElementType();
  if (Value value = adaptor.getBasis()) {
    TensorType basis = TensorType::getOperand(loc, value);
    if (!basis)
      return failure();
    ok = ok && hasDims(basis, {{}, x.getDims()[2]}) &&
         basis.getElementType() == x.getElementType() &&
         hasDims(kernel,
                 {x.getDims()[0], sizes.kernelSlots().mul(basis.getDims()[0])});
  } else {
    ok = ok && hasDims(kernel, {x.getDims()[0], sizes.degree.add(sizes.one),
                                x.getDims()[2]});
  }
  if (!ok)
    return emitOptionalError(
        loc,
        "[degree-mix-shape] expected x (E, 3*L + 1, C) and a kernel "
        "(E, L + 1, C), or with a basis (R, C) a kernel "
        "(E, ((L + 1)^2 + L^2)*R), of one element type with L = ",
        sizes.degree.str(), ", got ", x, ", ", kernel, " and basis ",
        describe(adaptor.getBasis()));
  inferred.push_back(x);
  return success();
}

LogicalResult
GatedActivationOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                    GatedActivationOp::Adaptor adaptor,
                                    SmallVectorImpl<Type> &inferred) {
  TensorType z = TensorType::getOperand(loc, adaptor.getZ());
  if (!z)
    return failure();
  DegreeSizes sizes(adaptor.getDegree());
  PolyAttr c = adaptor.getChannels();
  bool ok = hasDims(z, {{}, {}, sizes.rows().mul(c)});
  if (Value value = adaptor.getGate()) {
    TensorType gate = TensorType::getOperand(loc, value);
    if (!gate)
      return failure();
    ok = ok && gate.getElementType() == z.getElementType() &&
         hasDims(gate, {z.getDims()[0], c, sizes.degree.mul(c)});
  } else {
    ok = ok && sizes.degree.isConstant(0);
  }
  if (!ok)
    return emitOptionalError(
        loc,
        "[gated-activation-shape] expected z (F, E, (3*L + 1)*C) and a "
        "gate (F, C, L*C) (no gate for L = 0) of one element type with "
        "L = ",
        sizes.degree.str(), " and C = ", c.str(), ", got ", z, " and gate ",
        describe(adaptor.getGate()));
  inferred.push_back(z);
  return success();
}

} // namespace gyre
