//===- EntryTable.h - Signatures as data, and call frames -------*- C++ -*-===//
//
// A compiled kernel hands its signature to gyre_rt_enter as constant data: the
// table (64-bit words) and the names (NUL-terminated strings, one after the
// other; a word that holds a name holds its offset). Both sides of that
// contract are here: Builder writes tables, Reader reads them. Plain C++; no
// LLVM.
//
// clang-format off
//
// The table, word by word:
//
//   header     magic, function name, device type, number of sizes S,
//              of operands P, of results R (the last R operands),
//              of workspace buffers W, frame words
//   sizes      S x name
//   operands   P x one of
//                tensor  kTensor, name, dtype (gyre_dtype), compact (0 or 1),
//                        alignment in bytes (0: of an element), rank,
//                        rank x dimension
//                map     kMap, name, padded (0 or 1), 0, 0, rank,
//                        rank x dimension of an axis, dimension of the target
//   workspace  W x (bytes of an element, dimension: number of elements)
//   dimension  text for messages (a name), terms T,
//              T x (coefficient, factors F, F x size number):
//              the sum of coefficient * product of sizes. N*N is size N twice;
//              the constant 0 has no terms.
//
// The workspace is the buffers one after the other, each rounded up to
// GYRE_ALIGNMENT bytes.
//
// The frame that gyre_rt_enter fills, word by word:
//
//   sizes      S values
//   operands   P x one of
//                tensor  one memref descriptor
//                map     rank-1 memref descriptors of index, order, ptr (i32)
//   workspace  rank-1 memref descriptor (i8)
//   stream     that of the context
//
// A memref descriptor is MLIR's: allocated pointer, aligned pointer, offset (0
// here), rank sizes, rank strides. Strides that do not matter (size 0 or 1, no
// elements) are replaced by those of a compact array.
//
// clang-format on
//===----------------------------------------------------------------------===//

#ifndef GYRE_RUNTIME_ENTRYTABLE_H
#define GYRE_RUNTIME_ENTRYTABLE_H

#include "gyre/runtime.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::entry {

/// "GYREENT2" in memory order; the last character is the version of the layout.
inline constexpr int64_t kMagic = 0x32544e4545525947;

/// Words of the header.
enum Header : int64_t {
  kHeaderMagic,
  kHeaderFunction,
  kHeaderDevice,
  kHeaderSizes,
  kHeaderOperands,
  kHeaderResults,
  kHeaderWorkspace,
  kHeaderFrameWords,
  kHeaderWords
};

enum Kind : int64_t { kTensor = 0, kMap = 1 };

/// Words of a memref descriptor, and where its parts are.
inline constexpr int64_t kDescriptorSizes = 3;
constexpr int64_t descriptorWords(int64_t rank) {
  return kDescriptorSizes + 2 * rank;
}

/// Words of an operand before its dimensions.
enum OperandWord : int64_t {
  kOperandKind,
  kOperandName,
  kOperandDetail, // dtype or padded
  kOperandCompact,
  kOperandAlignment,
  kOperandRank,
  kOperandWords
};

/// The three descriptors of a map are this far apart.
inline constexpr int64_t kMapDescriptorWords = descriptorWords(1);

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// coefficient * product of the sizes with these numbers (repeat for powers).
struct Term {
  int64_t coefficient = 0;
  std::vector<int64_t> sizes;
};

/// A polynomial in the runtime sizes, and how messages write it.
struct Dimension {
  std::string text;
  std::vector<Term> terms;
};

/// What a tensor's memory must be like.
struct Layout {
  bool compact = false;  // row-major without gaps
  int64_t alignment = 0; // bytes, a power of two; 0 for those of an element
};

/// A table with its names, and the offsets in the frame, in words.
struct Table {
  std::vector<int64_t> words;
  std::string names; // its final NUL is the string's own: emit size() + 1 bytes
  std::vector<int64_t> operandOffsets; // arguments, then results
  int64_t workspaceOffset = 0;
  int64_t streamOffset = 0;
  int64_t frameWords = 0;
};

/// Collects a signature in the order of the ABI and encodes it. Add all
/// arguments before the first result.
class Builder {
public:
  explicit Builder(std::string_view function, int64_t device = GYRE_DEVICE_CPU)
      : function(intern(function)), device(device) {}

  /// Adds a runtime size and returns its number; sizes are passed to
  /// NAME_workspace in this order.
  int64_t addSize(std::string_view name) {
    sizes.push_back(intern(name));
    return static_cast<int64_t>(sizes.size()) - 1;
  }

