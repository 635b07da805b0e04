//===- Header.cpp - The C header of a library -----------------------------===//

#include "Names.h"
#include "Signature.h"

#include "gyre/Emit/Emit.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace gyre {

using namespace emit;

std::string getLibraryFileName(ModuleOp module) {
  return ("lib" + getSpecName(module) + ".so").str();
}
std::string getHeaderFileName(ModuleOp module) {
  return (getSpecName(module) + ".h").str();
}
std::string getManifestFileName(ModuleOp module) {
  return (getSpecName(module) + ".json").str();
}

bool hidesSystemFile(StringRef spec) {
  static const llvm::StringSet<> names = {
      // headers of C11
      "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes",
      "iso646", "limits", "locale", "math", "setjmp", "signal", "stdalign",
      "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib",
      "stdnoreturn", "string", "tgmath", "threads", "time", "uchar", "wchar",
      "wctype",
      // libraries
      "c", "m", "dl", "pthread", "rt", "util", "gyre_runtime"};
  return names.contains(spec);
}

/// `f32 E x 16 x 4, compact`, or `map [e: E, k: 8] to N`.
static std::string describe(EntryOperandAttr operand) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto map = dyn_cast<MapType>(operand.getType())) {
    os << "map [";
    llvm::interleaveComma(map.getAxes(), os, [&](AxisAttr axis) {
      os << axis.getName().getValue() << ": " << axis.getSize().str();
    });
    os << "] to " << map.getTarget().str()
       << (map.getPadded() ? ", may be padded" : "");
    return text;
  }
  auto tensor = cast<TensorType>(operand.getType());
  os << getDtype(tensor.getElementType())->name;
  StringRef separator = " ";
  for (PolyAttr dim : tensor.getDims()) {
    os << separator << dim.str();
    separator = " x ";
  }
  if (operand.getCompact())
    os << ", compact";
  if (operand.getAlignment())
    os << ", aligned to " << operand.getAlignment() << " bytes";
  return text;
}

/// The parameters' names, all different.
static SmallVector<std::string> nameParameters(EntryAttr entry) {
  llvm::StringSet<> taken = {"ctx"};
  SmallVector<std::string> names;
  for (EntryOperandAttr operand : llvm::concat<const EntryOperandAttr>(
           entry.getArguments(), entry.getResults())) {
    std::string name = toIdentifier(operand.getName().getValue());
    while (!taken.insert(name).second)
      name += '_';
    names.push_back(name);
  }
  return names;
}

static constexpr size_t kLineLength = 84;

static void printFunction(llvm::raw_ostream &os, EntryAttr entry) {
  SmallVector<std::string> names = nameParameters(entry);
  auto [typed, packed, workspace] = getSymbols(entry);
  size_t arguments = entry.getArguments().size(), width = 0;
  for (const std::string &name : names)
    width = std::max(width, name.size());
  auto describeOperand = [&](StringRef kind, size_t i,
                             EntryOperandAttr operand) {
    os << "\n     " << kind << " " << llvm::left_justify(names[i], width)
       << "  " << describe(operand);
  };
  os << "/* " << typed;
  for (auto [i, operand] : llvm::enumerate(entry.getArguments()))
    describeOperand("argument", i, operand);
  for (auto [i, operand] : llvm::enumerate(entry.getResults()))
    describeOperand("result  ", arguments + i, operand);
  os << "\n   sizes: ";
  if (entry.getSizes().empty())
    os << "none";
  llvm::interleaveComma(entry.getSizes(), os,
                        [&](StringAttr name) { os << name.getValue(); });
  os << " */\ngyre_status " << typed << "(";
  size_t column = 0;
  auto parameter = [&](StringRef kind, StringRef name, StringRef end) {
    // As wide as the comment at the head of the file.
    size_t length = kind.size() + name.size() + end.size() + 1;
    bool breaks = column == 0 || column + length > kLineLength;
    os << (breaks ? "\n    " : " ") << kind << name << end;
    column = (breaks ? 4 : column) + length;
  };
  for (auto [i, operand] : llvm::enumerate(entry.getArguments()))
    parameter(isa<MapType>(operand.getType()) ? "const gyre_map *"
                                              : "const gyre_tensor *",
              names[i], ",");
  for (const std::string &name : ArrayRef(names).drop_front(arguments))
    parameter("gyre_tensor *", name, ",");
  parameter("const gyre_context *", "ctx", ");");
  os << "\ngyre_status " << packed
     << "(void *const *args, const gyre_context *ctx);\n"
     << "gyre_status " << workspace
     << "(const int64_t *sizes, int64_t *bytes);\n\n";
}

std::string emitHeader(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  StringRef spec = getSpecName(module);
  std::string guard =
      "GYRE_KERNELS_" + StringRef(toIdentifier(spec)).upper() + "_H";
  bool onCuda = llvm::any_of(getEntries(module),
                             [](EntryAttr entry) { return entry.onCuda(); });
  os << "/* Kernels of the spec " << spec << ", for "
     << (onCuda ? "NVIDIA GPUs." : "the CPU.");
  if (auto params = module->getAttrOfType<DictionaryAttr>("gyre.params");
      params && !params.empty()) {
    os << " Parameters: ";
    llvm::interleaveComma(params, os, [&](NamedAttribute param) {
      os << param.getName().getValue() << " = ";
      if (auto value = dyn_cast<IntegerAttr>(param.getValue()))
        os << value.getInt();
      else
        param.getValue().print(os);
    });
    os << ".";
  }
  os << R"(

   Each function comes in two forms: one parameter an operand, or NAME_packed with
   pointers to the same operands in the same order. Arguments are read, results
   written; `ctx` may be NULL where NAME_workspace, asked with the function's sizes in
   the order listed here, says 0 bytes. On an error nothing is written and
   gyre_last_error() has the text.)";
  if (onCuda)
    os << R"(

   Data, maps and workspace are in the memory of one device; shapes, strides and the
   structs themselves are the host's. Functions enqueue their kernels on the stream of
   `ctx` and return: the results are there when the stream comes to what follows.)";
  os << R"( */

#ifndef )"
     << guard << "\n#define " << guard << R"(

#include "gyre/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

)";
  for (EntryAttr entry : getEntries(module))
    printFunction(os, entry);
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}

} // namespace gyre
