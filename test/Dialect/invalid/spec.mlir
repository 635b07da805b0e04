// RUN: gyre-opt %s -verify-diagnostics -split-input-file

gyre.spec @child {
  // expected-error @+1 {{[spec-child] expected a parameter, a function, a derivative or an alternative in a spec, got gyre.spec}}
  gyre.spec @inner {}
}

// -----

gyre.spec @child_module {
  // expected-error @+1 {{[spec-child] expected a parameter, a function, a derivative or an alternative in a spec, got builtin.module}}
  builtin.module {}
}

// -----

gyre.spec @param_unique {
  gyre.param "L" in [0, 8]
  // expected-error @+1 {{[spec-param-unique] expected parameters of different names, got two of name `L`}}
  gyre.param "L" in [0, 4]
}

// -----

gyre.spec @type_param_unique {
  gyre.type_param "act" in [f32]
  // expected-error @+1 {{[spec-param-unique] expected parameters of different names, got two of name `act`}}
  gyre.type_param "act" in [f64]
}

// -----

gyre.spec @param_and_type_param {
  gyre.param "act" in [0, 8]
  // expected-error @+1 {{[spec-param-unique] expected parameters of different names, got two of name `act`}}
  gyre.type_param "act" in [f32]
}

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `a spec`}}
gyre.spec @"a spec" {}

// -----

// expected-error @+1 {{'gyre.spec' op requires one region}}
"gyre.spec"() <{sym_name = "no_region"}> : () -> ()

// -----

gyre.spec @size_bound_result {
  // expected-error @+1 {{[spec-size-bound] expected each size to be a parameter or to be bound by an argument, got `N`, which is neither}}
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<N x f32>) {
    %y = gyre.constant 0.0 : !gyre.tensor<N x f32>
    gyre.return %y : !gyre.tensor<N x f32>
  }
}

// -----

// A sum binds nothing: N and E could be anything.
gyre.spec @size_bound_sum {
  // expected-error @+1 {{[spec-size-bound] expected each size to be a parameter or to be bound by an argument, got `N`, which is neither}}
  gyre.func @f(%x: !gyre.tensor<E x E + N x f32>) {
    gyre.return
  }
}

// -----

gyre.spec @size_bound_map {
  // expected-error @+1 {{[spec-size-bound] expected each size to be a parameter or to be bound by an argument, got `N`, which is neither}}
  gyre.func @f(%m: !gyre.map<[e: E] to 2*N>) {
    gyre.return
  }
}

// -----

gyre.spec @size_bound_body {
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-size-bound] expected each size to be a parameter or to be bound by an argument, got `Q`, which is neither}}
    %y = gyre.pad %x axis 0 low Q high 0 : !gyre.tensor<E x f32>
    gyre.return
  }
}

// -----

// A size that the result does not show.
gyre.spec @size_bound_attribute {
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-size-bound] expected each size to be a parameter or to be bound by an argument, got `Q`, which is neither}}
    %y = gyre.slice %x axis 0 from Q size 1 : !gyre.tensor<E x f32>
    gyre.return
  }
}

// -----

gyre.spec @size_bound_axis {
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-size-bound] expected each size to be a parameter or to be bound by an argument, got `Q`, which is neither}}
    %y = gyre.contract %x[e] -> [e, q] with (q = Q) : !gyre.tensor<E x f32>
    gyre.return
  }
}

// -----

gyre.spec @size_bound_in_alternative {
  gyre.param "L" in [0, 8]
  gyre.alternative where L >= 1 {
    // expected-error @+1 {{[spec-size-bound] expected each size to be a parameter or to be bound by an argument, got `N`, which is neither}}
    gyre.func @f(%x: !gyre.tensor<2*N x f32>) {
      gyre.return
    }
  }
}

// -----

gyre.spec @type_bound_argument {
  // expected-error @+1 {{[spec-type-bound] expected each element type to be a float, an integer or a type parameter, got `act`}}
  gyre.func @f(%x: !gyre.tensor<E x act>) {
    gyre.return
  }
}

// -----

