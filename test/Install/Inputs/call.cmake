# cmake -DCALL="ARGUMENT..." -P call.cmake: calls gyre_add_library, which stops where arguments are wrong.
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/GyreAddLibrary.cmake)
separate_arguments(CALL UNIX_COMMAND "${CALL}")
gyre_add_library(${CALL})
