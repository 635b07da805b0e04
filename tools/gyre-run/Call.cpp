//===- Call.cpp - gyre-run <spec>.json ------------------------------------===//

#include "Files.h"
#include "Modes.h"

#include "gyre/runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace llvm;

namespace gyre {

namespace {

/// Memory at the alignment that workspaces and maps have.
class AlignedMemory {
public:
  explicit AlignedMemory(int64_t bytes) : storage(bytes + GYRE_ALIGNMENT) {}
  void *data() {
    return reinterpret_cast<void *>(
        alignAddr(storage.data(), Align(GYRE_ALIGNMENT)));
  }

private:
  std::vector<char> storage;
};

/// An argument or a result: what the manifest says of it, and its data.
struct Operand {
  std::string name;
  std::string dtype; // empty for a map
  std::vector<std::string> dims;
  std::string target;
  bool padded = false;
  NpyArray array;
  gyre_tensor tensor;
  gyre_map map;
  std::optional<AlignedMemory> memory;

  bool isMap() const { return dtype.empty(); }
};

/// Fills an operand from `{"name": ..., "kind": "tensor", ...}`.
bool fromJSON(const json::Value &value, Operand &operand, json::Path path) {
  json::ObjectMapper object(value, path);
  std::string kind;
  if (!object || !object.map("name", operand.name) || !object.map("kind", kind))
    return false;
  if (kind == "tensor")
    return object.map("dtype", operand.dtype) &&
           object.map("shape", operand.dims);
  std::vector<std::vector<std::string>> axes;
  if (!object.map("axes", axes) || !object.map("target", operand.target) ||
      !object.map("padded", operand.padded))
    return false;
  for (const std::vector<std::string> &axis : axes) {
    if (axis.size() != 2) {
      path.field("axes").report("expected pairs of name and size");
      return false;
    }
    operand.dims.push_back(axis[1]);
  }
  return true;
}

using Sizes = StringMap<int64_t>;

/// The functions of the runtime, of that copy which the library links.
struct Runtime {
  decltype(&gyre_last_error) lastError;
  decltype(&gyre_map_bytes) mapBytes;
  decltype(&gyre_map_build) mapBuild;

