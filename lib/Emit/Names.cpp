//===- Names.cpp - Names that reach C -------------------------------------===//

#include "Names.h"
#include "Signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gyre::emit {

static const llvm::StringSet<> &keywords() {
  static const llvm::StringSet<> words = {
      // C11 and C++17
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor",
      "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "class",
      "compl", "const", "const_cast", "constexpr", "continue", "decltype",
      "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
      "explicit", "export", "extern", "false", "float", "for", "friend", "goto",
      "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept",
      "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
      "protected", "public", "register", "reinterpret_cast", "restrict",
      "return", "short", "signed", "sizeof", "static", "static_assert",
      "static_cast", "struct", "switch", "template", "this", "thread_local",
      "throw", "true", "try", "typedef", "typeid", "typename", "union",
      "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while",
      "xor", "xor_eq",
      // no keywords, but not free either
      "main", "NULL"};
  return words;
}

static llvm::StringSet<> listWords(StringRef text) {
  SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  llvm::StringSet<> set;
  set.insert(words.begin(), words.end());
  return set;
}

/// Whether a header of the C library may have a macro of that name.
static bool isMacro(StringRef name) {
  static const llvm::StringSet<> macros = listWords(
#include "LibraryMacros.inc"
  );
  return macros.contains(name) || name.starts_with("PRI") ||
         name.starts_with("SCN");
}

/// Whether the C library has a function, a variable or a type of that name.
static bool isInLibrary(StringRef name) {
  static const llvm::StringSet<> symbols = listWords(
#include "LibrarySymbols.inc"
  );
  return symbols.contains(name) || isMacro(name) || name.ends_with("_t") ||
         name == "FILE";
}

static bool isOfRuntime(StringRef name) {
  return name.starts_with("gyre_") || name.starts_with("GYRE_");
}

static bool isLetter(char c) { return llvm::isAlpha(c) || c == '_'; }

bool isIdentifier(StringRef name) {
  return !name.empty() && isLetter(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return isLetter(c) || llvm::isDigit(c); }) &&
         !keywords().contains(name);
}

std::string toIdentifier(StringRef name) {
  std::string text;
  for (char c : name)
    text += isLetter(c) || llvm::isDigit(c) ? c : '_';
  if (text.empty() || llvm::isDigit(text.front()))
    text.insert(0, "_");
  if (!isIdentifier(text) || isMacro(text) || isOfRuntime(text))
    text += '_';
  return text;
}

LogicalResult checkNames(ModuleOp module) {
  llvm::StringSet<> taken;
  for (Operation &op : *module.getBody()) {
    auto entry = op.getAttrOfType<EntryAttr>("gyre.entry");
    if (!entry)
      continue;
    StringRef name = entry.getName().getValue();
    // C reserves a leading underscore, C++ two of them anywhere; what the
    // compiler adds to names has both.
    if (!isIdentifier(name) || name.front() == '_' || name.contains("__"))
      return op.emitError("[entry-name] expected a name that C and C++ leave "
                          "free for functions, got `")
             << name << "`";
    for (const std::string &symbol : getSymbols(entry)) {
      if (isInLibrary(symbol) || isOfRuntime(symbol))
        return op.emitError("[entry-name] expected a name that neither the C "
                            "library nor the runtime has, got `")
               << symbol << "`";
      if (!taken.insert(symbol).second)
        return op.emitError("[entry-name] expected different symbols, got two "
                            "of name `")
               << symbol << "`";
    }
  }
  return success();
}

} // namespace gyre::emit