  void addArgument(std::string_view name, gyre_dtype dtype,
                   const std::vector<Dimension> &shape, Layout layout = {}) {
    addTensor(name, dtype, shape, layout);
  }

  void addMap(std::string_view name, const std::vector<Dimension> &axes,
              const Dimension &target, bool padded) {
    beginOperand(kMap, name, padded, {}, axes);
    append(operands, target);
    frame += 3 * kMapDescriptorWords;
  }

  void addResult(std::string_view name, gyre_dtype dtype,
                 const std::vector<Dimension> &shape, Layout layout = {}) {
    addTensor(name, dtype, shape, layout);
    ++results;
  }

  void addWorkspaceBuffer(int64_t elementBytes, const Dimension &elements) {
    workspace.push_back(elementBytes);
    append(workspace, elements);
    ++buffers;
  }

  Table encode() const {
    const int64_t sizeCount = static_cast<int64_t>(sizes.size());
    Table table;
    table.names = names;
    for (int64_t offset : offsets)
      table.operandOffsets.push_back(sizeCount + offset);
    table.workspaceOffset = sizeCount + frame;
    table.streamOffset = table.workspaceOffset + descriptorWords(1);
    table.frameWords = table.streamOffset + 1;
    std::vector<int64_t> &words = table.words;
    words = {kMagic,
             function,
             device,
             sizeCount,
             static_cast<int64_t>(offsets.size()),
             results,
             buffers,
             table.frameWords};
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), operands.begin(), operands.end());
    words.insert(words.end(), workspace.begin(), workspace.end());
    return table;
  }

private:
  void addTensor(std::string_view name, gyre_dtype dtype,
                 const std::vector<Dimension> &shape, Layout layout) {
    beginOperand(kTensor, name, dtype, layout, shape);
    frame += descriptorWords(static_cast<int64_t>(shape.size()));
  }

  void beginOperand(Kind kind, std::string_view name, int64_t detail,
                    Layout layout, const std::vector<Dimension> &shape) {
    offsets.push_back(frame);
    operands.insert(operands.end(),
                    {kind, intern(name), detail, layout.compact,
                     layout.alignment, static_cast<int64_t>(shape.size())});
    for (const Dimension &dimension : shape)
      append(operands, dimension);
  }

  void append(std::vector<int64_t> &words, const Dimension &dimension) {
    words.push_back(intern(dimension.text));
    words.push_back(static_cast<int64_t>(dimension.terms.size()));
    for (const Term &term : dimension.terms) {
      words.push_back(term.coefficient);
      words.push_back(static_cast<int64_t>(term.sizes.size()));
      words.insert(words.end(), term.sizes.begin(), term.sizes.end());
    }
  }

  int64_t intern(std::string_view text) {
    std::string terminated(text);
    terminated.push_back('\0');
    // A match that starts inside another string is as good: it ends where that
    // one ends.
    size_t at = names.find(terminated);
    if (at == std::string::npos) {
      at = names.size();
      names += terminated;
    }
    return static_cast<int64_t>(at);
  }

  std::string names; // before `function`, which is interned first
  int64_t function;
  int64_t device;
  std::vector<int64_t> sizes, operands, offsets, workspace;
  int64_t results = 0, buffers = 0, frame = 0;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// An encoded dimension. Reading never allocates.
class DimensionView {
public:
  explicit DimensionView(const int64_t *words) : words(words) {}

  int64_t text() const { return words[0]; }

  /// The number of the size that this dimension is, or -1 if it is not exactly
  /// one size.
  int64_t exactSize() const {
    return words[1] == 1 && words[2] == 1 && words[3] == 1 ? words[4] : -1;
  }

  /// Evaluates at `sizes`; false on overflow.
  bool evaluate(const int64_t *sizes, int64_t &value) const {
    value = 0;
    const int64_t *word = words + 2;
    for (int64_t term = 0; term < words[1]; ++term) {
      int64_t product = *word++;
      for (int64_t left = *word++; left > 0; --left)
        if (__builtin_mul_overflow(product, sizes[*word++], &product))
          return false;
      if (__builtin_add_overflow(value, product, &value))
        return false;
    }
    return true;
  }

