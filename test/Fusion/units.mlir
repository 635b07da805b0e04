// Several values that become of one product: one kernel, and one product. What else their cells take is computed there, too.
// RUN: gyre-opt %s --gyre-fuse=target=cuda | FileCheck %s --enable-var-scope
// RUN: gyre-opt %s --gyre-fuse=target=cuda --gyre-schedule=target=cuda | FileCheck %s --check-prefix=TILE
// RUN: gyre-opt %s --gyre-fuse | FileCheck %s --check-prefix=CPU

!u = !gyre.tensor<E x 64 x f32>
!w = !gyre.tensor<64 x 64 x f32>
!z = !gyre.tensor<E x 256 x f32>

// CHECK-LABEL: gyre.func @two_of_one
// CHECK-NEXT: %[[K:.*]]:2 = gyre.cells : !gyre.tensor<E x 64 x f32>, !gyre.tensor<E x 64 x f32> {
// CHECK-NEXT: %[[P:.*]] = gyre.contract %x[e, i], %w[i, o] -> [e, o]
// CHECK-NEXT: %[[S:.*]] = math.sin %[[P]]
// CHECK-NEXT: %[[C:.*]] = math.cos %[[P]]
// CHECK-NEXT: gyre.deliver %[[S]], %[[C]]
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]#0, %[[K]]#1
// TILE-LABEL: gyre.func @two_of_one
// TILE-COUNT-1: gyre.cells tile
// CPU-LABEL: gyre.func @two_of_one
// CPU-COUNT-1: gyre.kernel over E
gyre.func @two_of_one(%x: !u, %w: !w) -> (r: !u, s: !u) {
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %r = math.sin %p : !u
  %s = math.cos %p : !u
  gyre.return %r, %s : !u, !u
}

// Rows that only this kernel needs: none is stored.
// CHECK-LABEL: gyre.func @joined
// CHECK-NEXT: %[[R:.*]] = gyre.cells : !gyre.tensor<E x 64 x f32> {
// CHECK-NEXT: %[[E:.*]] = math.exp %y
// CHECK-NEXT: %[[G:.*]] = arith.mulf %[[E]], %y
// CHECK-NEXT: %[[P:.*]] = gyre.contract
// CHECK-NEXT: arith.addf %[[G]], %[[P]]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[R]]
// TILE-LABEL: gyre.func @joined
// TILE-COUNT-1: gyre.cells tile
gyre.func @joined(%x: !u, %y: !u, %w: !w) -> (r: !u) {
  %e = math.exp %y : !u
  %g = arith.mulf %e, %y : !u
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %r = arith.addf %g, %p : !u
  gyre.return %r : !u
}

