//===- Npy.cpp - NumPy's array files --------------------------------------===//

#include "gyre/Support/Npy.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace llvm;

namespace gyre {

static_assert(sys::IsLittleEndianHost, "elements are copied as they are");

static constexpr StringLiteral kMagic("\x93NUMPY");
static constexpr NpyType kTypes[] = {{'f', 2}, {'f', 4}, {'f', 8},
                                     {'i', 1}, {'i', 2}, {'i', 4},
                                     {'i', 8}, {'u', 1}, {'b', 1}};

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

namespace {
/// What the header, a Python dictionary, says.
struct Header {
  StringRef descr;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
};

/// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`. Each
/// function returns whether the text went on as it should.
class HeaderReader {
public:
  explicit HeaderReader(StringRef text) : text(text) {}

  bool read(Header &header) {
    bool seen[3] = {false, false, false};
    if (!eat("{"))
      return false;
    while (!eat("}")) {
      StringRef key;
      if (!readString(key) || !eat(":"))
        return false;
      int field = key == "descr" ? 0 : key == "fortran_order" ? 1 : 2;
      if ((field == 2 && key != "shape") || seen[field])
        return false;
      seen[field] = true;
      if (!(field == 0   ? readString(header.descr)
            : field == 1 ? readBool(header.fortranOrder)
                         : readShape(header.shape)))
        return false;
      if (!eat(",") && !text.starts_with("}"))
        return false;
    }
    return text.trim().empty() && seen[0] && seen[1] && seen[2];
  }

private:
  bool eat(StringRef token) {
    text = text.ltrim();
    bool eaten = text.consume_front(token);
    text = text.ltrim();
    return eaten;
  }

  bool readString(StringRef &value) {
    char quote = text.empty() ? '\0' : text.front();
    size_t end = text.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == StringRef::npos)
      return false;
    value = text.slice(1, end);
    text = text.drop_front(end + 1);
    return true;
  }

  bool readBool(bool &value) {
    value = eat("True");
    return value || eat("False");
  }

  bool readShape(SmallVector<int64_t> &shape) {
    if (!eat("("))
      return false;
    while (!eat(")")) {
      int64_t size;
      if (text.consumeInteger(10, size) || size < 0)
        return false;
      shape.push_back(size);
      if (!eat(",") && !text.starts_with(")"))
        return false;
    }
    return true;
  }

  StringRef text;
};
} // namespace

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Error makeError(const Twine &message) {
  return createStringError(message);
}

/// The byte count of an array, unless it overflows.
static std::optional<int64_t> countBytes(ArrayRef<int64_t> shape, int bytes) {
  int64_t count = bytes;
  bool overflow = false;
  for (int64_t size : shape)
    overflow |= MulOverflow(count, size, count);
  return overflow ? std::nullopt : std::optional<int64_t>(count);
}

static Expected<NpyType> findType(StringRef path, StringRef descr) {
  std::string known;
  for (NpyType type : kTypes) {
    std::string name = type.str();
    if (descr.substr(1) == name &&
        (descr[0] == '<' || (type.bytes == 1 && descr[0] == '|')))
      return type;
    known += (known.empty() ? "" : ", ") + name;
  }
  return makeError("[npy-dtype] expected a little-endian dtype of " + known +
                   ", got `" + descr + "` in " + path);
}