  /// Calls visit(size) for each size of each term.
  template <typename Visit> void forEachSize(Visit visit) const {
    const int64_t *word = words + 2;
    for (int64_t term = 0; term < words[1]; ++term) {
      ++word;
      for (int64_t left = *word++; left > 0; --left)
        visit(*word++);
    }
  }

  /// The word after the dimension.
  const int64_t *end() const {
    const int64_t *word = words + 2;
    for (int64_t term = 0; term < words[1]; ++term)
      word += 2 + word[1];
    return word;
  }

private:
  const int64_t *words;
};

/// An encoded argument or result.
class OperandView {
public:
  explicit OperandView(const int64_t *words) : words(words) {}

  bool isMap() const { return words[kOperandKind] == kMap; }
  int64_t name() const { return words[kOperandName]; }
  gyre_dtype dtype() const {
    return static_cast<gyre_dtype>(words[kOperandDetail]);
  }
  bool padded() const { return words[kOperandDetail] != 0; }
  Layout layout() const {
    return {words[kOperandCompact] != 0, words[kOperandAlignment]};
  }
  int64_t rank() const { return words[kOperandRank]; }
  /// Dimensions of the shape, and the target of a map.
  int64_t dimensions() const { return rank() + isMap(); }
  /// The first of dimensions(); the others follow at end().
  DimensionView firstDimension() const {
    return DimensionView(words + kOperandWords);
  }

  int64_t frameWords() const {
    return isMap() ? 3 * kMapDescriptorWords : descriptorWords(rank());
  }

  /// Calls visit(number, dimension) for each dimension until one returns false;
  /// returns whether none did. The number of a map's target is its rank.
  template <typename Visit> bool forEachDimension(Visit visit) const {
    DimensionView dimension = firstDimension();
    for (int64_t i = 0; i < dimensions(); ++i) {
      if (!visit(i, dimension))
        return false;
      dimension = DimensionView(dimension.end());
    }
    return true;
  }

  /// The word after the operand.
  const int64_t *end() const {
    const int64_t *word = words + kOperandWords;
    for (int64_t i = 0; i < dimensions(); ++i)
      word = DimensionView(word).end();
    return word;
  }

private:
  const int64_t *words;
};

/// An encoded table.
class Reader {
public:
  Reader(const int64_t *words, const char *names)
      : words(words), names(names) {}

  bool hasMagic() const { return words[kHeaderMagic] == kMagic; }
  const char *function() const { return text(words[kHeaderFunction]); }
  int64_t device() const { return words[kHeaderDevice]; }
  int64_t sizes() const { return words[kHeaderSizes]; }
  int64_t operands() const { return words[kHeaderOperands]; }
  int64_t results() const { return words[kHeaderResults]; }
  int64_t arguments() const { return operands() - results(); }
  int64_t workspaceBuffers() const { return words[kHeaderWorkspace]; }
  int64_t frameWords() const { return words[kHeaderFrameWords]; }

  const char *text(int64_t offset) const { return names + offset; }
  const char *sizeName(int64_t size) const {
    return text(words[kHeaderWords + size]);
  }

  /// Calls visit(number, operand, offset in the frame) for each operand until
  /// one returns false; returns whether none did.
  template <typename Visit> bool forEachOperand(Visit visit) const {
    const int64_t *word = words + kHeaderWords + sizes();
    int64_t offset = sizes();
    for (int64_t i = 0; i < operands(); ++i) {
      OperandView operand(word);
      if (!visit(i, operand, offset))
        return false;
      word = operand.end();
      offset += operand.frameWords();
    }
    return true;
  }

  /// Calls visit(bytes of an element, number of elements) for each buffer of
  /// the workspace until one returns false; returns whether none did.
  template <typename Visit> bool forEachWorkspaceBuffer(Visit visit) const {
    const int64_t *word = words + kHeaderWords + sizes();
    for (int64_t i = 0; i < operands(); ++i)
      word = OperandView(word).end();
    for (int64_t i = 0; i < workspaceBuffers(); ++i) {
      DimensionView elements(word + 1);
      if (!visit(word[0], elements))
        return false;
      word = elements.end();
    }
    return true;
  }

  /// Where the descriptor of the workspace is in the frame.
  int64_t workspaceOffset() const {
    return streamOffset() - descriptorWords(1);
  }
  /// Where the stream is in the frame.
  int64_t streamOffset() const { return frameWords() - 1; }

private:
  const int64_t *words;
  const char *names;
};

} // namespace gyre::entry

#endif // GYRE_RUNTIME_ENTRYTABLE_H
