// RUN: gyre-opt %s -verify-diagnostics -split-input-file

gyre.func @subscript_rank(%x: !gyre.tensor<E x C x f32>) {
  // expected-error @+1 {{[contract-subscript-rank] expected 2 entries in a subscript, got 1}}
  %y = gyre.contract %x[e] -> [e] : !gyre.tensor<E x C x f32>
  gyre.return
}

// -----

gyre.func @subscript_rank_scalar(%x: !gyre.tensor<f32>) {
  // expected-error @+1 {{[contract-subscript-rank] expected 0 entries in a subscript, got 1}}
  %y = gyre.contract %x[e] -> [] : !gyre.tensor<f32>
  gyre.return
}

// -----

gyre.func @axis_repeat(%x: !gyre.tensor<C x C x f32>) {
  // expected-error @+1 {{[contract-axis-repeat] expected an axis once in a subscript, got `c` twice}}
  %y = gyre.contract %x[c, c] -> [c] : !gyre.tensor<C x C x f32>
  gyre.return
}

// -----

gyre.func @axis_repeat_group(%x: !gyre.tensor<C x C*C x f32>) {
  // expected-error @+1 {{[contract-axis-repeat] expected an axis once in a subscript, got `c` twice}}
  %y = gyre.contract %x[c, (c, d)] -> [c] : !gyre.tensor<C x C*C x f32>
  gyre.return
}

// -----

gyre.func @axis_repeat_result(%x: !gyre.tensor<C x f32>) {
  // expected-error @+1 {{[contract-axis-repeat] expected an axis once in a subscript, got `c` twice}}
  %y = gyre.contract %x[c] -> [c, c] : !gyre.tensor<C x f32>
  gyre.return
}

// -----

gyre.func @axis_size(%x: !gyre.tensor<E x f32>, %y: !gyre.tensor<F x f32>) {
  // expected-error @+1 {{[contract-axis-size] expected axis `e` to have one size, got E and F}}
  %z = gyre.contract %x[e], %y[e] -> [e] : !gyre.tensor<E x f32>, !gyre.tensor<F x f32>
  gyre.return
}

// -----

gyre.func @axis_size_with(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-axis-size] expected axis `e` to have one size, got F and E}}
  %z = gyre.contract %x[e] -> [e] with (e = F) : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @axis_size_negative(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-axis-size] expected axis `r` to have a size of at least 0, got -3}}
  %z = gyre.contract %x[e] -> [e, r] with (r = -3) : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @group_size(%x: !gyre.tensor<E x F*C x f32>) {
  // expected-error @+1 {{[contract-group-size] expected a group of size C*F, got 2*F}}
  %z = gyre.contract %x[e, (f, c)] -> [e, f] with (f = F, c = 2) : !gyre.tensor<E x F*C x f32>
  gyre.return
}

// -----

// Sizes that multiply to more than 64 bits hold.
gyre.func @group_size_overflow(%x: !gyre.tensor<4294967296 x f32>) {
  // expected-error @+1 {{[tensor-size] expected sizes of at least 0, got overflow}}
  %z = gyre.contract %x[e] -> [(e, f)] with (f = 4294967296) : !gyre.tensor<4294967296 x f32>
  gyre.return
}

// -----

gyre.func @axis_unsized_group(%x: !gyre.tensor<E x F*C x f32>) {
  // expected-error @+1 {{[contract-axis-unsized] expected a size for axis `f`, from an operand or from `with`, got none}}
  %z = gyre.contract %x[e, (f, c)] -> [e, c] with (c = C) : !gyre.tensor<E x F*C x f32>
  gyre.return
}

// -----

gyre.func @axis_unsized_result(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-axis-unsized] expected a size for axis `r`, from an operand or from `with`, got none}}
  %z = gyre.contract %x[e] -> [e, r] : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @axis_unused(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-axis-unused] expected each sized axis in a subscript, got `r`}}
  %z = gyre.contract %x[e] -> [e] with (r = 3) : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @relation_axis_unknown(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-relation-axis] expected each axis of the relation once, and in a subscript, got `r`}}
  %z = gyre.contract %x[e] -> [e] over {(r = 0)} : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @relation_axis_twice(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-relation-axis] expected each axis of the relation once, and in a subscript, got `e`}}
  %z = gyre.contract %x[e] -> [e] over [e, e] {(0, 0)} : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @tuple_range(%x: !gyre.tensor<3 x f32>) {
  // expected-error @+1 {{[contract-tuple-range] expected indices of axis `r` in [0, 2), got 2}}
  %z = gyre.contract %x[e] -> [r] with (r = 2) over [e, r] {(0, 0), (2, 1), (1, 2)} : !gyre.tensor<3 x f32>
  gyre.return
}

