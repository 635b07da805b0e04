//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//

#ifndef GYRE_SUPPORT_NPY_H
#define GYRE_SUPPORT_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre {

/// An element type, by NumPy's name: `f2`, `f4`, `f8`, `i1`, `i2`, `i4`, `i8`,
/// `u1` or `b1`.
struct NpyType {
  char kind;
  int bytes;

  bool isInteger() const { return kind != 'f'; }
  std::string str() const { return kind + std::to_string(bytes); }
  bool operator==(const NpyType &other) const {
    return kind == other.kind && bytes == other.bytes;
  }
};

/// A row-major array of elements of one of these types, little endian.
struct NpyArray {
  NpyType type;
  llvm::SmallVector<int64_t> shape;
  std::vector<char> data;
};

/// Reads a file of format version 1 or 2 in C order. Errors name the file and
/// start with an id `[npy-...]`.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);
/// Writes format version 1.
void writeNpy(llvm::raw_ostream &os, const NpyArray &array);

/// The elements of an array of any type.
std::vector<double> toDoubles(const NpyArray &array);
/// The elements of an array of an integer type.
std::vector<int64_t> toIntegers(const NpyArray &array);
/// An array of type `f8`.
NpyArray toNpy(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<double> values);
/// An array of type `i8`.
NpyArray toNpy(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> values);

} // namespace gyre

#endif // GYRE_SUPPORT_NPY_H
