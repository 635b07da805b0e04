//===- Error.h - The text of an error ---------------------------*- C++ -*-===//

#ifndef GYRE_LIB_RUNTIME_ERROR_H
#define GYRE_LIB_RUNTIME_ERROR_H

#include "gyre/runtime.h"

namespace gyre::runtime {

/// What a message is about: "function: role `name`: ".
struct Subject {
  const char *function;
  const char *role;
  const char *name;
};

/// Puts together the text of this thread's last error, "[id] ...". Text beyond
/// the buffer is cut and ends in "...".
class Message {
public:
  /// A message about a whole call.
  Message(const char *id, const char *function);
  /// A message about one argument or result.
  Message(const char *id, const Subject &subject);

  /// Appends, as printf does.
  __attribute__((format(printf, 2, 3))) Message &add(const char *format, ...);

  /// Ends a chain: `return Message(...).add(...).as(GYRE_ERROR_SHAPE);`.
  gyre_status as(gyre_status status) const { return status; }
};

} // namespace gyre::runtime

#endif // GYRE_LIB_RUNTIME_ERROR_H
