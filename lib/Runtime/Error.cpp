//===- Error.cpp - The text of an error -------------------------*- C++ -*-===//

#include "Error.h"

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace gyre::runtime {
namespace {

constexpr size_t kCapacity = 1024;
constexpr char kCut[] = "...";

struct Text {
  char characters[kCapacity];
  size_t length;
};
// Zero-initialised: a thread without an error has the text "".
thread_local Text lastError;

} // namespace

Message::Message(const char *id, const char *function) {
  lastError.length = 0;
  add("[%s] %s: ", id, function);
}

Message::Message(const char *id, const Subject &subject)
    : Message(id, subject.function) {
  add("%s `%s`: ", subject.role, subject.name);
}

Message &Message::add(const char *format, ...) {
  const size_t room = kCapacity - lastError.length;
  va_list arguments;
  va_start(arguments, format);
  const int wanted = std::vsnprintf(lastError.characters + lastError.length,
                                    room, format, arguments);
  va_end(arguments);
  if (wanted < 0)
    return *this;
  if (static_cast<size_t>(wanted) < room) {
    lastError.length += static_cast<size_t>(wanted);
  } else {
    lastError.length = kCapacity - 1;
    std::memcpy(lastError.characters + kCapacity - sizeof(kCut), kCut,
                sizeof(kCut));
  }
  return *this;
}

} // namespace gyre::runtime

const char *gyre_last_error(void) {
  return gyre::runtime::lastError.characters;
}
