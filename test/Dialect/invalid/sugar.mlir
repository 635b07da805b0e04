// RUN: gyre-opt %s -verify-diagnostics -split-input-file

gyre.func @rotate_rows(%x: !gyre.tensor<E x 9 x C x f32>, %w: !gyre.tensor<E x 16 x 16 x f32>) {
  // expected-error @+1 {{[rotate-shape] expected x (E, D, C) and wigner (E, D, D), or packed (E, 3*D - 2), of one element type with D = (L + 1)^2 and L = 3 of at least 0, got '!gyre.tensor<E x 9 x C x f32>' and '!gyre.tensor<E x 16 x 16 x f32>'}}
  %y = gyre.rotate %x by %w degree 3 : !gyre.tensor<E x 9 x C x f32>, !gyre.tensor<E x 16 x 16 x f32>
  gyre.return
}

// -----

gyre.func @rotate_edges(%x: !gyre.tensor<E x 4 x C x f32>, %w: !gyre.tensor<N x 4 x 4 x f32>) {
  // expected-error @+1 {{[rotate-shape] expected x (E, D, C) and wigner (E, D, D), or packed (E, 3*D - 2), of one element type with D = (L + 1)^2 and L = 1 of at least 0, got '!gyre.tensor<E x 4 x C x f32>' and '!gyre.tensor<N x 4 x 4 x f32>'}}
  %y = gyre.rotate %x by %w degree 1 : !gyre.tensor<E x 4 x C x f32>, !gyre.tensor<N x 4 x 4 x f32>
  gyre.return
}

// -----

gyre.func @rotate_rank(%x: !gyre.tensor<E x 4 x f32>, %w: !gyre.tensor<E x 4 x 4 x f32>) {
  // expected-error @+1 {{[rotate-shape] expected x (E, D, C) and wigner (E, D, D), or packed (E, 3*D - 2), of one element type with D = (L + 1)^2 and L = 1 of at least 0, got '!gyre.tensor<E x 4 x f32>' and '!gyre.tensor<E x 4 x 4 x f32>'}}
  %y = gyre.rotate %x by %w degree 1 : !gyre.tensor<E x 4 x f32>, !gyre.tensor<E x 4 x 4 x f32>
  gyre.return
}

// -----

gyre.func @rotate_element(%x: !gyre.tensor<E x 4 x C x f32>, %w: !gyre.tensor<E x 4 x 4 x f64>) {
  // expected-error @+1 {{[rotate-shape] expected x (E, D, C) and wigner (E, D, D), or packed (E, 3*D - 2), of one element type with D = (L + 1)^2 and L = 1 of at least 0, got '!gyre.tensor<E x 4 x C x f32>' and '!gyre.tensor<E x 4 x 4 x f64>'}}
  %y = gyre.rotate %x by %w degree 1 : !gyre.tensor<E x 4 x C x f32>, !gyre.tensor<E x 4 x 4 x f64>
  gyre.return
}

// -----

// Of degree 1 there are 10 structural entries.
gyre.func @rotate_packed(%x: !gyre.tensor<E x 4 x C x f32>, %w: !gyre.tensor<E x 12 x f32>) {
  // expected-error @+1 {{[rotate-shape] expected x (E, D, C) and wigner (E, D, D), or packed (E, 3*D - 2), of one element type with D = (L + 1)^2 and L = 1 of at least 0, got '!gyre.tensor<E x 4 x C x f32>' and '!gyre.tensor<E x 12 x f32>'}}
  %y = gyre.rotate %x by %w degree 1 : !gyre.tensor<E x 4 x C x f32>, !gyre.tensor<E x 12 x f32>
  gyre.return
}

// -----

// (-1 + 1)^2 and (-3 + 1)^2 are sizes, yet there is no such degree.
gyre.func @rotate_degree(%x: !gyre.tensor<E x 4 x C x f32>, %w: !gyre.tensor<E x 4 x 4 x f32>) {
  // expected-error @+1 {{[rotate-shape] expected x (E, D, C) and wigner (E, D, D), or packed (E, 3*D - 2), of one element type with D = (L + 1)^2 and L = -3 of at least 0, got '!gyre.tensor<E x 4 x C x f32>' and '!gyre.tensor<E x 4 x 4 x f32>'}}
  %y = gyre.rotate %x by %w degree -3 : !gyre.tensor<E x 4 x C x f32>, !gyre.tensor<E x 4 x 4 x f32>
  gyre.return
}

// -----

