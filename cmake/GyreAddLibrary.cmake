# gyre_add_library(NAME SPEC FILE [SPEC_NAME SPEC] [SET PARAMETER=VALUE...] [DERIVE FUNCTION...]
#                  [TARGET cpu|cuda] [LOWERING plain|fused] [ARCH ARCHITECTURE...]
#                  [TOOLKIT DIRECTORY] [PRECISION MODE])
#
# Compiles a spec at build time, again whenever the file, gyrec or the runtime have changed. The
# target NAME is the library: linking it gives its header's directory and the runtime as well, and
# its property GYRE_MANIFEST is the path of the manifest. Values are as in `gyrec --help`; lists may
# have commas. SPEC_NAME is needed if the file has several specs.

# The name of the one spec in a file: the names of the library's files come from it.
function(gyre_read_spec_name result file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX MATCHALL "gyre\\.spec[ \t\r\n]+@\"?[A-Za-z0-9_-]+" specs "${text}")
  list(LENGTH specs count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "gyre_add_library: expected one `gyre.spec @NAME`, or SPEC_NAME, got ${count} in ${file}")
  endif()
  string(REGEX REPLACE ".*@\"?" "" name "${specs}")
  set(${result} ${name} PARENT_SCOPE)
endfunction()

function(gyre_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 GYRE ""
    "SPEC;SPEC_NAME;TARGET;LOWERING;TOOLKIT;PRECISION" "SET;DERIVE;ARCH")
  if(GYRE_UNPARSED_ARGUMENTS OR GYRE_KEYWORDS_MISSING_VALUES OR NOT GYRE_SPEC)
    message(FATAL_ERROR "gyre_add_library(${name}): expected SPEC FILE, and options with their values, got "
      "`${ARGN}`")
  endif()
  get_filename_component(file ${GYRE_SPEC} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "gyre_add_library(${name}): expected a spec file, got ${file}, which does not exist")
  endif()

  set(command Gyre::gyrec ${file})
  if(GYRE_SPEC_NAME)
    set(spec ${GYRE_SPEC_NAME})
    list(APPEND command --spec=${spec})
  else()
    gyre_read_spec_name(spec ${file})
  endif()
  foreach(option SET DERIVE TARGET LOWERING ARCH TOOLKIT PRECISION)
    if(GYRE_${option})
      string(TOLOWER ${option} flag)
      list(JOIN GYRE_${option} "," values)
      list(APPEND command "--${flag}=${values}")
    endif()
  endforeach()

  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.gyre)
  file(MAKE_DIRECTORY ${directory}) # a target's directories of headers have to exist
  set(library ${directory}/lib${spec}.so)
  set(manifest ${directory}/${spec}.json)
  add_custom_command(OUTPUT ${library} ${directory}/${spec}.h ${manifest}
    COMMAND ${command} -o ${directory}
    DEPENDS ${file} Gyre::gyrec Gyre::Runtime
    COMMENT "Compiling the spec ${spec} for ${name}"
    VERBATIM)
  add_custom_target(${name}.gyre DEPENDS ${library})
  add_library(${name} SHARED IMPORTED GLOBAL)
  add_dependencies(${name} ${name}.gyre)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION ${library}
    IMPORTED_SONAME lib${spec}.so
    INTERFACE_INCLUDE_DIRECTORIES ${directory}
    INTERFACE_LINK_LIBRARIES Gyre::Runtime
    GYRE_MANIFEST ${manifest})
endfunction()
