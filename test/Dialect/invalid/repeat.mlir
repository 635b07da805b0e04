// RUN: gyre-opt %s -verify-diagnostics -split-input-file -allow-unregistered-dialect

gyre.func @count(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[repeat-count] expected a count of at least 0, got -1}}
  %y = gyre.repeat 2 - 3 carry (%a = %u : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
    gyre.yield %a : !gyre.tensor<E x f32>
  }
  gyre.return
}

// -----

gyre.func @slice_scalar(%u: !gyre.tensor<f32>) {
  // expected-error @+1 {{[repeat-slice] expected a sliced value with a leading dimension, got '!gyre.tensor<f32>'}}
  gyre.repeat 2 slice (%a = %u : !gyre.tensor<f32>) -> () {
    gyre.yield
  }
  gyre.return
}

// -----

gyre.func @slice_map(%u: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[repeat-slice] expected a sliced value with a leading dimension, got '!gyre.map<[e: E] to N>'}}
  gyre.repeat 2 slice (%a = %u : !gyre.map<[e: E] to N>) -> () {
    gyre.yield
  }
  gyre.return
}

// -----

gyre.func @slice_scalar_generic(%u: !gyre.tensor<f32>) {
  // expected-error @+1 {{[repeat-slice] expected a sliced value with a leading dimension, got '!gyre.tensor<f32>'}}
  "gyre.repeat"(%u) <{count = #gyre.poly<2>, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: !gyre.tensor<f32>):
    gyre.yield
  }) : (!gyre.tensor<f32>) -> ()
  gyre.return
}

// -----

gyre.func @slice_short(%u: !gyre.tensor<T - 1 x f32>) {
  // expected-error @+1 {{[repeat-slice] expected a leading dimension of at least T, got '!gyre.tensor<T - 1 x f32>'}}
  gyre.repeat T slice (%a = %u : !gyre.tensor<T - 1 x f32>) -> () {
    gyre.yield
  }
  gyre.return
}

// -----

gyre.func @carry_map(%u: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{'gyre.repeat' op operand #0 must be variadic of gyre tensor, but got '!gyre.map<[e: E] to N>'}}
  gyre.repeat 2 carry (%a = %u : !gyre.map<[e: E] to N>) -> () {
    gyre.yield
  }
  gyre.return
}

// -----

gyre.func @block(%u: !gyre.tensor<E x f32>, %w: !gyre.tensor<T x C x f32>) {
  // expected-error @+1 {{[repeat-block] expected the carried values and the rows of the sliced ones as arguments of the body, ('!gyre.tensor<E x f32>', '!gyre.tensor<C x f32>'), got ('!gyre.tensor<E x f32>', '!gyre.tensor<T x C x f32>')}}
  %y = "gyre.repeat"(%u, %w) <{count = #gyre.poly<T>, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: !gyre.tensor<E x f32>, %b: !gyre.tensor<T x C x f32>):
    gyre.yield %a : !gyre.tensor<E x f32>
  }) : (!gyre.tensor<E x f32>, !gyre.tensor<T x C x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @block_no_arguments(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[repeat-block] expected the carried values and the rows of the sliced ones as arguments of the body, ('!gyre.tensor<E x f32>'), got ()}}
  %y = "gyre.repeat"(%u) <{count = #gyre.poly<T>, operandSegmentSizes = array<i32: 1, 0>}> ({
    gyre.yield %u : !gyre.tensor<E x f32>
  }) : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @yield_type(%u: !gyre.tensor<E x f32>, %v: !gyre.tensor<N x f32>) {
  %y = gyre.repeat 2 carry (%a = %u : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
    // expected-error @+1 {{[repeat-yield] expected the carried values first, of types ('!gyre.tensor<E x f32>'), got ('!gyre.tensor<N x f32>')}}
    gyre.yield %v : !gyre.tensor<N x f32>
  }
  gyre.return
}

// -----

gyre.func @yield_nothing(%u: !gyre.tensor<E x f32>) {
  %y = gyre.repeat 2 carry (%a = %u : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
    // expected-error @+1 {{[repeat-yield] expected the carried values first, of types ('!gyre.tensor<E x f32>'), got ()}}
    gyre.yield
  }
  gyre.return
}

// -----

