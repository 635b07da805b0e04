// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.func @rotate
gyre.func @rotate(%x: !gyre.tensor<E x (L+1)*(L+1) x C x act>, %w: !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x act>,
                  %x0: !gyre.tensor<E x 1 x C x f32>, %w0: !gyre.tensor<E x 1 x 1 x f32>)
    -> (y: !gyre.tensor<E x 3*L + 1 x C x act>, y0: !gyre.tensor<E x 1 x C x f32>) {
  // CHECK: gyre.rotate %x by %w degree L : !gyre.tensor<E x L*L + 2*L + 1 x C x act>, !gyre.tensor<E x L*L + 2*L + 1 x L*L + 2*L + 1 x act>
  %y = gyre.rotate %x by %w degree L : !gyre.tensor<E x (L+1)*(L+1) x C x act>, !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x act>
  // CHECK: gyre.rotate %x0 by %w0 degree 0 {note = "kept"} : !gyre.tensor<E x 1 x C x f32>, !gyre.tensor<E x 1 x 1 x f32>
  %y0 = gyre.rotate %x0 by %w0 degree 0 {note = "kept"} : !gyre.tensor<E x 1 x C x f32>, !gyre.tensor<E x 1 x 1 x f32>
  gyre.return %y, %y0 : !gyre.tensor<E x 3*L + 1 x C x act>, !gyre.tensor<E x 1 x C x f32>
}

// CHECK-LABEL: gyre.func @rotate_by_packed
gyre.func @rotate_by_packed(%x: !gyre.tensor<E x (L+1)*(L+1) x C x act>, %w: !gyre.tensor<E x 3*(L+1)*(L+1) - 2 x act>)
    -> (y: !gyre.tensor<E x 3*L + 1 x C x act>) {
  // CHECK: gyre.rotate %x by %w degree L : !gyre.tensor<E x L*L + 2*L + 1 x C x act>, !gyre.tensor<E x 3*L*L + 6*L + 1 x act>
  %y = gyre.rotate %x by %w degree L : !gyre.tensor<E x (L+1)*(L+1) x C x act>, !gyre.tensor<E x 3*(L+1)*(L+1) - 2 x act>
  gyre.return %y : !gyre.tensor<E x 3*L + 1 x C x act>
}

// CHECK-LABEL: gyre.func @degree_mix
gyre.func @degree_mix(%x: !gyre.tensor<E x 3*L + 1 x C x act>, %radial: !gyre.tensor<E x L + 1 x C x act>,
                      %kc: !gyre.tensor<E x ((L+1)*(L+1) + L*L)*R x act>, %cb: !gyre.tensor<R x C x act>)
    -> (a: !gyre.tensor<E x 3*L + 1 x C x act>, b: !gyre.tensor<E x 3*L + 1 x C x act>) {
  // CHECK: gyre.degree_mix %x by %radial degree L : !gyre.tensor<E x 3*L + 1 x C x act>, !gyre.tensor<E x L + 1 x C x act>
  %a = gyre.degree_mix %x by %radial degree L : !gyre.tensor<E x 3*L + 1 x C x act>, !gyre.tensor<E x L + 1 x C x act>
  // CHECK: gyre.degree_mix %x by %kc basis %cb degree L : !gyre.tensor<E x 3*L + 1 x C x act>, !gyre.tensor<E x 2*L*L*R + 2*L*R + R x act>, !gyre.tensor<R x C x act>
  %b = gyre.degree_mix %x by %kc basis %cb degree L
      : !gyre.tensor<E x 3*L + 1 x C x act>, !gyre.tensor<E x ((L+1)*(L+1) + L*L)*R x act>, !gyre.tensor<R x C x act>
  gyre.return %a, %b : !gyre.tensor<E x 3*L + 1 x C x act>, !gyre.tensor<E x 3*L + 1 x C x act>
}

// CHECK-LABEL: gyre.func @gated_activation
gyre.func @gated_activation(%z: !gyre.tensor<F x E x (3*L + 1)*C x act>, %g: !gyre.tensor<F x C x L*C x act>, %s: !gyre.tensor<F x E x C x act>)
    -> (a: !gyre.tensor<F x E x (3*L + 1)*C x act>, b: !gyre.tensor<F x E x C x act>) {
  // CHECK: gyre.gated_activation %z gate %g degree L channels C : !gyre.tensor<F x E x 3*C*L + C x act>, !gyre.tensor<F x C x C*L x act>
  %a = gyre.gated_activation %z gate %g degree L channels C : !gyre.tensor<F x E x (3*L + 1)*C x act>, !gyre.tensor<F x C x L*C x act>
  // CHECK: gyre.gated_activation %s degree 0 channels C : !gyre.tensor<F x E x C x act>
  %b = gyre.gated_activation %s degree 0 channels C : !gyre.tensor<F x E x C x act>
  gyre.return %a, %b : !gyre.tensor<F x E x (3*L + 1)*C x act>, !gyre.tensor<F x E x C x act>
}
