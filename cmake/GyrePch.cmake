# Parsing MLIR's headers is most of a file's compile time: one precompiled copy serves all rooms.
# Headers of Gyre itself are left out, so that changing one does not rebuild the copy.

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
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/DialectImplementation.h>
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
  endif()
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
