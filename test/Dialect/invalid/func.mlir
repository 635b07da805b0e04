// RUN: gyre-opt %s -verify-diagnostics -split-input-file -allow-unregistered-dialect

// expected-error @+1 {{[func-name-unique] expected different names, got two of name `y`}}
gyre.func @result_twice(%x: !gyre.tensor<f32>) -> (y: !gyre.tensor<f32>, y: !gyre.tensor<f32>) {
  gyre.return %x, %x : !gyre.tensor<f32>, !gyre.tensor<f32>
}

// -----

// expected-error @+1 {{[func-name-unique] expected different names, got two of name `x`}}
"gyre.func"() <{sym_name = "argument_twice", function_type = (!gyre.tensor<f32>, !gyre.tensor<f32>) -> (), arg_names = ["x", "x"], res_names = []}> ({
^bb0(%a: !gyre.tensor<f32>, %b: !gyre.tensor<f32>):
  gyre.return
}) : () -> ()

// -----

// expected-note @+2 {{previously referenced here}}
// expected-error @+1 {{region entry argument '%x' is already in use}}
gyre.func @argument_twice(%x: !gyre.tensor<f32>, %x: !gyre.tensor<f32>) {
  gyre.return
}

// -----

// expected-error @+1 {{[func-name-count] expected names for 1 arguments and 0 results, got 2 and 0}}
"gyre.func"() <{sym_name = "more_argument_names", function_type = (!gyre.tensor<f32>) -> (), arg_names = ["x", "y"], res_names = []}> ({
^bb0(%a: !gyre.tensor<f32>):
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{[func-name-count] expected names for 1 arguments and 0 results, got 0 and 0}}
"gyre.func"() <{sym_name = "no_argument_names", function_type = (!gyre.tensor<f32>) -> (), arg_names = [], res_names = []}> ({
^bb0(%a: !gyre.tensor<f32>):
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{[func-name-count] expected names for 1 arguments and 1 results, got 1 and 0}}
"gyre.func"() <{sym_name = "no_result_names", function_type = (!gyre.tensor<f32>) -> !gyre.tensor<f32>, arg_names = ["x"], res_names = []}> ({
^bb0(%a: !gyre.tensor<f32>):
  gyre.return %a : !gyre.tensor<f32>
}) : () -> ()

// -----

// Names are checked before somebody prints them.
// expected-error @+1 {{'gyre.func' op attribute 'arg_names' failed to satisfy constraint: string array attribute}}
"gyre.func"() <{sym_name = "names_kind", function_type = (!gyre.tensor<f32>) -> (), arg_names = [1], res_names = []}> ({
^bb0(%a: !gyre.tensor<f32>):
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op attribute 'res_names' failed to satisfy constraint: string array attribute}}
"gyre.func"() <{sym_name = "names_kind", function_type = (!gyre.tensor<f32>) -> !gyre.tensor<f32>, arg_names = ["x"], res_names = [unit]}> ({
^bb0(%a: !gyre.tensor<f32>):
  gyre.return %a : !gyre.tensor<f32>
}) : () -> ()

// -----

// expected-error @+1 {{Invalid attribute `arg_names` in property conversion: "x"}}
"gyre.func"() <{sym_name = "names_not_array", function_type = (!gyre.tensor<f32>) -> (), arg_names = "x", res_names = []}> ({
^bb0(%a: !gyre.tensor<f32>):
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op requires attribute 'arg_names'}}
"gyre.func"() <{sym_name = "missing_names", function_type = () -> ()}> ({
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op requires attribute 'function_type'}}
"gyre.func"() <{sym_name = "missing_type", arg_names = [], res_names = []}> ({
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op requires attribute 'arg_names'}}
"gyre.func"() ({
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"gyre.func"() <{sym_name = "function_type", function_type = f32, arg_names = [], res_names = []}> ({
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `0`}}
gyre.func @number_argument(%0: !gyre.tensor<f32>) {
  gyre.return
}

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `a-b`}}
gyre.func @dashed_argument(%a-b: !gyre.tensor<f32>) {
  gyre.return
}

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `a.b`}}
gyre.func @dotted_result(%x: !gyre.tensor<f32>) -> (a.b: !gyre.tensor<f32>) {
  gyre.return %x : !gyre.tensor<f32>
}

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got ``}}
"gyre.func"() <{sym_name = "empty_name", function_type = (!gyre.tensor<f32>) -> (), arg_names = [""], res_names = []}> ({
^bb0(%a: !gyre.tensor<f32>):
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `a function`}}
gyre.func @"a function"() {
  gyre.return
}

// -----

// expected-error @+1 {{[func-argument-type] expected a gyre tensor or map, got 'f32'}}
gyre.func @argument_type(%x: f32) {
  gyre.return
}

// -----

// expected-error @+1 {{[func-argument-type] expected a gyre tensor or map, got 'tensor<4xf32>'}}
gyre.func @argument_type_builtin(%x: tensor<4xf32>) {
  gyre.return
}

// -----

// expected-error @+1 {{[func-result-type] expected a gyre tensor, got '!gyre.map<[e: E] to N>'}}
gyre.func @result_type(%m: !gyre.map<[e: E] to N>) -> (y: !gyre.map<[e: E] to N>) {
  gyre.return
}

// -----

