//===- Manifest.cpp - What gyrec wrote about a library --------------------===//

#include "Manifest.h"
#include "Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gyre {
namespace {

using Operand = CompiledFunction::Operand;

/// Reads the parts of a manifest that a call needs; each error leaves a text.
class ManifestReader {
public:
  explicit ManifestReader(json::Path path) : path(path) {}

  bool read(const json::Value &value, std::vector<CompiledFunction> &result);

private:
  bool readFunction(const json::Value &value, json::Path path,
                    CompiledFunction &result);
  bool readDerivative(const json::Object &function, json::Path path,
                      CompiledFunction &result);
  bool readOperand(const json::Value &value, json::Path path, Operand &result);
  bool readOperands(const json::Value &value, StringRef key, json::Path path,
                    std::vector<Operand> &result);
  bool readSize(const json::Value &value, json::Path path, SizeExpr &result);

  json::Path path;
};

} // namespace

/// The elements of an array under a key.
static bool
mapElements(const json::Value &value, StringRef key, json::Path path,
            function_ref<bool(const json::Value &, json::Path)> read) {
  const json::Object *object = value.getAsObject();
  const json::Value *member = object ? object->get(key) : nullptr;
  const json::Array *array = member ? member->getAsArray() : nullptr;
  if (!array) {
    path.field(key).report("expected array");
    return false;
  }
  for (auto [i, element] : enumerate(*array))
    if (!read(element, path.field(key).index(i)))
      return false;
  return true;
}

bool ManifestReader::readSize(const json::Value &value, json::Path path,
                              SizeExpr &result) {
  std::string text;
  if (!fromJSON(value, text, path))
    return false;
  std::optional<SizeExpr> size = SizeExpr::parse(text);
  if (size)
    result = std::move(*size);
  else
    path.report("expected the text of a size");
  return size.has_value();
}

bool ManifestReader::readOperand(const json::Value &value, json::Path path,
                                 Operand &result) {
  json::ObjectMapper mapper(value, path);
  std::string kind;
  if (!mapper || !mapper.map("name", result.name) || !mapper.map("kind", kind))
    return false;
  auto readDim = [&](const json::Value &dim, json::Path path) {
    return readSize(dim, path, result.shape.emplace_back());
  };
  if (kind == "tensor")
    return mapper.map("dtype", result.dtype) &&
           mapElements(value, "shape", path, readDim);
  if (kind != "map") {
    path.field("kind").report("expected tensor or map");
    return false;
  }
  result.isMap = true;
  auto readAxis = [&](const json::Value &axis, json::Path path) {
    const json::Array *pair = axis.getAsArray();
    if (pair && pair->size() == 2)
      return readDim((*pair)[1], path.index(1));
    path.report("expected a name and a size");
    return false;
  };
  const json::Value *target = value.getAsObject()->get("target");
  if (!target) {
    path.field("target").report("expected string");
    return false;
  }
  return mapper.map("padded", result.padded) &&
         mapElements(value, "axes", path, readAxis) &&
         readSize(*target, path.field("target"), result.target);
}

bool ManifestReader::readOperands(const json::Value &value, StringRef key,
                                  json::Path path,
                                  std::vector<Operand> &result) {
  return mapElements(value, key, path,
                     [&](const json::Value &operand, json::Path path) {
                       return readOperand(operand, path, result.emplace_back());
                     });
}

bool ManifestReader::readFunction(const json::Value &value, json::Path path,
                                  CompiledFunction &result) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("name", result.name) &&
         readDerivative(*value.getAsObject(), path, result) &&
         mapper.map("packed_symbol", result.packedSymbol) &&
         mapper.map("workspace_symbol", result.workspaceSymbol) &&
         mapElements(value, "sizes", path,
                     [&](const json::Value &name, json::Path path) {
                       return fromJSON(name, result.sizes.emplace_back(), path);
                     }) &&
         readOperands(value, "arguments", path, result.arguments) &&
         readOperands(value, "results", path, result.results);
}

