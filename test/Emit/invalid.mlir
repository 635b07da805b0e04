// RUN: gyre-opt %s --gyre-emit-entry-points --split-input-file --verify-diagnostics

// expected-error@+1 {{[entry-name] expected a name that C and C++ leave free for functions, got `template`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"template">}

// -----

// expected-error@+1 {{[entry-name] expected a name that C and C++ leave free for functions, got `a$b`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"a$b">}

// -----

// expected-error@+1 {{[entry-name] expected a name that C and C++ leave free for functions, got `a__b`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"a__b">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `exp`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"exp">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `gyre_last_error`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"gyre_last_error">}

// -----

llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f">}
// expected-error@+1 {{[entry-name] expected different symbols, got two of name `f_packed`}}
llvm.func @g__body() attributes {gyre.entry = #gyre.entry<"f_packed">}

// -----

// expected-error@+1 {{[entry-operand] expected tensors of f64, f32, f16, bf16 or i1 to i64, or maps, got 'i32'}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f" arguments [<"x", i32>]>}

// -----

// expected-error@+1 {{[entry-wrapper] expected a C wrapper of 5 parameters (llvm.emit_c_interface), got none}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f" sizes ["N"] arguments [<"m", !gyre.map<[n: N] to N>>]>}

// -----

// expected-error@+1 {{[entry-wrapper] expected a C wrapper of 1 parameters (llvm.emit_c_interface), got 2}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f">}
llvm.func @_mlir_ciface_f__body(!llvm.ptr, !llvm.ptr)

// -----

// expected-error@+1 {{[entry-size] expected each size of an operand or a buffer in `sizes`, got none of name "E"}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f" sizes ["N"] workspace [<4, <3*E>>]>}

// -----

// expected-error@+1 {{[entry-wrapper] expected a C wrapper of 2 parameters (llvm.emit_c_interface), got 1}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f" on cuda>}
llvm.func @_mlir_ciface_f__body(!llvm.ptr) -> i32

// -----

// expected-error@+1 {{[entry-wrapper] expected a C wrapper that returns a status, got '!llvm.void'}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f" on cuda>}
llvm.func @_mlir_ciface_f__body(!llvm.ptr, !llvm.ptr)

// -----

// expected-error@+1 {{[entry-wrapper] expected a C wrapper that returns nothing, got 'i32'}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f">}
llvm.func @_mlir_ciface_f__body(!llvm.ptr) -> i32
