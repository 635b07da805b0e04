//===- Version.cpp - The version of the runtime -----------------*- C++ -*-===//

#include "gyre/runtime.h"

#define GYRE_TEXT_OF(x) #x
#define GYRE_TEXT(x) GYRE_TEXT_OF(x)

const char *gyre_version(void) {
  return GYRE_TEXT(GYRE_VERSION_MAJOR) "." GYRE_TEXT(
      GYRE_VERSION_MINOR) "." GYRE_TEXT(GYRE_VERSION_PATCH);
}