// The pullback of gates of three planes: the gradient of the planes, and of what the gates are computed from. The former is one
// block of what the next kernel delivers, beside its own tiles.
// CHECK-LABEL: gyre.func @pullback
// CHECK-NEXT: %[[V:.*]] = gyre.cells : !gyre.tensor<64 x 64 x f32>
// CHECK: %[[K:.*]]:2 = gyre.cells
// CHECK-COUNT-1: gyre.contract %{{.*}}[e, i], %w[i, o] -> [e, o]
// CHECK: gyre.sigmoid
// CHECK: gyre.contract %{{.*}} -> [e, (c, d)] with (c = 3, d = 64, g = 1) over [c, g] {(0, 0), (1, 0), (2, 0)}
// CHECK: gyre.deliver
// CHECK: %[[R:.*]] = gyre.cells : !gyre.tensor<E x 256 x f32> {
// CHECK: math.exp
// CHECK: %[[Q:.*]] = gyre.contract %[[V]]
// CHECK: gyre.concat %{{.*}}, %[[K]]#{{[01]}} axis 1
// CHECK-NEXT: gyre.deliver
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return %[[R]]
// TILE-LABEL: gyre.func @pullback
// TILE-COUNT-2: gyre.cells tile
gyre.func @pullback(%z: !z, %a: !z, %w: !w) -> (r: !z) {
  %s = gyre.contract %z[e, (c, d)] -> [e, d] with (c = 4, d = 64) over [c] {(0)} : !z
  %t = gyre.contract %a[e, (c, d)] -> [e, d] with (c = 4, d = 64) over [c] {(0)} : !z
  %p = gyre.contract %s[e, i], %w[i, o] -> [e, o] : !u, !w
  %g = gyre.sigmoid %p : !u
  %planes = gyre.contract %a[e, (c, d)], %g[e, (g, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !z, !u
  %sum = gyre.contract %z[e, (c, d)], %a[e, (c, d)] -> [e, (g, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !z, !z
  %gg = arith.mulf %sum, %g : !u
  %q = gyre.contract %w[i, o], %gg[e, o] -> [e, i] : !w, !u
  %e = math.exp %s : !u
  %own = arith.mulf %t, %e : !u
  %scalars = arith.addf %own, %q : !u
  %block = gyre.contract %scalars[e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)} : !u
  %r = arith.addf %planes, %block : !z
  gyre.return %r : !z
}

// The same with another term, which each block has its part of, and with what the gates are subtracted from: a third result of
// the kernel, with a block that is of no product.
// CHECK-LABEL: gyre.func @training
// CHECK: %[[K:.*]]:3 = gyre.cells
// CHECK-COUNT-1: gyre.contract %{{.*}}[e, i], %w[i, o] -> [e, o]
// CHECK: gyre.deliver
// CHECK: %[[R:.*]] = gyre.cells : !gyre.tensor<E x 256 x f32> {
// CHECK: gyre.contract %{{.*}}[o, i], %[[K]]#{{[012]}}[e, o] -> [e, i]
// CHECK: gyre.concat %{{.*}}, %[[K]]#{{[012]}} axis 1
// CHECK-NEXT: gyre.deliver
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return %[[R]], %[[K]]#{{[012]}}
// TILE-LABEL: gyre.func @training
// TILE-COUNT-2: gyre.cells tile
gyre.func @training(%z: !z, %a: !z, %u: !z, %more: !z, %w: !w) -> (r: !z, v: !z) {
  %s = gyre.contract %z[e, (c, d)] -> [e, d] with (c = 4, d = 64) over [c] {(0)} : !z
  %t = gyre.contract %a[e, (c, d)] -> [e, d] with (c = 4, d = 64) over [c] {(0)} : !z
  %p = gyre.contract %s[e, i], %w[i, o] -> [e, o] : !u, !w
  %g = gyre.sigmoid %p : !u
  %planes = gyre.contract %a[e, (c, d)], %g[e, (g, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !z, !u
  %sum = gyre.contract %z[e, (c, d)], %a[e, (c, d)] -> [e, (g, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !z, !z
  %gg = arith.mulf %sum, %g : !u
  %q = gyre.contract %w[i, o], %gg[e, o] -> [e, i] : !w, !u
  %e = math.exp %s : !u
  %own = arith.mulf %t, %e : !u
  %scalars = arith.addf %own, %q : !u
  %block = gyre.contract %scalars[e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)} : !u
  %0 = arith.addf %more, %planes : !z
  %r = arith.addf %0, %block : !z
  %gates = gyre.contract %z[e, (c, d)], %g[e, (g, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !z, !u
  %silu = gyre.silu %s : !u
  %first = gyre.contract %silu[e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)} : !u
  %1 = arith.addf %first, %gates : !z
  %v = arith.subf %u, %1 : !z
  gyre.return %r, %v : !z, !z
}

// Two values that are spread over the same planes are added where these are computed, one of them of sums of a tile and one of an
// array; the scalars' sigmoid is computed by each of the two kernels that need it.
// CHECK-LABEL: gyre.func @second_order
// CHECK: %[[S:.*]] = gyre.cells : !gyre.tensor<E x 64 x f32> {
// CHECK: %[[K:.*]]:2 = gyre.cells : !gyre.tensor<E x 256 x f32>, !gyre.tensor<E x 64 x f32> {
// CHECK: %[[Z:.*]] = gyre.sigmoid
// CHECK: %[[D:.*]] = arith.mulf %{{.*}}, %[[Z]]
// CHECK: gyre.contract %k[e, i], %v[i, o] -> [e, o]
// CHECK: %[[G:.*]] = gyre.sigmoid %[[S]]
// CHECK: %[[T:.*]] = arith.mulf %{{.*}}, %[[G]]
// CHECK: %[[A:.*]] = gyre.contract %{{.*}}, %[[T]]
// CHECK: %[[B:.*]] = gyre.contract %[[G]]
// CHECK: %[[C:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: %[[R:.*]] = gyre.concat %[[D]], %[[C]] axis 1
// CHECK: gyre.deliver %[[R]], %[[T]]
// CHECK: gyre.cells : !gyre.tensor<E x 64 x f32> {
// CHECK: gyre.contract %{{.*}}, %[[K]]#1
// CHECK: gyre.sigmoid
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return
// TILE-LABEL: gyre.func @second_order
// TILE-COUNT-3: gyre.cells tile
gyre.func @second_order(%z: !z, %h: !z, %k: !u, %w: !w, %v: !w) -> (r: !z, s: !u) {
  %zs = gyre.contract %z[e, (c, d)] -> [e, d] with (c = 4, d = 64) over [c] {(0)} : !z
  %hs = gyre.contract %h[e, (c, d)] -> [e, d] with (c = 4, d = 64) over [c] {(0)} : !z
  %kappa = gyre.contract %k[e, i], %v[i, o] -> [e, o] : !u, !w
  %p = gyre.contract %zs[e, i], %w[i, o] -> [e, o] : !u, !w
  %g = gyre.sigmoid %p : !u
  %t = arith.mulf %kappa, %g : !u
  %0 = gyre.contract %z[e, (c, d)], %t[e, (g, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !z, !u
  %1 = gyre.contract %g[e, (g, d)], %h[e, (c, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !u, !z
  %2 = arith.addf %0, %1 : !z
  %e = gyre.sigmoid %zs : !u
  %3 = arith.mulf %hs, %e : !u
  %4 = gyre.contract %3[e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)} : !u
  %r = arith.addf %2, %4 : !z
  %5 = gyre.contract %w[i, o], %t[e, o] -> [e, i] : !w, !u
  %s = arith.mulf %5, %e : !u
  gyre.return %r, %s : !z, !u
}

// Of these two the cells of one plane come of different ones: rows add them.
// CHECK-LABEL: gyre.func @other_planes
// CHECK: gyre.kernel over E
// CHECK: arith.addf
gyre.func @other_planes(%z: !z, %h: !z, %x: !u, %w: !gyre.tensor<64 x 192 x f32>) -> (r: !z) {
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !gyre.tensor<64 x 192 x f32>
  %g = gyre.sigmoid %p : !gyre.tensor<E x 192 x f32>
  %0 = gyre.contract %z[e, (c, d)], %g[e, (g, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 3) over [c, g] {(1, 0), (2, 1), (3, 2)} : !z, !gyre.tensor<E x 192 x f32>
  %1 = gyre.contract %h[e, (c, d)], %g[e, (g, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 3) over [c, g] {(1, 2), (2, 1), (3, 0)} : !z, !gyre.tensor<E x 192 x f32>
  %2 = arith.addf %0, %1 : !z
  %3 = gyre.contract %x[e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)} : !u
  %r = arith.addf %2, %3 : !z
  gyre.return %r : !z
}

// Where a cell becomes many others a thread has fewer of them.
// CHECK-LABEL: gyre.func @many
// CHECK: gyre.cells
// TILE-LABEL: gyre.func @many
// TILE: gyre.cells tile <block 64 x 64 depth 32, thread 4 x 8, stages 2 warps 16> :
gyre.func @many(%x: !u, %w: !w) -> (r2: !u, r3: !u, r4: !u, r5: !u, r6: !u, r7: !u, r8: !u) {
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %2 = gyre.constant 2.0 : !u
  %r2 = arith.mulf %p, %2 : !u
  %3 = gyre.constant 3.0 : !u
  %r3 = arith.mulf %p, %3 : !u
  %4 = gyre.constant 4.0 : !u
  %r4 = arith.mulf %p, %4 : !u
  %5 = gyre.constant 5.0 : !u
  %r5 = arith.mulf %p, %5 : !u
  %6 = gyre.constant 6.0 : !u
  %r6 = arith.mulf %p, %6 : !u
  %7 = gyre.constant 7.0 : !u
  %r7 = arith.mulf %p, %7 : !u
  %8 = gyre.constant 8.0 : !u
  %r8 = arith.mulf %p, %8 : !u
  gyre.return %r2, %r3, %r4, %r5, %r6, %r7, %r8 : !u, !u, !u, !u, !u, !u, !u
}

// One of the values may be for rows, which would have had to read another one.
// CHECK-LABEL: gyre.func @one_for_rows
// CHECK-NEXT: %[[K:.*]]:2 = gyre.cells : !gyre.tensor<E x 64 x f32>, !gyre.tensor<E x 64 x f32> {
// CHECK: gyre.sigmoid
// CHECK: math.exp
// CHECK: }
// CHECK-NEXT: gyre.kernel over E by %m
// CHECK-NEXT: gyre.row %[[K]]#{{[01]}}
gyre.func @one_for_rows(%x: !u, %y: !u, %w: !w, %m: !gyre.map<[e: E] to N>) -> (r: !u, t: !gyre.tensor<N x 64 x f32>) {
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %g = gyre.sigmoid %p : !u
  %e = math.exp %y : !u
  %r = arith.mulf %g, %e : !u
  %s = arith.mulf %g, %g : !u
  %t = gyre.segment_sum %s over %m axis 0 : !u, !gyre.map<[e: E] to N>
  gyre.return %r, %t : !u, !gyre.tensor<N x 64 x f32>
}

// Not: what is read beside a product and used elsewhere, too; what depends on another value of the product.
// CHECK-LABEL: gyre.func @used_elsewhere
// CHECK: gyre.kernel over E
// CHECK: math.exp
// CHECK: gyre.return
gyre.func @used_elsewhere(%x: !u, %y: !u, %w: !w, %m: !gyre.map<[e: E] to N>) -> (r: !u, t: !gyre.tensor<N x 64 x f32>) {
  %e = math.exp %y : !u
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %r = arith.mulf %e, %p : !u
  %t = gyre.segment_sum %e over %m axis 0 : !u, !gyre.map<[e: E] to N>
  gyre.return %r, %t : !u, !gyre.tensor<N x 64 x f32>
}

// CHECK-LABEL: gyre.func @feeds_itself
// CHECK-NEXT: %[[K:.*]]:2 = gyre.cells
// CHECK-NEXT: gyre.contract %x[e, i], %w[i, o]
// CHECK-NEXT: math.cos
// CHECK-NEXT: math.sin
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[R:.*]] = gyre.cells
// CHECK-NEXT: gyre.contract %[[K]]#1[e, i], %w[i, o]
// CHECK-NEXT: arith.mulf %[[K]]#0
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[R]]
gyre.func @feeds_itself(%x: !u, %w: !w) -> (r: !u) {
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %s = math.sin %p : !u
  %c = math.cos %p : !u
  %q = gyre.contract %s[e, i], %w[i, o] -> [e, o] : !u, !w
  %r = arith.mulf %c, %q : !u
  gyre.return %r : !u
}

// Marks that somebody wrote say nothing.
// CHECK-LABEL: gyre.func @marked
// CHECK-NOT: gyre.unit
// CHECK-NOT: gyre.stored
// CHECK: gyre.return
gyre.func @marked(%x: !u) -> (y: !u) {
  %0 = math.sin %x {gyre.stored = 1 : i32, gyre.unit = "a"} : !u
  gyre.return %0 : !u
}

// What is beside a product is looked at once, however often it is used.
// CHECK-LABEL: gyre.func @powers
// CHECK: gyre.cells
// CHECK-COUNT-41: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: gyre.cells
gyre.func @powers(%x: !u, %w: !w, %y: !u) -> (z: !u) {
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %t0 = arith.mulf %y, %y : !u
  %t1 = arith.mulf %t0, %t0 : !u
  %t2 = arith.mulf %t1, %t1 : !u
  %t3 = arith.mulf %t2, %t2 : !u
  %t4 = arith.mulf %t3, %t3 : !u
  %t5 = arith.mulf %t4, %t4 : !u
  %t6 = arith.mulf %t5, %t5 : !u
  %t7 = arith.mulf %t6, %t6 : !u
  %t8 = arith.mulf %t7, %t7 : !u
  %t9 = arith.mulf %t8, %t8 : !u
  %t10 = arith.mulf %t9, %t9 : !u
  %t11 = arith.mulf %t10, %t10 : !u
  %t12 = arith.mulf %t11, %t11 : !u
  %t13 = arith.mulf %t12, %t12 : !u
  %t14 = arith.mulf %t13, %t13 : !u
  %t15 = arith.mulf %t14, %t14 : !u
  %t16 = arith.mulf %t15, %t15 : !u
  %t17 = arith.mulf %t16, %t16 : !u
  %t18 = arith.mulf %t17, %t17 : !u
  %t19 = arith.mulf %t18, %t18 : !u
  %t20 = arith.mulf %t19, %t19 : !u
  %t21 = arith.mulf %t20, %t20 : !u
  %t22 = arith.mulf %t21, %t21 : !u
  %t23 = arith.mulf %t22, %t22 : !u
  %t24 = arith.mulf %t23, %t23 : !u
  %t25 = arith.mulf %t24, %t24 : !u
  %t26 = arith.mulf %t25, %t25 : !u
  %t27 = arith.mulf %t26, %t26 : !u
  %t28 = arith.mulf %t27, %t27 : !u
  %t29 = arith.mulf %t28, %t28 : !u
  %t30 = arith.mulf %t29, %t29 : !u
  %t31 = arith.mulf %t30, %t30 : !u
  %t32 = arith.mulf %t31, %t31 : !u
  %t33 = arith.mulf %t32, %t32 : !u
  %t34 = arith.mulf %t33, %t33 : !u
  %t35 = arith.mulf %t34, %t34 : !u
  %t36 = arith.mulf %t35, %t35 : !u
  %t37 = arith.mulf %t36, %t36 : !u
  %t38 = arith.mulf %t37, %t37 : !u
  %t39 = arith.mulf %t38, %t38 : !u
  %t40 = arith.mulf %t39, %t39 : !u
  %z = arith.addf %t40, %p : !u
  gyre.return %z : !u
}