Expected<NpyArray> readNpy(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (std::error_code code = buffer.getError())
    return makeError("[npy-file] expected a readable file, got " + path + ": " +
                     code.message());
  StringRef bytes = (*buffer)->getBuffer();
  if (!bytes.consume_front(kMagic) || bytes.size() < 4)
    return makeError("[npy-magic] expected a .npy file, got " + path);

  // Two bytes of version, then the header's length in two or four bytes.
  unsigned major = static_cast<unsigned char>(bytes[0]);
  if (major != 1 && major != 2)
    return makeError("[npy-version] expected format version 1 or 2, got " +
                     Twine(major) + " in " + path);
  size_t width = major == 1 ? 2 : 4;
  bytes = bytes.drop_front(2);
  if (bytes.size() < width)
    return makeError("[npy-header] expected a header, got the end of " + path);
  size_t length = width == 2 ? support::endian::read16le(bytes.data())
                             : support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(width);
  if (bytes.size() < length)
    return makeError("[npy-header] expected a header of " + Twine(length) +
                     " bytes, got " + Twine(bytes.size()) + " in " + path);
  StringRef text = bytes.take_front(length);
  Header header;
  if (!HeaderReader(text).read(header))
    return makeError("[npy-header] expected a dictionary of descr, "
                     "fortran_order and shape, got `" +
                     text.rtrim() + "` in " + path);
  Expected<NpyType> type = findType(path, header.descr);
  if (!type)
    return type.takeError();
  if (header.fortranOrder)
    return makeError("[npy-order] expected C order (see "
                     "numpy.ascontiguousarray), got Fortran order in " +
                     path);
  bytes = bytes.drop_front(length);
  std::optional<int64_t> count = countBytes(header.shape, type->bytes);
  if (!count || static_cast<uint64_t>(*count) != bytes.size())
    return makeError(
        "[npy-size] expected " + (count ? Twine(*count) : Twine("fewer")) +
        " bytes of elements, got " + Twine(bytes.size()) + " in " + path);
  return NpyArray{*type, header.shape,
                  std::vector<char>(bytes.begin(), bytes.end())};
}

void writeNpy(raw_ostream &os, const NpyArray &array) {
  std::string header = "{'descr': '";
  header += (array.type.bytes == 1 ? "|" : "<") + array.type.str();
  header += "', 'fortran_order': False, 'shape': (";
  for (auto [dim, size] : enumerate(array.shape))
    header += (dim ? ", " : "") + std::to_string(size);
  // A tuple of one needs its comma.
  header += array.shape.size() == 1 ? ",), }" : "), }";
  // The elements start at a multiple of 64 bytes, after a newline.
  size_t before = kMagic.size() + 4;
  header.resize(alignTo(before + header.size() + 1, 64) - before, ' ');
  header.back() = '\n';
  os << kMagic << '\1' << '\0';
  char length[2];
  support::endian::write16le(length, header.size());
  os.write(length, sizeof(length));
  os << header;
  os.write(array.data.data(), array.data.size());
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Copies elements of type `From`, for they may lie anywhere.
template <typename From, typename To>
static std::vector<To> convert(ArrayRef<char> data) {
  std::vector<To> values(data.size() / sizeof(From));
  for (size_t i = 0; i < values.size(); ++i) {
    From value;
    std::memcpy(&value, data.data() + i * sizeof(From), sizeof(From));
    values[i] = static_cast<To>(value);
  }
  return values;
}

template <typename To>
static std::vector<To> convertIntegers(const NpyArray &array) {
  if (array.type.kind != 'i')
    return convert<uint8_t, To>(array.data);
  switch (array.type.bytes) {
  case 1:
    return convert<int8_t, To>(array.data);
  case 2:
    return convert<int16_t, To>(array.data);
  case 4:
    return convert<int32_t, To>(array.data);
  default:
    return convert<int64_t, To>(array.data);
  }
}

std::vector<int64_t> toIntegers(const NpyArray &array) {
  return convertIntegers<int64_t>(array);
}

std::vector<double> toDoubles(const NpyArray &array) {
  if (array.type.isInteger())
    return convertIntegers<double>(array);
  if (array.type.bytes == 8)
    return convert<double, double>(array.data);
  if (array.type.bytes == 4)
    return convert<float, double>(array.data);
  std::vector<double> values = convert<uint16_t, double>(array.data);
  for (double &value : values)
    value =
        APFloat(APFloat::IEEEhalf(), APInt(16, static_cast<uint64_t>(value)))
            .convertToDouble();
  return values;
}

template <typename T>
static NpyArray makeArray(NpyType type, ArrayRef<int64_t> shape,
                          ArrayRef<T> values) {
  NpyArray array{type, SmallVector<int64_t>(shape),
                 std::vector<char>(values.size() * sizeof(T))};
  if (!values.empty())
    std::memcpy(array.data.data(), values.data(), array.data.size());
  return array;
}

NpyArray toNpy(ArrayRef<int64_t> shape, ArrayRef<double> values) {
  return makeArray({'f', 8}, shape, values);
}

NpyArray toNpy(ArrayRef<int64_t> shape, ArrayRef<int64_t> values) {
  return makeArray({'i', 8}, shape, values);
}

} // namespace gyre
