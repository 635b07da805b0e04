//===- Manifest.cpp - The JSON that describes a library -------------------===//

#include "Signature.h"

#include "gyre/Emit/Emit.h"

#include "llvm/Support/JSON.h"

using namespace mlir;

namespace gyre {

using namespace emit;

static void writeOperand(llvm::json::OStream &json, EntryOperandAttr operand) {
  json.object([&] {
    json.attribute("name", operand.getName().getValue());
    if (auto map = dyn_cast<MapType>(operand.getType())) {
      json.attribute("kind", "map");
      json.attributeArray("axes", [&] {
        for (AxisAttr axis : map.getAxes())
          json.array([&] {
            json.value(axis.getName().getValue());
            json.value(axis.getSize().str());
          });
      });
      json.attribute("target", map.getTarget().str());
      json.attribute("padded", map.getPadded());
      return;
    }
    auto tensor = cast<TensorType>(operand.getType());
    json.attribute("kind", "tensor");
    json.attribute("dtype", getDtype(tensor.getElementType())->name);
    json.attributeArray("shape", [&] {
      for (PolyAttr dim : tensor.getDims())
        json.value(dim.str());
    });
    if (operand.getCompact())
      json.attribute("compact", true);
    if (operand.getAlignment())
      json.attribute("align", operand.getAlignment());
  });
}

static void writeFunction(llvm::json::OStream &json, EntryAttr entry) {
  std::array<std::string, 3> symbols = getSymbols(entry);
  json.object([&] {
    json.attribute("name", entry.getName().getValue());
    json.attribute("symbol", symbols[0]);
    json.attribute("packed_symbol", symbols[1]);
    json.attribute("workspace_symbol", symbols[2]);
    json.attributeArray("sizes", [&] {
      for (StringAttr name : entry.getSizes())
        json.value(name.getValue());
    });
    for (auto [key, operands] : {std::pair("arguments", entry.getArguments()),
                                 std::pair("results", entry.getResults())})
      json.attributeArray(key, [&json, operands = operands] {
        for (EntryOperandAttr operand : operands)
          writeOperand(json, operand);
      });
  });
}

static void writeParams(llvm::json::OStream &json, ModuleOp module) {
  auto params = module->getAttrOfType<DictionaryAttr>("gyre.params");
  if (!params)
    return;
  for (NamedAttribute param : params) {
    StringRef name = param.getName().getValue();
    if (auto value = dyn_cast<IntegerAttr>(param.getValue())) {
      json.attribute(name, value.getInt());
      continue;
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    param.getValue().print(os);
    json.attribute(name, text);
  }
}

/// What gyre-lower-launches left of the kernels of a GPU.
static void writeKernels(llvm::json::OStream &json, ModuleOp module) {
  auto kernels = module->getAttrOfType<ArrayAttr>("gyre.kernels");
  if (!kernels)
    return;
  json.attributeArray("kernels", [&] {
    for (auto kernel : kernels.getAsRange<DictionaryAttr>())
      json.object([&] {
        for (StringRef key : {"name", "arch"})
          json.attribute(key, kernel.getAs<StringAttr>(key).getValue());
        for (StringRef key : {"registers", "spills", "shared"})
          json.attribute(key, kernel.getAs<IntegerAttr>(key).getInt());
      });
  });
}

std::string emitManifest(ModuleOp module, StringRef target) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("gyre", 1);
    json.attribute("spec", getSpecName(module));
    json.attribute("library", getLibraryFileName(module));
    json.attribute("header", getHeaderFileName(module));
    json.attribute("target", target);
    json.attributeObject("params", [&] { writeParams(json, module); });
    json.attributeArray("functions", [&] {
      for (EntryAttr entry : getEntries(module))
        writeFunction(json, entry);
    });
    writeKernels(json, module);
  });
  os << "\n";
  return text;
}

} // namespace gyre
