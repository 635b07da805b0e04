//===- NpyTest.cpp - NumPy's array files ----------------------------------===//

#include "gyre/Support/Npy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <gtest/gtest.h>

using namespace gyre;

namespace {

/// A file that lives as long as this.
class File {
public:
  explicit File(llvm::StringRef bytes) {
    int fd;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("gyre", "npy", fd, path));
    llvm::raw_fd_ostream os(fd, /*shouldClose=*/true);
    os << bytes;
    remover.setFile(path);
  }

  llvm::SmallString<128> path;

private:
  llvm::FileRemover remover;
};

/// A file of format version 1 with that header and elements.
std::string makeFile(llvm::StringRef header, llvm::StringRef elements) {
  std::string bytes("\x93NUMPY\1\0", 8);
  bytes += static_cast<char>(header.size() + 1);
  bytes += '\0';
  bytes += header;
  bytes += '\n';
  bytes += elements;
  return bytes;
}

std::string makeHeader(llvm::StringRef descr, llvm::StringRef shape) {
  return ("{'descr': '" + descr +
          "', 'fortran_order': False, 'shape': " + shape + ", }")
      .str();
}

NpyArray read(llvm::StringRef bytes) {
  File file(bytes);
  llvm::Expected<NpyArray> array = readNpy(file.path);
  if (array)
    return *array;
  ADD_FAILURE() << llvm::toString(array.takeError());
  return NpyArray{{'f', 8}, {0}, {}};
}

/// The error, with `FILE` in place of the path.
std::string readError(llvm::StringRef bytes) {
  File file(bytes);
  llvm::Expected<NpyArray> array = readNpy(file.path);
  if (array) {
    ADD_FAILURE() << "expected an error";
    return "";
  }
  std::string text = llvm::toString(array.takeError());
  size_t at = text.find(file.path.str().str());
  if (at != std::string::npos)
    text.replace(at, file.path.size(), "FILE");
  return text;
}

template <typename T> std::string bytesOf(std::vector<T> values) {
  return std::string(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(T));
}

using Shape = llvm::SmallVector<int64_t>;
using Doubles = std::vector<double>;

TEST(NpyTest, ReadsEveryType) {
  auto values = [](llvm::StringRef descr, const std::string &elements) {
    NpyArray array = read(makeFile(makeHeader(descr, "(2,)"), elements));
    EXPECT_EQ(array.shape, Shape{2});
    EXPECT_EQ(array.type.str(), descr.drop_front());
    return toDoubles(array);
  };
  EXPECT_EQ(values("<f8", bytesOf<double>({1.5, -2})), (Doubles{1.5, -2}));
  EXPECT_EQ(values("<f4", bytesOf<float>({1.5f, -2})), (Doubles{1.5, -2}));
  EXPECT_EQ(values("<f2", bytesOf<uint16_t>({0x3e00, 0xc000})),
            (Doubles{1.5, -2}));
  EXPECT_EQ(values("<i8", bytesOf<int64_t>({3, -2})), (Doubles{3, -2}));
  EXPECT_EQ(values("<i4", bytesOf<int32_t>({3, -2})), (Doubles{3, -2}));
  EXPECT_EQ(values("<i2", bytesOf<int16_t>({3, -2})), (Doubles{3, -2}));
  EXPECT_EQ(values("|i1", bytesOf<int8_t>({3, -2})), (Doubles{3, -2}));
  EXPECT_EQ(values("|u1", bytesOf<uint8_t>({3, 254})), (Doubles{3, 254}));
  EXPECT_EQ(values("|b1", bytesOf<uint8_t>({1, 0})), (Doubles{1, 0}));
}

TEST(NpyTest, IntegersStayExact) {
  int64_t large = (int64_t(1) << 62) + 1;
  NpyArray array =
      read(makeFile(makeHeader("<i8", "(1,)"), bytesOf<int64_t>({large})));
  EXPECT_EQ(toIntegers(array), std::vector<int64_t>{large});
}

TEST(NpyTest, ReadsAnyShape) {
  EXPECT_EQ(read(makeFile(makeHeader("<f8", "()"), bytesOf<double>({7}))).shape,
            Shape{});
  EXPECT_EQ(read(makeFile(makeHeader("<f8", "(0, 3)"), "")).shape,
            (Shape{0, 3}));
  EXPECT_EQ(
      read(makeFile(makeHeader("|u1", "(1, 2, 3)"), std::string(6, 'a'))).shape,
      (Shape{1, 2, 3}));
}

TEST(NpyTest, ReadsAnyOrderOfKeysAndSpaces) {
  NpyArray array = read(
      makeFile(R"( {"shape":( 2 , ),"descr":"<f4","fortran_order":False}   )",
               bytesOf<float>({1, 2})));
  EXPECT_EQ(toDoubles(array), (Doubles{1, 2}));
}

