//===- HostArrays.cpp - Operands of a call, in memory ---------------------===//

#include "HostArrays.h"
#include "Files.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace gyre {

/// Whether so much memory can be had: a vector that cannot be allocated would
/// end the process.
static Error tryToAllocate(int64_t bytes) {
  // Volatile: else the compiler takes the unused memory for granted.
  void *volatile memory = std::malloc(static_cast<size_t>(bytes));
  if (!memory && bytes > 0)
    return makeError("[run-memory] expected " + Twine(bytes) +
                     " bytes of memory, got none");
  std::free(memory);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
/// How files and the runtime call an element type of a manifest.
struct ElementType {
  StringLiteral name;
  NpyType file;
  gyre_dtype code;
};
} // namespace

static constexpr ElementType kTypes[] = {
    {"f64", {'f', 8}, GYRE_DTYPE_F64}, {"f32", {'f', 4}, GYRE_DTYPE_F32},
    {"f16", {'f', 2}, GYRE_DTYPE_F16}, {"i1", {'b', 1}, GYRE_DTYPE_I1},
    {"i8", {'i', 1}, GYRE_DTYPE_I8},   {"i16", {'i', 2}, GYRE_DTYPE_I16},
    {"i32", {'i', 4}, GYRE_DTYPE_I32}, {"i64", {'i', 8}, GYRE_DTYPE_I64}};

static gyre_data_type findType(NpyType file) {
  for (const ElementType &type : kTypes)
    if (type.file == file)
      return gyre_data_type_of(type.code);
  return {1, static_cast<uint8_t>(8 * file.bytes), 1}; // unsigned
}

/// f4 to bf16 (rounded to the nearest, ties to even) and back.
static std::vector<char> narrow(ArrayRef<char> data) {
  std::vector<char> halves(data.size() / 2);
  for (size_t i = 0; i < data.size() / 4; ++i) {
    float value;
    std::memcpy(&value, data.data() + 4 * i, 4);
    APFloat number(value);
    bool losesInfo;
    number.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &losesInfo);
    auto bits = static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
    std::memcpy(halves.data() + 2 * i, &bits, 2);
  }
  return halves;
}

static std::vector<char> widen(ArrayRef<char> halves) {
  std::vector<char> data(halves.size() * 2);
  for (size_t i = 0; i < halves.size() / 2; ++i)
    std::memcpy(data.data() + 4 * i + 2, halves.data() + 2 * i, 2);
  return data;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

HostTensor::HostTensor(NpyArray file, StringRef dtype)
    : array(std::move(file)), type(findType(array.type)) {
  // Slots are unsigned numbers in an i8.
  if (dtype == "i8" && array.type == NpyType{'u', 1})
    type = gyre_data_type_of(GYRE_DTYPE_I8);
  isBF16 = dtype == "bf16" && array.type == NpyType{'f', 4};
  if (!isBF16)
    return;
  type = gyre_data_type_of(GYRE_DTYPE_BF16);
  array.data = narrow(array.data);
}

Expected<HostTensor> HostTensor::create(ArrayRef<int64_t> shape,
                                        StringRef dtype) {
  NpyType file{'f', 4}; // of a bf16
  bool known = dtype == "bf16";
  for (const ElementType &type : kTypes)
    if (type.name == dtype) {
      file = type.file;
      known = true;
    }
  if (!known)
    return makeError("[run-manifest] expected an element type, got " + dtype);
  int64_t bytes = file.bytes;
  bool overflow = false;
  for (int64_t size : shape)
    overflow |= MulOverflow(bytes, size, bytes);
  if (overflow || bytes > std::numeric_limits<int64_t>::max() / 2)
    return makeError("[run-memory] expected an array that fits the memory, "
                     "got one of more than 2^62 bytes");
  if (Error error = tryToAllocate(bytes))
    return error;
  return HostTensor({file, SmallVector<int64_t>(shape),
                     std::vector<char>(static_cast<size_t>(bytes))},
                    dtype);
}

gyre_tensor *HostTensor::get() {
  tensor.data = array.data.data();
  tensor.device = {GYRE_DEVICE_CPU, 0};
  tensor.ndim = static_cast<int32_t>(array.shape.size());
  tensor.dtype = type;
  tensor.shape = array.shape.data();
  return &tensor;
}

NpyArray HostTensor::toFile() const {
  NpyArray file = array;
  if (isBF16)
    file.data = widen(array.data);
  return file;
}

void storeFloat(double value, int bytes, char *place) {
  if (bytes == 8) {
    std::memcpy(place, &value, 8);
  } else if (bytes == 4) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(place, &narrow, 4);
  } else {
    APFloat number(value);
    bool losesInfo;
    number.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    const auto bits =
        static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
    std::memcpy(place, &bits, 2);
  }
}

} // namespace gyre
