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

/// Integers, strings and dictionaries as JSON has them, others by their text.
static void writeValue(llvm::json::OStream &json, Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return json.value(integer.getInt());
  if (auto string = dyn_cast<StringAttr>(value))
    return json.value(string.getValue());
  if (auto entries = dyn_cast<DictionaryAttr>(value))
    return json.object([&] {
      for (NamedAttribute entry : entries) {
        json.attributeBegin(entry.getName().getValue());
        writeValue(json, entry.getValue());
        json.attributeEnd();
      }
    });
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os);
  json.value(text);
}

static void writeFunction(llvm::json::OStream &json, EntryAttr entry,
                          DictionaryAttr derivative) {
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
    if (derivative) {
      json.attributeBegin("derivative");
      writeValue(json, derivative);
      json.attributeEnd();
    }
  });
}

/// What gyre-lower-launches left of the kernels of a GPU.
static void writeKernels(llvm::json::OStream &json, ModuleOp module) {
  auto kernels = module->getAttrOfType<ArrayAttr>("gyre.kernels");
  if (!kernels)
    return;
  json.attributeArray("kernels", [&] {
    for (auto kernel : kernels.getAsRange<DictionaryAttr>())
      json.object([&] {
        for (StringRef key : {"name", "arch", "sha256"})
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
    auto params = module->getAttrOfType<DictionaryAttr>("gyre.params");
    json.attributeBegin("params");
    writeValue(json,
               params ? params : DictionaryAttr::get(module.getContext()));
    json.attributeEnd();
    json.attributeArray("functions", [&] {
      for (Operation &op : *module.getBody())
        if (auto entry = op.getAttrOfType<EntryAttr>("gyre.entry"))
          writeFunction(json, entry,
                        op.getAttrOfType<DictionaryAttr>("gyre.derivative"));
    });
    writeKernels(json, module);
  });
  os << "\n";
  return text;
}

} // namespace gyre