gyre.func @degree_mix_rows(%x: !gyre.tensor<E x 9 x C x f32>, %k: !gyre.tensor<E x 3 x C x f32>) {
  // expected-error @+1 {{[degree-mix-shape] expected x (E, 3*L + 1, C) and a kernel (E, L + 1, C), or with a basis (R, C) a kernel (E, ((L + 1)^2 + L^2)*R), of one element type with L = 2, got '!gyre.tensor<E x 9 x C x f32>', '!gyre.tensor<E x 3 x C x f32>' and basis none}}
  %y = gyre.degree_mix %x by %k degree 2 : !gyre.tensor<E x 9 x C x f32>, !gyre.tensor<E x 3 x C x f32>
  gyre.return
}

// -----

gyre.func @degree_mix_no_basis(%x: !gyre.tensor<E x 7 x C x f32>, %k: !gyre.tensor<E x 13*R x f32>) {
  // expected-error @+1 {{[degree-mix-shape] expected x (E, 3*L + 1, C) and a kernel (E, L + 1, C), or with a basis (R, C) a kernel (E, ((L + 1)^2 + L^2)*R), of one element type with L = 2, got '!gyre.tensor<E x 7 x C x f32>', '!gyre.tensor<E x 13*R x f32>' and basis none}}
  %y = gyre.degree_mix %x by %k degree 2 : !gyre.tensor<E x 7 x C x f32>, !gyre.tensor<E x 13*R x f32>
  gyre.return
}

// -----

gyre.func @degree_mix_basis(%x: !gyre.tensor<E x 7 x C x f32>, %k: !gyre.tensor<E x 13*R x f32>, %b: !gyre.tensor<R x D x f32>) {
  // expected-error @+1 {{[degree-mix-shape] expected x (E, 3*L + 1, C) and a kernel (E, L + 1, C), or with a basis (R, C) a kernel (E, ((L + 1)^2 + L^2)*R), of one element type with L = 2, got '!gyre.tensor<E x 7 x C x f32>', '!gyre.tensor<E x 13*R x f32>' and basis '!gyre.tensor<R x D x f32>'}}
  %y = gyre.degree_mix %x by %k basis %b degree 2 : !gyre.tensor<E x 7 x C x f32>, !gyre.tensor<E x 13*R x f32>, !gyre.tensor<R x D x f32>
  gyre.return
}

// -----

gyre.func @degree_mix_basis_operand(%x: !gyre.tensor<E x 7 x C x f32>, %k: !gyre.tensor<E x 13*R x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[tensor-operand] expected a gyre tensor, got '!gyre.map<[e: E] to N>'}}
  %y = gyre.degree_mix %x by %k basis %m degree 2 : !gyre.tensor<E x 7 x C x f32>, !gyre.tensor<E x 13*R x f32>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @gated_activation_size(%z: !gyre.tensor<F x E x 7*C x f32>, %g: !gyre.tensor<F x C x C x f32>) {
  // expected-error @+1 {{[gated-activation-shape] expected z (F, E, (3*L + 1)*C) and a gate (F, C, L*C) (no gate for L = 0) of one element type with L = 2 and C = C, got '!gyre.tensor<F x E x 7*C x f32>' and gate '!gyre.tensor<F x C x C x f32>'}}
  %y = gyre.gated_activation %z gate %g degree 2 channels C : !gyre.tensor<F x E x 7*C x f32>, !gyre.tensor<F x C x C x f32>
  gyre.return
}

// -----

gyre.func @gated_activation_no_gate(%z: !gyre.tensor<F x E x 7*C x f32>) {
  // expected-error @+1 {{[gated-activation-shape] expected z (F, E, (3*L + 1)*C) and a gate (F, C, L*C) (no gate for L = 0) of one element type with L = 2 and C = C, got '!gyre.tensor<F x E x 7*C x f32>' and gate none}}
  %y = gyre.gated_activation %z degree 2 channels C : !gyre.tensor<F x E x 7*C x f32>
  gyre.return
}

// -----

// Two negative numbers multiply to a size.
gyre.func @gated_activation_negative(%z: !gyre.tensor<F x E x 2 x f32>, %g: !gyre.tensor<F x 1 x 1 x f32>) {
  // expected-error @+1 {{[gated-activation-shape] expected z (F, E, (3*L + 1)*C) and a gate (F, C, L*C) (no gate for L = 0) of one element type with L = -1 and C = -1, got '!gyre.tensor<F x E x 2 x f32>' and gate '!gyre.tensor<F x 1 x 1 x f32>'}}
  %y = gyre.gated_activation %z gate %g degree -1 channels -1 : !gyre.tensor<F x E x 2 x f32>, !gyre.tensor<F x 1 x 1 x f32>
  gyre.return
}