gyre.func @yield_count(%u: !gyre.tensor<E x f32>) {
  %y = gyre.repeat 2 carry (%a = %u : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
    // expected-error @+1 {{[repeat-yield] expected a value for each of 1 results, got 2}}
    gyre.yield %a, %a : !gyre.tensor<E x f32>, !gyre.tensor<E x f32>
  }
  gyre.return
}

// -----

gyre.func @yield_fewer_results(%u: !gyre.tensor<E x f32>) {
  gyre.repeat 2 carry (%a = %u : !gyre.tensor<E x f32>) -> () {
    // expected-error @+1 {{[repeat-yield] expected a value for each of 0 results, got 1}}
    gyre.yield %a : !gyre.tensor<E x f32>
  }
  gyre.return
}

// -----

gyre.func @result_carried(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[repeat-result] expected result 0 to be '!gyre.tensor<E x f32>', got '!gyre.tensor<N x f32>'}}
  %y = gyre.repeat 2 carry (%a = %u : !gyre.tensor<E x f32>) -> (!gyre.tensor<N x f32>) {
    gyre.yield %a : !gyre.tensor<E x f32>
  }
  gyre.return
}

// -----

gyre.func @result_stacked(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[repeat-result] expected result 0 to be '!gyre.tensor<2 x E x f32>', got '!gyre.tensor<E x f32>'}}
  %y = gyre.repeat 2 -> (!gyre.tensor<E x f32>) {
    gyre.yield %u : !gyre.tensor<E x f32>
  }
  gyre.return
}

// -----

gyre.func @result_type(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.repeat' op result #0 must be variadic of gyre tensor, but got 'f32'}}
  %y = gyre.repeat 2 -> (f32) {
    gyre.yield %u : !gyre.tensor<E x f32>
  }
  gyre.return
}

// -----

gyre.func @no_terminator(%u: !gyre.tensor<E x f32>) {
  gyre.repeat 2 carry (%a = %u : !gyre.tensor<E x f32>) -> () {
    // expected-error @+1 {{block with no terminator}}
    %b = math.exp %a : !gyre.tensor<E x f32>
  }
  gyre.return
}

// -----

gyre.func @unknown_terminator(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[repeat-yield] expected gyre.yield at the end, got test.end}}
  gyre.repeat 2 carry (%a = %u : !gyre.tensor<E x f32>) -> () {
    "test.end"() : () -> ()
  }
  gyre.return
}

// -----

gyre.func @wrong_terminator(%u: !gyre.tensor<E x f32>) {
  gyre.repeat 2 -> () {
    // expected-error @+1 {{'gyre.return' op expects parent op 'gyre.func'}}
    gyre.return
  }
  gyre.return
}

// -----

gyre.func @empty_body(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.repeat' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  gyre.repeat 2 -> () {}
  gyre.return
}

// -----

gyre.func @no_region(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.repeat' op requires one region}}
  "gyre.repeat"(%u) <{count = #gyre.poly<2>, operandSegmentSizes = array<i32: 1, 0>}> : (!gyre.tensor<E x f32>) -> ()
  gyre.return
}

// -----

gyre.func @segments(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.repeat' op operand count (1) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  "gyre.repeat"(%u) <{count = #gyre.poly<2>, operandSegmentSizes = array<i32: 1, 2>}> ({
    gyre.yield
  }) : (!gyre.tensor<E x f32>) -> ()
  gyre.return
}

// -----

gyre.func @segments_negative(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.repeat' op 'operandSegmentSizes' attribute cannot have negative elements}}
  "gyre.repeat"(%u) <{count = #gyre.poly<2>, operandSegmentSizes = array<i32: 2, -1>}> ({
    gyre.yield
  }) : (!gyre.tensor<E x f32>) -> ()
  gyre.return
}

// -----

gyre.func @segments_missing(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.repeat' op operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  "gyre.repeat"(%u) <{count = #gyre.poly<2>}> ({
    gyre.yield
  }) : (!gyre.tensor<E x f32>) -> ()
  gyre.return
}

// -----

gyre.func @yield_outside(%u: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.yield' op expects parent op 'gyre.repeat'}}
  gyre.yield %u : !gyre.tensor<E x f32>
}

// -----

gyre.func @syntax_attribute() {
  // expected-error @+1 {{[syntax-attribute] expected attributes that the op has no syntax for, got `operandSegmentSizes`}}
  gyre.repeat 2 -> () attributes {operandSegmentSizes = array<i32: 1, 1>} {
    gyre.yield
  }
  gyre.return
}
