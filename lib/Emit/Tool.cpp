//===- Tool.cpp - Programs of the system, and files for them --------------===//

#include "Tool.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gyre::emit {

std::error_code TemporaryFile::create(StringRef suffix) {
  if (std::error_code error =
          sys::fs::createTemporaryFile("gyre", suffix, place))
    return error;
  remover.setFile(place);
  return {};
}

std::error_code TemporaryFile::write(StringRef contents) const {
  std::error_code error;
  raw_fd_ostream stream(place, error);
  stream << contents;
  stream.close();
  if (stream.has_error()) {
    error = stream.error();
    stream.clear_error();
  }
  return error;
}

std::string TemporaryFile::read() const {
  auto buffer = MemoryBuffer::getFile(place);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

ToolRun runTool(ArrayRef<std::string> command, const TemporaryFile &messages) {
  SmallVector<StringRef> words(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(), messages.path(),
                                          messages.path()};
  std::string error;
  const bool good = sys::ExecuteAndWait(words.front(), words, std::nullopt,
                                        redirects, /*SecondsToWait=*/0,
                                        /*MemoryLimit=*/0, &error) == 0;
  ToolRun run{std::nullopt, messages.read()};
  if (!good) {
    StringRef text = StringRef(error.empty() ? run.output : error).trim();
    run.failure = text.empty() ? "no message" : text.str();
  }
  return run;
}

} // namespace gyre::emit
