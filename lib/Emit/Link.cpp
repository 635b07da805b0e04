//===- Link.cpp - Shared libraries by the system's linker -----------------===//

#include "Tool.h"

#include "gyre/Emit/Emit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace gyre {

using namespace emit;

namespace {

/// The system's linker, by itself or through a C compiler. No start files and
/// no libraries of the compiler's own get in.
struct Linker {
  std::string program;
  bool isCompiler = false;

  static std::optional<Linker> find() {
    if (auto cc = llvm::sys::findProgramByName("cc"))
      return Linker{*cc, true};
    for (StringRef name : {"ld.lld", "ld"})
      if (auto linker = llvm::sys::findProgramByName(name))
        return Linker{*linker, false};
    return std::nullopt;
  }

  std::vector<std::string> command(ArrayRef<std::string> flags,
                                   ArrayRef<std::string> inputs) const {
    std::vector<std::string> words = {program, "-shared"};
    for (const std::string &flag : flags) {
      // Not -Wl, which would split a flag at its commas.
      if (isCompiler)
        words.push_back("-Xlinker");
      words.push_back(flag);
    }
    llvm::append_range(words, inputs);
    if (isCompiler) {
      llvm::append_range(words,
                         std::vector<std::string>{"-nostdlib", "-lm", "-lc"});
      return words;
    }
    // Without a compiler nothing says where libraries are, nor that there are
    // more of them than those that programs load.
    std::string machine =
        llvm::Triple(llvm::sys::getProcessTriple()).getArchName().str();
    for (const std::string &directory :
         {"/lib/" + machine + "-linux-gnu", std::string("/lib64"),
          std::string("/lib")})
      words.push_back("-L" + directory);
    llvm::append_range(
        words, std::vector<std::string>{"-l:libm.so.6", "-l:libc.so.6"});
    return words;
  }
};

} // namespace

FailureOr<std::string> linkLibrary(Location loc, StringRef object,
                                   StringRef fileName,
                                   StringRef runtimeDirectory) {
  // What the library says is read elsewhere.
  SmallString<128> directory(runtimeDirectory);
  std::error_code error = llvm::sys::fs::make_absolute(directory);
  llvm::sys::path::remove_dots(directory, /*remove_dot_dot=*/false);
  if (!error && directory.str().contains(':'))
    return emitError(loc, "[emit-runtime] expected a directory without `:`, "
                          "which separates those of a library, got ")
           << directory;
  SmallString<128> runtime(directory);
  llvm::sys::path::append(runtime, "libgyre_runtime.so");
  if (error || !llvm::sys::fs::exists(runtime))
    return emitError(loc, "[emit-runtime] expected the runtime's library, got "
                          "no file ")
           << runtime;
  std::optional<Linker> linker = Linker::find();
  if (!linker)
    return emitError(loc, "[emit-linker] expected cc, ld.lld or ld on PATH, "
                          "got none");
  TemporaryFile objectFile, library, messages;
  error = objectFile.create("o");
  if (!error)
    error = library.create("so");
  if (!error)
    error = messages.create("txt");
  if (!error)
    error = objectFile.write(object);
  if (error)
    return emitError(loc, "[emit-link] expected temporary files, got: ")
           << error.message();

  // Symbolic: a process may hold libraries of one spec at several parameters.
  std::string flags[] = {"-soname=" + fileName.str(),
                         "--build-id=none",
                         "--hash-style=gnu",
                         "--no-undefined",
                         "-Bsymbolic",
                         "--enable-new-dtags",
                         "-rpath=$ORIGIN",
                         "-rpath=" + directory.str().str()};
  std::string inputs[] = {"-o", library.path().str(), objectFile.path().str(),
                          runtime.str().str()};
  ToolRun run = runTool(linker->command(flags, inputs), messages);
  if (run.failure)
    return emitError(loc, "[emit-link] expected ")
           << linker->program << " to link the library, got: " << *run.failure;
  std::string linked = library.read();
  if (linked.empty())
    return emitError(loc, "[emit-link] expected a library from ")
           << linker->program << ", got an empty or unreadable file";
  return linked;
}

} // namespace gyre
