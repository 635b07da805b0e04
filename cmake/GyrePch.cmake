# Parsing MLIR's headers is most of a file's compile time: one precompiled copy serves all rooms.
# Headers of Gyre itself are left out, so that changing one does not rebuild the copy.

# CMake would name the header as well, by its path, which ccache keeps.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
endif()

function(gyre_add_pch)
  add_library(GyrePch OBJECT ${PROJECT_SOURCE_DIR}/lib/Pch.cpp)
  llvm_update_compile_flags(GyrePch)
  target_precompile_headers(GyrePch PRIVATE
    <map>
    <optional>
    <string>
    <vector>
    <mlir/Bytecode/BytecodeOpInterface.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/GPU/IR/GPUDialect.h>
    <mlir/Dialect/LLVMIR/NVVMDialect.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/DialectImplementation.h>
    <mlir/IR/ImplicitLocOpBuilder.h>
    <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h>
    <mlir/IR/SymbolTable.h>
    <mlir/Interfaces/FunctionInterfaces.h>
    <mlir/Interfaces/InferTypeOpInterface.h>
    <mlir/Interfaces/SideEffectInterfaces.h>
    <mlir/Pass/Pass.h>
    <llvm/ADT/StringSet.h>
    <llvm/ADT/TypeSwitch.h>)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Time stamps in the copy would make ccache miss.
    target_compile_options(GyrePch PUBLIC "SHELL:-Xclang -fno-pch-timestamp")
    gyre_sum_pch()
  endif()
endfunction()

# The copy's bytes hold the path of the build directory: ccache would miss in each new clone. Where
# CCACHE_PCH_EXTSUM is set (as ./dev does), it takes a sum that lies beside the copy for them: that of
# the text that the copy was made from, in which no path is left.
function(gyre_sum_pch)
  set(directory ${PROJECT_BINARY_DIR}/CMakeFiles/GyrePch.dir)
  set(sum ${directory}/cmake_pch.hxx.pch.sum)
  set(flags "$<TARGET_PROPERTY:GyrePch,COMPILE_DEFINITIONS>")
  set(includes "$<TARGET_PROPERTY:GyrePch,INCLUDE_DIRECTORIES>")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(options NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  add_custom_command(OUTPUT ${sum}
    COMMAND ${CMAKE_CXX_COMPILER} ${options} -std=c++${CMAKE_CXX_STANDARD}
      "$<$<BOOL:${flags}>:-D$<JOIN:${flags},;-D>>" "-isystem$<JOIN:${includes},;-isystem>"
      -w -E -P -MD -MF cmake_pch.ii.d -MT ${sum} -x c++ ${directory}/cmake_pch.hxx -o cmake_pch.ii
    COMMAND ${CMAKE_COMMAND} -E sha256sum cmake_pch.ii > ${sum}
    COMMAND ${CMAKE_COMMAND} -E rm cmake_pch.ii
    DEPENDS ${directory}/cmake_pch.hxx
    DEPFILE ${directory}/cmake_pch.ii.d
    WORKING_DIRECTORY ${directory}
    COMMENT "Summing up the precompiled header"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(GyrePchSum DEPENDS ${sum})
  add_dependencies(GyrePch GyrePchSum)
endfunction()

# Gives the precompiled headers to targets.
function(gyre_use_pch)
  foreach(target IN LISTS ARGN)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
    target_precompile_headers(${target} REUSE_FROM GyrePch)
  endforeach()
endfunction()