// -----

// An index is never negative, whatever the size.
gyre.func @tuple_range_symbolic(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-tuple-range] expected indices of axis `e` in [0, E), got -1}}
  %z = gyre.contract %x[e] -> [] over [e] {(0), (-1)} : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @tuple_range_empty(%x: !gyre.tensor<0 x f32>) {
  // expected-error @+1 {{[contract-tuple-range] expected indices of axis `e` in [0, 0), got 0}}
  %z = gyre.contract %x[e] -> [] over [e] {(0)} : !gyre.tensor<0 x f32>
  gyre.return
}

// -----

gyre.func @element_type(%x: !gyre.tensor<E x f32>, %y: !gyre.tensor<E x f64>) {
  // expected-error @+1 {{[contract-element-type] expected operands of one floating-point element type, got 'f32' and 'f64'}}
  %z = gyre.contract %x[e], %y[e] -> [e] : !gyre.tensor<E x f32>, !gyre.tensor<E x f64>
  gyre.return
}

// -----

gyre.func @element_type_parameter(%x: !gyre.tensor<E x act>, %y: !gyre.tensor<E x acc>) {
  // expected-error @+1 {{[contract-element-type] expected operands of one floating-point element type, got '!gyre.elem<act>' and '!gyre.elem<acc>'}}
  %z = gyre.contract %x[e], %y[e] -> [e] : !gyre.tensor<E x act>, !gyre.tensor<E x acc>
  gyre.return
}

// -----

gyre.func @element_type_integer(%x: !gyre.tensor<E x i32>) {
  // expected-error @+1 {{[contract-element-type] expected operands of one floating-point element type, got 'i32' and 'i32'}}
  %z = gyre.contract %x[e] -> [e] : !gyre.tensor<E x i32>
  gyre.return
}

// -----

gyre.func @operand_type(%x: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[tensor-operand] expected a gyre tensor, got '!gyre.map<[e: E] to N>'}}
  %z = gyre.contract %x[e] -> [e] : !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @operand_count(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{custom op 'gyre.contract' number of operands and types do not match: got 1 operands and 2 types}}
  %z = gyre.contract %x[e] -> [e] : !gyre.tensor<E x f32>, !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @precision(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-precision] expected a precision such as ieee or tf32x3, got `fast`}}
  %z = gyre.contract %x[e] -> [e] precision fast : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @accumulator_narrow(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-accumulator] expected f64, f32, f16 or bf16, with every value of 'f32', got 'f16'}}
  %z = gyre.contract %x[e] -> [e] acc f16 : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @accumulator_narrow(%x: !gyre.tensor<E x bf16>) {
  // expected-error @+1 {{[contract-accumulator] expected f64, f32, f16 or bf16, with every value of 'bf16', got 'f16'}}
  %z = gyre.contract %x[e] -> [e] acc f16 : !gyre.tensor<E x bf16>
  gyre.return
}

// -----

gyre.func @accumulator_integer(%x: !gyre.tensor<E x act>) {
  // expected-error @+1 {{[contract-accumulator] expected f64, f32, f16 or bf16, with every value of '!gyre.elem<act>', got 'i64'}}
  %z = gyre.contract %x[e] -> [e] acc i64 : !gyre.tensor<E x act>
  gyre.return
}

// -----

gyre.func @accumulator_unsupported(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-accumulator] expected f64, f32, f16 or bf16, with every value of 'f32', got 'f128'}}
  %z = gyre.contract %x[e] -> [e] acc f128 : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @axis_name(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `e.f`}}
  %z = gyre.contract %x[e.f] -> [] : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @empty_group(%x: !gyre.tensor<1 x f32>) {
  // expected-error @+1 {{expected valid keyword}}
  %z = gyre.contract %x[()] -> [] : !gyre.tensor<1 x f32>
  gyre.return
}