// A size is no element type.
gyre.spec @type_bound_size {
  gyre.param "L" in [0, 8]
  // expected-error @+1 {{[spec-type-bound] expected each element type to be a float, an integer or a type parameter, got `L`}}
  gyre.func @f(%x: !gyre.tensor<E x L>) {
    gyre.return
  }
}

// -----

gyre.spec @type_bound_accumulator {
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-type-bound] expected each element type to be a float, an integer or a type parameter, got `acc`}}
    %y = gyre.contract %x[e] -> [] acc !gyre.elem<acc> : !gyre.tensor<E x f32>
    gyre.return
  }
}

// -----

gyre.spec @static_relation_index {
  gyre.param "L" in [0, 8]
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-static] expected a parameter or an iterator, got `m` in l + m}}
    %y = gyre.contract %x[e] -> [] over {(e = l + m) : l in [0, L]} : !gyre.tensor<E x f32>
    gyre.return
  }
}

// -----

// Runtime sizes are not known when relations are evaluated.
gyre.spec @static_relation_range {
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-static] expected a parameter or an iterator, got `E` in E - 1}}
    %y = gyre.contract %x[e] -> [] over {(e = l) : l in [0, E - 1]} : !gyre.tensor<E x f32>
    gyre.return
  }
}

// -----

// A range sees the iterators before it.
gyre.spec @static_relation_order {
  gyre.param "L" in [0, 8]
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-static] expected a parameter or an iterator, got `l` in 2*l}}
    %y = gyre.contract %x[e] -> [] over {(e = l) : j in [0, 2*l], l in [0, L]} : !gyre.tensor<E x f32>
    gyre.return
  }
}

// -----

// Iterators of one piece are unknown to another.
gyre.spec @static_relation_pieces {
  gyre.param "L" in [0, 8]
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-static] expected a parameter or an iterator, got `l` in l}}
    %y = gyre.contract %x[e] -> [] over {(e = l) : l in [0, L] | (e = l)} : !gyre.tensor<E x f32>
    gyre.return
  }
}

// -----

gyre.spec @static_count {
  gyre.func @f(%x: !gyre.tensor<E x f32>) {
    // expected-error @+1 {{[spec-static] expected a parameter, got `E` in E}}
    gyre.repeat E -> () {
      gyre.yield
    }
    gyre.return
  }
}

// -----

gyre.spec @static_condition {
  // expected-error @+1 {{[spec-static] expected a parameter, got `L` in L + 1}}
  gyre.alternative where 2 <= L + 1 {}
}

// -----

gyre.spec @param_range {
  // expected-error @+1 {{[param-range] expected a lower bound that is at most the upper one, got [2, 1]}}
  gyre.param "L" in [2, 1]
}

// -----

gyre.spec @param_default_large {
  // expected-error @+1 {{[param-range] expected a default in [0, 8], got 9}}
  gyre.param "L" in [0, 8] default 9
}

// -----

gyre.spec @param_default_small {
  // expected-error @+1 {{[param-range] expected a default in [0, 8], got -1}}
  gyre.param "L" in [0, 8] default -1
}

// -----

gyre.spec @param_name {
  // expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `L max`}}
  gyre.param "L max" in [0, 8]
}

// -----

gyre.spec @param_name_separator {
  // expected-error @+1 {{[name-syntax] expected a name other than `x` and builtin types, got `x`}}
  gyre.param "x" in [0, 8]
}

// -----

gyre.spec @param_name_type {
  // expected-error @+1 {{[name-syntax] expected a name other than `x` and builtin types, got `i8`}}
  gyre.param "i8" in [0, 8]
}

// -----

gyre.spec @type_param_name {
  // expected-error @+1 {{[name-syntax] expected a name other than `x` and builtin types, got `index`}}
  gyre.type_param "index" in [f32]
}

// -----

// expected-error @+1 {{'gyre.param' op expects parent op 'gyre.spec'}}
gyre.param "L" in [0, 8]

// -----

gyre.spec @type_param_float {
  // expected-error @+1 {{[type-param-float] expected f64, f32, f16 or bf16, got 'i32'}}
  gyre.type_param "act" in [f32, i32]
}