  Error check(int32_t status) const {
    return status == GYRE_OK ? Error::success() : makeError(lastError());
  }
};

} // namespace

static Error explain(const json::Path::Root &root, StringRef path) {
  return makeError("[run-manifest] expected a manifest of gyrec, got " + path +
                   ": " + toString(root.getError()));
}

static std::optional<NpyType> getFileType(StringRef dtype) {
  return StringSwitch<std::optional<NpyType>>(dtype)
      .Case("f16", NpyType{'f', 2})
      .Case("f32", NpyType{'f', 4})
      .Case("f64", NpyType{'f', 8})
      .Case("i1", NpyType{'b', 1})
      .Case("i8", NpyType{'i', 1})
      .Case("i16", NpyType{'i', 2})
      .Case("i32", NpyType{'i', 4})
      .Case("i64", NpyType{'i', 8})
      .Default(std::nullopt);
}

/// DLPack's type of an array's elements.
static gyre_data_type getDataType(NpyType type) {
  uint8_t code = StringSwitch<uint8_t>(StringRef(&type.kind, 1))
                     .Case("f", 2)
                     .Case("b", 6)
                     .Case("u", 1)
                     .Default(0);
  return {code, static_cast<uint8_t>(8 * type.bytes), 1};
}

static bool isName(StringRef dim) {
  return !dim.empty() && (isAlpha(dim[0]) || dim[0] == '_') &&
         dim.find_first_of(" *") == StringRef::npos;
}

/// Evaluates a size as manifests write it: `3*E*E - N + 1`.
static Expected<int64_t> evaluate(StringRef dim, const Sizes &sizes) {
  int64_t total = 0;
  StringRef rest = dim;
  bool overflow = false, negative = rest.consume_front("-");
  while (true) {
    size_t end = rest.find(' ');
    int64_t product = negative ? -1 : 1;
    SmallVector<StringRef> factors;
    rest.take_front(end).split(factors, '*');
    for (StringRef factor : factors) {
      int64_t value;
      if (factor.getAsInteger(10, value)) {
        auto size = sizes.find(factor);
        if (size == sizes.end())
          return makeError("[run-size] expected a value for `" + factor +
                           "` by an argument or by --size, got none");
        value = size->second;
      }
      overflow |= MulOverflow(product, value, product);
    }
    overflow |= AddOverflow(total, product, total);
    if (end == StringRef::npos)
      break;
    negative = rest[end + 1] == '-';
    rest = rest.drop_front(end + 3);
  }
  if (overflow || total < 0)
    return makeError("[run-size] expected a size of at least 0 that 64 bits "
                     "hold for `" +
                     dim + "`, got another");
  return total;
}

/// The sizes of dims that are a name; the first operand wins, contradictions
/// are the runtime's to report.
static void addSizes(const Operand &operand, Sizes &sizes) {
  for (auto [dim, size] : zip(operand.dims, operand.array.shape))
    if (isName(dim))
      sizes.try_emplace(dim, size);
}

static gyre_tensor getTensor(NpyArray &array) {
  return {array.data.empty() ? nullptr : array.data.data(),
          {GYRE_DEVICE_CPU, 0},
          static_cast<int32_t>(array.shape.size()),
          getDataType(array.type),
          array.shape.data(),
          nullptr,
          0};
}

static Error buildMap(Operand &operand, const Runtime &runtime,
                      const Sizes &sizes) {
  Expected<int64_t> target = evaluate(operand.target, sizes);
  if (!target)
    return target.takeError();
  int64_t bytes = 0;
  gyre_tensor index = operand.tensor;
  if (Error error = runtime.check(runtime.mapBytes(&index, *target, 0, &bytes)))
    return error;
  operand.memory.emplace(bytes);
  return runtime.check(runtime.mapBuild(&index, *target, operand.padded, 0,
                                        operand.memory->data(), bytes,
                                        &operand.map));
}

/// A result's array, without values yet.
static Error allocate(Operand &operand, const Sizes &sizes) {
  std::optional<NpyType> type = getFileType(operand.dtype);
  if (!type)
    return makeError("[run-dtype] expected an element type that array files "
                     "have for result `" +
                     operand.name + "`, got " + operand.dtype);
  operand.array.type = *type;
  int64_t bytes = type->bytes;
  for (StringRef dim : operand.dims) {
    Expected<int64_t> size = evaluate(dim, sizes);
    if (!size)
      return size.takeError();
    operand.array.shape.push_back(*size);
    if (MulOverflow(bytes, *size, bytes))
      return makeError("[run-size] expected a result that fits into memory, "
                       "got `" +
                       operand.name + "`");
  }
  operand.array.data.resize(bytes);
  operand.tensor = getTensor(operand.array);
  return Error::success();
}

namespace {

struct Manifest {
  std::string library;
  json::Object function;
};

} // namespace

static Expected<Manifest> readManifest(StringRef path, StringRef name) {
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return makeError("[run-manifest] expected a readable file, got " + path +
                     ": " + file.getError().message());
  auto value = json::parse((*file)->getBuffer());
  if (!value)
    return makeError("[run-manifest] expected a manifest of gyrec, got " +
                     path + ": " + toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  const json::Array *functions =
      object ? object->getArray("functions") : nullptr;
  auto library = object ? object->getString("library") : std::nullopt;
  if (!functions || !library || object->getInteger("gyre") != 1)
    return makeError("[run-manifest] expected a manifest of version 1, got " +
                     path);
  std::string names;
  for (const json::Value &entry : *functions) {
    const json::Object *function = entry.getAsObject();
    StringRef own = function ? function->getString("name").value_or("") : "";
    if (own == name)
      return Manifest{library->str(), *function};
    names += (names.empty() ? "" : ", ") + own.str();
  }
  return makeError("[run-function] expected one of the functions " + names +
                   ", got `" + name + "`");
}

/// Looks up a symbol; the name of one that does not exist goes to `missing`.
template <typename Symbol>
static void find(sys::DynamicLibrary &library, const std::string &name,
                 Symbol &symbol, std::string &missing) {
  symbol = reinterpret_cast<Symbol>(library.getAddressOfSymbol(name.c_str()));
  if (!symbol)
    missing = name;
}

namespace {

/// A function of a loaded library, and the runtime that it links.
struct Kernel {
  Runtime runtime;
  int32_t (*call)(void *const *, const gyre_context *);
  int32_t (*workspace)(const int64_t *, int64_t *);
  std::vector<std::string> sizes;
  std::vector<Operand> arguments, results;
};

} // namespace

static Expected<Kernel> load(const RunOptions &options) {
  Expected<Manifest> manifest = readManifest(options.input, options.func);
  if (!manifest)
    return manifest.takeError();
  Kernel kernel;
  std::string packed, workspace;
  json::Path::Root root;
  json::Value function(std::move(manifest->function));
  json::ObjectMapper object(function, root);
  if (!object || !object.map("arguments", kernel.arguments) ||
      !object.map("results", kernel.results) ||
      !object.map("sizes", kernel.sizes) ||
      !object.map("packed_symbol", packed) ||
      !object.map("workspace_symbol", workspace))
    return explain(root, options.input);

  SmallString<128> path(sys::path::parent_path(options.input));
  sys::path::append(path, manifest->library);
  std::string reason;
  auto library = sys::DynamicLibrary::getLibrary(path.c_str(), &reason);
  if (!library.isValid())
    return makeError("[run-library] expected a library, got " + reason);
  std::string missing;
  find(library, "gyre_last_error", kernel.runtime.lastError, missing);
  find(library, "gyre_map_bytes", kernel.runtime.mapBytes, missing);
  find(library, "gyre_map_build", kernel.runtime.mapBuild, missing);
  find(library, packed, kernel.call, missing);
  find(library, workspace, kernel.workspace, missing);
  if (!missing.empty())
    return makeError("[run-library] expected the symbol `" + missing + "` in " +
                     path + ", got none");
  return kernel;
}

static Error readArguments(Kernel &kernel, StringRef directory, Sizes &sizes) {
  for (Operand &argument : kernel.arguments) {
    Expected<NpyArray> array = readNpy(getPath(directory, argument.name));
    if (!array)
      return array.takeError();
    argument.array = std::move(*array);
    argument.tensor = getTensor(argument.array);
    addSizes(argument, sizes);
  }
  // A map's target may be a size of a later tensor.
  for (Operand &argument : kernel.arguments)
    if (argument.isMap())
      if (Error error = buildMap(argument, kernel.runtime, sizes))
        return error;
  return Error::success();
}

static Error call(Kernel &kernel, const Sizes &sizes) {
  std::vector<int64_t> values;
  for (StringRef name : kernel.sizes) {
    Expected<int64_t> value = evaluate(name, sizes);
    if (!value)
      return value.takeError();
    values.push_back(*value);
  }
  int64_t bytes = 0;
  if (Error error =
          kernel.runtime.check(kernel.workspace(values.data(), &bytes)))
    return error;
  AlignedMemory workspace(bytes);
  gyre_context context = {workspace.data(), bytes, nullptr, GYRE_CHECK_MAPS};
  std::vector<void *> pointers;
  for (Operand &argument : kernel.arguments)
    pointers.push_back(argument.isMap() ? static_cast<void *>(&argument.map)
                                        : &argument.tensor);
  for (Operand &result : kernel.results)
    pointers.push_back(&result.tensor);
  return kernel.runtime.check(kernel.call(pointers.data(), &context));
}

static Error run(const RunOptions &options) {
  Expected<Sizes> sizes = parseSizes(options.size);
  if (!sizes)
    return sizes.takeError();
  Expected<Kernel> kernel = load(options);
  if (!kernel)
    return kernel.takeError();
  if (Error error = readArguments(*kernel, options.in, *sizes))
    return error;
  for (Operand &result : kernel->results)
    if (Error error = allocate(result, *sizes))
      return error;
  if (Error error = call(*kernel, *sizes))
    return error;
  std::vector<std::string> names;
  std::vector<NpyArray> arrays;
  for (Operand &result : kernel->results) {
    names.push_back(result.name);
    arrays.push_back(std::move(result.array));
  }
  return writeArrays(options.out, names, arrays);
}

int callKernel(const RunOptions &options) {
  if (Error error = run(options))
    return reportError(toString(std::move(error)));
  return 0;
}

} // namespace gyre