// -----

// The generic form may say what the pretty form cannot.

gyre.func @generic_subscript_count(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-subscript-count] expected one subscript an operand, and at least one operand, got 2 subscripts for 1 operands}}
  %z = "gyre.contract"(%x) <{subscripts = [[["e"]], [["e"]]], result_subscript = [["e"]], domain = [#gyre.axis<e: E>]}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_no_operand() {
  // expected-error @+1 {{[contract-subscript-count] expected one subscript an operand, and at least one operand, got 0 subscripts for 0 operands}}
  %z = "gyre.contract"() <{subscripts = [], result_subscript = [], domain = []}> : () -> !gyre.tensor<f32>
  gyre.return
}

// -----

gyre.func @generic_subscript_entries(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-subscript-rank] expected an array with a non-empty array of axis names for each dimension, got ["e"]}}
  %z = "gyre.contract"(%x) <{subscripts = [["e"]], result_subscript = [["e"]], domain = [#gyre.axis<e: E>]}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_subscript_kind(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-subscript-rank] expected an array with a non-empty array of axis names for each dimension, got 1 : i64}}
  %z = "gyre.contract"(%x) <{subscripts = [1], result_subscript = [["e"]], domain = [#gyre.axis<e: E>]}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_axis_kind(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-subscript-rank] expected an array with a non-empty array of axis names for each dimension, got [[1]]}}
  %z = "gyre.contract"(%x) <{subscripts = [[["e"]]], result_subscript = [[1]], domain = [#gyre.axis<e: E>]}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

// A dimension of no axis has no text form.
gyre.func @generic_empty_group(%x: !gyre.tensor<1 x f32>) {
  // expected-error @+1 {{[contract-subscript-rank] expected an array with a non-empty array of axis names for each dimension, got [[]]}}
  %z = "gyre.contract"(%x) <{subscripts = [[[]]], result_subscript = [], domain = []}> : (!gyre.tensor<1 x f32>) -> !gyre.tensor<f32>
  gyre.return
}

// -----

gyre.func @generic_domain_kind(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.contract' op attribute 'domain' failed to satisfy constraint: axes with sizes}}
  %z = "gyre.contract"(%x) <{subscripts = [[["e"]]], result_subscript = [["e"]], domain = ["e"]}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_domain_twice(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[contract-axis-size] expected axis `e` to have one size, got two}}
  %z = "gyre.contract"(%x) <{subscripts = [[["e"]]], result_subscript = [["e"]], domain = [#gyre.axis<e: E>, #gyre.axis<e: F>]}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_no_domain(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.contract' op requires attribute 'domain'}}
  %z = "gyre.contract"(%x) <{subscripts = [[["e"]]], result_subscript = [["e"]]}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_nothing(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.contract' op requires attribute 'domain'}}
  %z = "gyre.contract"(%x) : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_relation_kind(%x: !gyre.tensor<E x f32>) {
  // expected-error-re @+1 {{'gyre.contract' op attribute 'relation' failed to satisfy constraint: {{.*}}}}
  %z = "gyre.contract"(%x) <{subscripts = [[["e"]]], result_subscript = [["e"]], domain = [#gyre.axis<e: E>], relation = [0]}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_acc_kind(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{Invalid attribute `acc` in property conversion: "f32"}}
  %z = "gyre.contract"(%x) <{subscripts = [[["e"]]], result_subscript = [["e"]], domain = [#gyre.axis<e: E>], acc = "f32"}> : (!gyre.tensor<E x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_operand(%x: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{'gyre.contract' op operand #0 must be variadic of gyre tensor of a floating-point type, but got '!gyre.map<[e: E] to N>'}}
  %z = "gyre.contract"(%x) <{subscripts = [[["e"]]], result_subscript = [["e"]], domain = [#gyre.axis<e: E>]}> : (!gyre.map<[e: E] to N>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @syntax_attribute(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[syntax-attribute] expected attributes that the op has no syntax for, got `acc`}}
  %z = gyre.contract %x[e] -> [e] {acc = f64} : !gyre.tensor<E x f32>
  gyre.return
}