// -----

gyre.spec @type_param_wide {
  // expected-error @+1 {{[type-param-float] expected f64, f32, f16 or bf16, got 'f128'}}
  gyre.type_param "act" in [f128]
}

// -----

gyre.spec @type_param_of_parameter {
  // expected-error @+1 {{[type-param-float] expected f64, f32, f16 or bf16, got '!gyre.elem<other>'}}
  gyre.type_param "act" in [!gyre.elem<other>]
}

// -----

gyre.spec @type_param_empty {
  // expected-error @+1 {{[type-param-float] expected at least one type, got none}}
  gyre.type_param "act" in []
}

// -----

gyre.spec @type_param_default {
  // expected-error @+1 {{[type-param-default] expected one of the choices, or another type parameter, got 'f64'}}
  gyre.type_param "act" in [f32, f16] default f64
}

// -----

gyre.spec @alternative_child {
  gyre.param "L" in [0, 8]
  gyre.alternative where L == 0 {
    // expected-error @+1 {{[alternative-child] expected gyre.func or gyre.derive in an alternative, got builtin.module}}
    builtin.module {}
  }
}

// -----

gyre.spec @alternative_condition {
  // expected-error @+1 {{[alternative-condition] expected at least one condition, got none}}
  "gyre.alternative"() <{conditions = []}> ({
  ^bb0:
  }) : () -> ()
}

// -----

gyre.spec @alternative_condition_kind {
  // expected-error @+1 {{'gyre.alternative' op attribute 'conditions' failed to satisfy constraint: conditions, all of which must hold}}
  "gyre.alternative"() <{conditions = ["L >= 1"]}> ({
  ^bb0:
  }) : () -> ()
}

// -----

gyre.spec @condition_comparison {
  // expected-error @+1 {{[condition-comparison] expected one of ==, >=, <=, >, < after L}}
  gyre.alternative where L {}
}

// -----

gyre.spec @condition_not_equal {
  // expected-error @+1 {{invalid type identifier}}
  gyre.alternative where L != 0 {}
}

// -----

gyre.spec @condition_single_equal {
  // expected-error @+1 {{expected '='}}
  gyre.alternative where L = 0 {}
}

// -----

// expected-error @+1 {{'gyre.alternative' op expects parent op 'gyre.spec'}}
gyre.alternative where L == 0 {}

// -----

gyre.spec @symbols {
  // expected-note @+1 {{see existing symbol definition here}}
  gyre.func @f() {
    gyre.return
  }
  // expected-error @+1 {{redefinition of symbol named 'f'}}
  gyre.derive @f = vjp @g wrt (x)
}

// -----

gyre.spec @default_of_later {
  // expected-error @+1 {{[spec-type-order] expected a type parameter that stands before, got `act`}}
  gyre.type_param "par" in [f32] default !gyre.elem<act>
  gyre.type_param "act" in [f32]
}

// -----

gyre.spec @accumulator_of_size {
  gyre.param "L" in [0, 8]
  // expected-error @+1 {{[spec-type-order] expected a type parameter that stands before, got `L`}}
  gyre.accumulator "acc" of "L"
}

// -----

gyre.spec @accumulator_of_accumulator {
  gyre.type_param "act" in [f32]
  gyre.accumulator "acc" of "act"
  // expected-error @+1 {{[spec-type-order] expected a type parameter that stands before, got `acc`}}
  gyre.accumulator "more" of "acc"
}

// -----

gyre.spec @accumulator_unique {
  gyre.type_param "act" in [f32]
  // expected-error @+1 {{[spec-param-unique] expected parameters of different names, got two of name `act`}}
  gyre.accumulator "act" of "act"
}

// -----

gyre.spec @accumulator_name {
  gyre.type_param "act" in [f32]
  // expected-error @+1 {{[name-syntax] expected a name other than `x` and builtin types, got `f32`}}
  gyre.accumulator "f32" of "act"
}

// -----

// expected-error @+1 {{'gyre.accumulator' op expects parent op 'gyre.spec'}}
gyre.accumulator "acc" of "act"