bool ManifestReader::readDerivative(const json::Object &function,
                                    json::Path parent,
                                    CompiledFunction &result) {
  const json::Value *value = function.get("derivative");
  if (!value)
    return true;
  json::Path path = parent.field("derivative"); // which points to its parent
  json::ObjectMapper mapper(*value, path);
  auto &derivative = result.derivative.emplace();
  return mapper && mapper.map("of", derivative.of) &&
         mapper.map("wrt", derivative.wrt) &&
         mapper.map("given", derivative.given);
}

bool ManifestReader::read(const json::Value &value,
                          std::vector<CompiledFunction> &result) {
  json::ObjectMapper mapper(value, path);
  int64_t version = 0;
  CompiledFunction common;
  if (!mapper || !mapper.map("gyre", version) ||
      !mapper.map("library", common.library) ||
      !mapper.map("target", common.target))
    return false;
  if (version != 1) {
    path.field("gyre").report("expected version 1");
    return false;
  }
  if (common.target != "cpu" && common.target != "cuda") {
    path.field("target").report("expected cpu or cuda");
    return false;
  }
  return mapElements(value, "functions", path,
                     [&](const json::Value &function, json::Path path) {
                       return readFunction(function, path,
                                           result.emplace_back(common));
                     });
}

/// The parser of JSON calls itself for each level. Names have no brackets.
static bool isDeep(StringRef text) {
  int64_t depth = 0, deepest = 0;
  for (char c : text) {
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    deepest = std::max(deepest, depth);
  }
  return deepest > 64;
}

Expected<std::vector<CompiledFunction>>
CompiledFunction::readAll(StringRef path) {
  auto fail = [&](const Twine &got) {
    return makeError("[run-manifest] expected a manifest of gyrec in " + path +
                     ", got: " + got);
  };
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (std::error_code code = buffer.getError())
    return fail(code.message());
  if (isDeep((*buffer)->getBuffer()))
    return fail("brackets more than 64 deep");
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return fail(toString(value.takeError()));
  json::Path::Root root;
  std::vector<CompiledFunction> functions;
  if (!ManifestReader(root).read(*value, functions))
    return fail(toString(root.getError()));
  for (CompiledFunction &function : functions) {
    SmallString<128> library = sys::path::parent_path(path);
    sys::path::append(library, function.library);
    // A name without a slash would be looked for elsewhere.
    function.library =
        (sys::path::has_parent_path(library) ? "" : "./") + library.str().str();
  }
  return functions;
}

Expected<CompiledFunction> CompiledFunction::read(StringRef path,
                                                  StringRef name) {
  Expected<std::vector<CompiledFunction>> functions = readAll(path);
  if (!functions)
    return functions.takeError();
  std::string others;
  for (CompiledFunction &function : *functions) {
    if (function.name == name)
      return std::move(function);
    others += (others.empty() ? "" : ", ") + function.name;
  }
  return makeError("[run-function] expected one of the functions " + others +
                   ", got `" + name + "`");
}

static const Operand *find(const std::vector<Operand> &operands,
                           StringRef name) {
  auto it = find_if(operands, [&](const Operand &o) { return o.name == name; });
  return it == operands.end() ? nullptr : &*it;
}

const Operand *CompiledFunction::findArgument(StringRef name) const {
  return find(arguments, name);
}

const Operand *CompiledFunction::findResult(StringRef name) const {
  return find(results, name);
}

Expected<SmallVector<int64_t>> evaluateShape(const std::vector<SizeExpr> &shape,
                                             const StringMap<int64_t> &sizes) {
  SmallVector<int64_t> values;
  for (const SizeExpr &dim : shape) {
    Expected<int64_t> size = dim.evaluate(sizes);
    if (!size)
      return size.takeError();
    values.push_back(*size);
  }
  return values;
}

} // namespace gyre
