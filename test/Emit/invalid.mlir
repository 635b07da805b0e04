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

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `connect`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"connect">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `environ`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"environ">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `stdout`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"stdout">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `index`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"index">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `int64_t`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"int64_t">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `INT64_MAX`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"INT64_MAX">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `errno`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"errno">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `assert`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"assert">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `PRId64`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"PRId64">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `FILE`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"FILE">}

// -----

// expected-error@+1 {{[entry-name] expected a name that neither the C library nor the runtime has, got `GYRE_OK`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"GYRE_OK">}

// -----

// expected-error@+1 {{[entry-name] expected a name that C and C++ leave free for functions, got `f__body`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"f__body">}

// -----

// expected-error@+1 {{[entry-name] expected a name that C and C++ leave free for functions, got `_mlir_ciface_f__body`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"_mlir_ciface_f__body">}

// -----

// expected-error@+1 {{[entry-name] expected a name that C and C++ leave free for functions, got `main`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"main">}

// -----

// expected-error@+1 {{[entry-name] expected a name that C and C++ leave free for functions, got `operator`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"operator">}

// -----

// expected-error@+1 {{[entry-name] expected a name that C and C++ leave free for functions, got `restrict`}}
llvm.func @f__body() attributes {gyre.entry = #gyre.entry<"restrict">}

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
