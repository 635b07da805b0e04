//===- Parameters.cpp - The values of a spec's parameters -----------------===//

#include "Parameters.h"

#include "gyre/Dialect/ContractBuilder.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace gyre {

std::optional<int64_t> Parameters::findSize(StringAttr name) const {
  auto it = sizes.find(name);
  return it == sizes.end() ? std::nullopt : std::make_optional(it->second);
}

Type Parameters::findType(StringAttr name) const {
  Type type = types.lookup(name);
  return type ? type : accumulators.lookup(name);
}

DictionaryAttr Parameters::toAttr(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  for (const auto &[name, value] : sizes)
    entries.emplace_back(name, builder.getI64IntegerAttr(value));
  for (const auto &[name, type] : types)
    entries.emplace_back(name, TypeAttr::get(type));
  return builder.getDictionaryAttr(entries);
}

/// What `set` says of each parameter; no entry where it says nothing.
using Assignments = llvm::MapVector<StringAttr, StringRef>;

static FailureOr<Assignments> readAssignments(SpecOp spec,
                                              ArrayRef<std::string> list) {
  SmallVector<StringAttr> known;
  for (Operation &op : *spec.getBody().begin()) {
    if (auto param = dyn_cast<ParamOp>(op))
      known.push_back(param.getNameAttr());
    else if (auto param = dyn_cast<TypeParamOp>(op))
      known.push_back(param.getNameAttr());
  }
  Assignments result;
  for (StringRef assignment : list) {
    auto [text, value] = assignment.split('=');
    if (assignment.find('=') == StringRef::npos)
      return spec.emitError("[specialise-param-value] expected name=value, "
                            "got `")
             << assignment << "`";
    auto name = StringAttr::get(spec.getContext(), text.trim());
    if (!llvm::is_contained(known, name)) {
      InFlightDiagnostic diag = spec.emitError(
          "[specialise-unknown-param] expected a parameter of @");
      diag << spec.getSymName() << " (";
      llvm::interleaveComma(
          known, diag, [&](StringAttr param) { diag << param.getValue(); });
      return diag << "), got `" << name.getValue() << "`";
    }
    if (!result.insert({name, value.trim()}).second)
      return spec.emitError("[specialise-param-value] expected one value for "
                            "each parameter, got two for `")
             << name.getValue() << "`";
  }
  return result;
}

static LogicalResult emitMissing(Operation *param, StringAttr name) {
  return param->emitError("[specialise-missing-param] expected a value for `")
         << name.getValue() << "`, which has no default, got none";
}

static LogicalResult readSize(ParamOp param, const Assignments &assignments,
                              Parameters &result) {
  StringAttr name = param.getNameAttr();
  auto given = assignments.find(name);
  int64_t value;
  if (given == assignments.end()) {
    IntegerAttr fallback = param.getDefaultValueAttr();
    if (!fallback)
      return emitMissing(param, name);
    value = fallback.getInt();
  } else if (given->second.getAsInteger(10, value)) {
    return param.emitError("[specialise-param-value] expected an integer for `")
           << name.getValue() << "`, got `" << given->second << "`";
  }
  int64_t lower = param.getLowerAttr().getInt();
  int64_t upper = param.getUpperAttr().getInt();
  if (value < lower || value > upper)
    return param.emitError("[specialise-param-range] expected `")
           << name.getValue() << "` in [" << lower << ", " << upper << "], got "
           << value;
  result.sizes.insert({name, value});
  return success();
}

static LogicalResult readType(TypeParamOp param, const Assignments &assignments,
                              Parameters &result) {
  StringAttr name = param.getNameAttr();
  auto given = assignments.find(name);
  if (given == assignments.end()) {
    TypeAttr fallback = param.getDefaultValueAttr();
    if (!fallback)
      return emitMissing(param, name);
    Type value = fallback.getValue();
    if (auto other = dyn_cast<ElementType>(value)) {
      value = result.types.lookup(other.getName());
      if (!llvm::is_contained(param.getChoices(), TypeAttr::get(value)))
        return param.emitError("[specialise-param-value] expected one of the "
                               "choices for `")
               << name.getValue() << "`, got " << value
               << " by default, that of `" << other.getName().getValue() << "`";
    }
    result.types.insert({name, value});
    return success();
  }
  SmallVector<std::string> texts;
  for (Type choice : param.getChoices().getAsValueRange<TypeAttr>()) {
    llvm::raw_string_ostream(texts.emplace_back()) << choice;
    if (texts.back() == given->second) {
      result.types.insert({name, choice});
      return success();
    }
  }
  return param.emitError("[specialise-param-value] expected one of ")
         << llvm::join(texts, ", ") << " for `" << name.getValue() << "`, got `"
         << given->second << "`";
}

FailureOr<Parameters> readParameters(SpecOp spec,
                                     ArrayRef<std::string> assignments) {
  FailureOr<Assignments> given = readAssignments(spec, assignments);
  if (failed(given))
    return failure();
  Parameters result;
  for (Operation &op : *spec.getBody().begin()) {
    if (auto param = dyn_cast<ParamOp>(op)) {
      if (failed(readSize(param, *given, result)))
        return failure();
    } else if (auto param = dyn_cast<TypeParamOp>(op)) {
      if (failed(readType(param, *given, result)))
        return failure();
    } else if (auto accumulator = dyn_cast<AccumulatorOp>(op)) {
      Type of = result.types.lookup(accumulator.getOfAttr());
      result.accumulators.insert(
          {accumulator.getNameAttr(), getImpliedAccumulator(of)});
    }
  }
  return result;
}

} // namespace gyre