gyre.func @return_type(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{[func-return] expected values of types ('!gyre.tensor<N x f32>'), got ('!gyre.tensor<E x f32>')}}
  gyre.return %x : !gyre.tensor<E x f32>
}

// -----

gyre.func @return_count(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[func-return] expected values of types ('!gyre.tensor<E x f32>'), got ()}}
  gyre.return
}

// -----

// expected-error @+1 {{[func-return] expected gyre.return at the end, got test.end}}
gyre.func @unknown_terminator() {
  "test.end"() : () -> ()
}

// -----

gyre.func @no_terminator(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{block with no terminator}}
  %y = math.exp %x : !gyre.tensor<E x f32>
}

// -----

// expected-error @+1 {{'gyre.func' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
gyre.func @empty() {
}

// -----

// expected-error @+1 {{'gyre.func' op requires one region}}
"gyre.func"() <{sym_name = "no_region", function_type = () -> (), arg_names = [], res_names = []}> : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op expects a non-empty block}}
"gyre.func"() <{sym_name = "empty_block", function_type = () -> (), arg_names = [], res_names = []}> ({
^bb0:
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op expects region #0 to have 0 or 1 blocks}}
"gyre.func"() <{sym_name = "two_blocks", function_type = () -> (), arg_names = [], res_names = []}> ({
  gyre.return
^bb1:
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op entry block must have 1 arguments to match function signature}}
"gyre.func"() <{sym_name = "block_arguments", function_type = (!gyre.tensor<f32>) -> (), arg_names = ["x"], res_names = []}> ({
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op type of entry block argument #0('!gyre.tensor<f64>') must match the type of the corresponding argument in function signature('!gyre.tensor<f32>')}}
"gyre.func"() <{sym_name = "block_types", function_type = (!gyre.tensor<f32>) -> (), arg_names = ["x"], res_names = []}> ({
^bb0(%a: !gyre.tensor<f64>):
  gyre.return
}) : () -> ()

// -----

// expected-error @+1 {{'gyre.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 2, but expected 1}}
gyre.func @argument_attributes(%x: !gyre.tensor<f32>) attributes {arg_attrs = [{}, {}]} {
  gyre.return
}

// -----

gyre.func @builtin_op() {
  // expected-error @+1 {{[func-op] expected an op of gyre or an elementwise one that it knows (arith.addf, subf, mulf, divf, negf, maximumf, minimumf, cmpf; math.exp, log, sqrt, rsqrt, tanh, sin, cos, absf, powf), got builtin.module}}
  builtin.module {}
  gyre.return
}

// -----

gyre.func @unregistered_op(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[func-op] expected an op of gyre or an elementwise one that it knows (arith.addf, subf, mulf, divf, negf, maximumf, minimumf, cmpf; math.exp, log, sqrt, rsqrt, tanh, sin, cos, absf, powf), got test.op}}
  "test.op"(%x) : (!gyre.tensor<E x f32>) -> ()
  gyre.return
}

// -----

gyre.func @nested_function() {
  // expected-error @+1 {{'gyre.func' op symbol's parent must have the SymbolTable trait}}
  gyre.func @inner() {
    gyre.return
  }
  gyre.return
}

// -----

gyre.func @nested_derivative() {
  // expected-error @+1 {{'gyre.derive' op symbol's parent must have the SymbolTable trait}}
  gyre.derive @inner = vjp @f wrt (x)
  gyre.return
}

// -----

gyre.func @nested_spec() {
  // expected-error @+1 {{'gyre.spec' op symbol's parent must have the SymbolTable trait}}
  gyre.spec @inner {}
  gyre.return
}

// -----

gyre.func @nested_deeply(%x: !gyre.tensor<E x f32>) {
  gyre.repeat 2 -> () {
    // expected-error @+1 {{[func-op] expected an op of gyre or an elementwise one that it knows (arith.addf, subf, mulf, divf, negf, maximumf, minimumf, cmpf; math.exp, log, sqrt, rsqrt, tanh, sin, cos, absf, powf), got test.op}}
    "test.op"() : () -> ()
    gyre.yield
  }
  gyre.return
}

// -----

// expected-error @+1 {{'gyre.return' op expects parent op 'gyre.func'}}
gyre.return

// -----

gyre.func @func_op_unknown_function(%x: !gyre.tensor<N x f32>) -> (y: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{[func-op] expected an op of gyre or an elementwise one that it knows (arith.addf, subf, mulf, divf, negf, maximumf, minimumf, cmpf; math.exp, log, sqrt, rsqrt, tanh, sin, cos, absf, powf), got math.erf}}
  %y = math.erf %x : !gyre.tensor<N x f32>
  gyre.return %y : !gyre.tensor<N x f32>
}

// -----

gyre.func @func_fastmath(%x: !gyre.tensor<N x f32>) -> (y: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{[func-fastmath] expected no fastmath flags, got #arith.fastmath<contract>}}
  %y = arith.addf %x, %x fastmath<contract> : !gyre.tensor<N x f32>
  gyre.return %y : !gyre.tensor<N x f32>
}

// -----

// expected-error @+1 {{[syntax-attribute] expected attributes that the op has no syntax for, got `arg_names`}}
gyre.func @syntax_attribute() attributes {arg_names = ["x"]} {
  gyre.return
}
