# The version lives in gyre/runtime.h; this reads it into GYRE_VERSION and its parts.
set(GYRE_VERSION "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../include/gyre/runtime.h" line
    REGEX "^#define GYRE_VERSION_${part} ")
  string(REGEX MATCH "[0-9]+$" GYRE_VERSION_${part} "${line}")
  list(APPEND GYRE_VERSION ${GYRE_VERSION_${part}})
endforeach()
list(JOIN GYRE_VERSION "." GYRE_VERSION)
