//===- Link.cpp - Shared libraries by the system's linker -----------------===//

#include "gyre/Emit/Emit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace gyre {
namespace {

/// Files of one link, gone afterwards.
struct Workplace {
  llvm::SmallString<128> object, library, messages;
  llvm::FileRemover removeObject, removeLibrary, removeMessages;

  std::error_code create() {
    for (auto [path, suffix, remover] :
         {std::tuple(&object, "o", &removeObject),
          std::tuple(&library, "so", &removeLibrary),
          std::tuple(&messages, "txt", &removeMessages)}) {
      if (std::error_code error =
              llvm::sys::fs::createTemporaryFile("gyre", suffix, *path))
        return error;
      remover->setFile(*path);
    }
    return {};
  }
};

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

/// What a linker that failed has written.
static std::string readMessages(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return "no readable message: " + buffer.getError().message();
  StringRef message = (*buffer)->getBuffer().trim();
  return message.empty() ? "no message" : message.str();
}

/// Runs a command; what it wrote if it failed.
static std::optional<std::string> run(ArrayRef<std::string> command,
                                      StringRef messages) {
  SmallVector<StringRef> words(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(), messages, messages};
  std::string error;
  if (llvm::sys::ExecuteAndWait(words.front(), words, std::nullopt, redirects,
                                /*SecondsToWait=*/0, /*MemoryLimit=*/0,
                                &error) == 0)
    return std::nullopt;
  return error.empty() ? readMessages(messages) : error;
}

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
  Workplace files;
  error = files.create();
  std::error_code writeError;
  if (!error) {
    llvm::raw_fd_ostream stream(files.object, writeError);
    stream << object;
    stream.close();
    if (stream.has_error()) {
      writeError = stream.error();
      stream.clear_error();
    }
    error = writeError;
  }
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
  std::string inputs[] = {"-o", files.library.str().str(),
                          files.object.str().str(), runtime.str().str()};
  if (auto failed = run(linker->command(flags, inputs), files.messages))
    return emitError(loc, "[emit-link] expected ")
           << linker->program << " to link the library, got: " << *failed;
  auto library = llvm::MemoryBuffer::getFile(files.library);
  if (!library || (*library)->getBufferSize() == 0)
    return emitError(loc, "[emit-link] expected a library from ")
           << linker->program << ", got: "
           << (library ? "an empty file" : library.getError().message());
  return (*library)->getBuffer().str();
}

} // namespace gyre