TEST(NpyTest, ReadsVersion2) {
  std::string header = makeHeader("<f8", "(1,)") + "\n";
  std::string bytes("\x93NUMPY\2\0", 8);
  bytes += bytesOf<uint32_t>({static_cast<uint32_t>(header.size())});
  NpyArray array = read(bytes + header + bytesOf<double>({7}));
  EXPECT_EQ(toDoubles(array), Doubles{7});
}

TEST(NpyTest, WritesWhatItReads) {
  for (const NpyArray &array :
       {toNpy({2, 1}, Doubles{1.5, -2}), toNpy({}, Doubles{7}),
        toNpy({0, 3}, Doubles{}), toNpy({2}, std::vector<int64_t>{1, -1}),
        NpyArray{{'u', 1}, {2}, {'a', 'b'}}}) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    writeNpy(os, array);
    EXPECT_EQ((bytes.size() - array.data.size()) % 64, 0u);
    NpyArray again = read(bytes);
    EXPECT_EQ(again.type, array.type);
    EXPECT_EQ(again.shape, array.shape);
    EXPECT_EQ(again.data, array.data);
  }
}

TEST(NpyTest, WritesShapesAsTuples) {
  auto header = [](Shape shape, size_t count) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    writeNpy(os, toNpy(shape, Doubles(count)));
    return llvm::StringRef(bytes).slice(10, 128).rtrim().str();
  };
  std::string start = "{'descr': '<f8', 'fortran_order': False, 'shape': ";
  EXPECT_EQ(header({}, 1).substr(0, start.size() + 5), start + "(), }");
  EXPECT_EQ(header({0}, 0), start + "(0,), }");
  EXPECT_EQ(header({0, 3}, 0), start + "(0, 3), }");
}

TEST(NpyTest, NoFile) {
  llvm::Expected<NpyArray> array = readNpy("/nonexistent/x.npy");
  ASSERT_FALSE(array);
  EXPECT_EQ(llvm::toString(array.takeError()),
            "[npy-file] expected a readable file, got /nonexistent/x.npy: No "
            "such file or directory");
}

TEST(NpyTest, Magic) {
  EXPECT_EQ(readError(""), "[npy-magic] expected a .npy file, got FILE");
  EXPECT_EQ(readError("text, for example"),
            "[npy-magic] expected a .npy file, got FILE");
}

TEST(NpyTest, Version) {
  EXPECT_EQ(readError(std::string("\x93NUMPY\3\0\0\0\0\0", 12)),
            "[npy-version] expected format version 1 or 2, got 3 in FILE");
}

TEST(NpyTest, Header) {
  EXPECT_EQ(readError(std::string("\x93NUMPY\2\0\0\0", 10)),
            "[npy-header] expected a header, got the end of FILE");
  EXPECT_EQ(readError(std::string("\x93NUMPY\1\0\x09\0{}", 12)),
            "[npy-header] expected a header of 9 bytes, got 2 in FILE");
  const char *const bad[] = {
      "",
      "{}",
      "{'descr': '<f8', 'fortran_order': False}",
      "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': ()}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (), 'more': 1}",
      "{'descr': '<f8', 'fortran_order': 0, 'shape': ()}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,",
      "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': ()}",
      "{'descr': '<f8",
      "{'descr': '<f8', 'fortran_order': False, 'shape': ()} and more",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1e3,)}",
      "{'descr':'<f8','fortran_order':False,'shape':(9223372036854775808,)}",
  };
  for (const char *header : bad)
    EXPECT_EQ(readError(makeFile(header, "")),
              "[npy-header] expected a dictionary of descr, fortran_order and "
              "shape, got `" +
                  std::string(header) + "` in FILE");
}

TEST(NpyTest, DType) {
  for (const char *descr : {">f8", "<c16", "<U3", "<u4", "|f8", "", "<"})
    EXPECT_EQ(readError(makeFile(makeHeader(descr, "(0,)"), "")),
              "[npy-dtype] expected a little-endian dtype of f2, f4, f8, i1, "
              "i2, i4, i8, u1, b1, got `" +
                  std::string(descr) + "` in FILE");
}

TEST(NpyTest, Order) {
  EXPECT_EQ(
      readError(makeFile(
          "{'descr': '<f8', 'fortran_order': True, 'shape': (0,), }", "")),
      "[npy-order] expected C order (see numpy.ascontiguousarray), got Fortran "
      "order in FILE");
}

TEST(NpyTest, Size) {
  EXPECT_EQ(readError(makeFile(makeHeader("<f8", "(2,)"), "1234567")),
            "[npy-size] expected 16 bytes of elements, got 7 in FILE");
  EXPECT_EQ(readError(makeFile(makeHeader("<f8", "()"), "123456789")),
            "[npy-size] expected 8 bytes of elements, got 9 in FILE");
  EXPECT_EQ(
      readError(makeFile(makeHeader("<f8", "(4611686018427387904, 4)"), "")),
      "[npy-size] expected fewer bytes of elements, got 0 in FILE");
}
} // namespace
