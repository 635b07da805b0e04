// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.func @gather
gyre.func @gather(%x: !gyre.tensor<B x N x C x f32>, %m: !gyre.map<[e: E] to N>, %knn: !gyre.map<[k: 2*K, n: M] to N, padded>,
                  %i: !gyre.tensor<N x i32>)
    -> (a: !gyre.tensor<B x E x C x f32>, b: !gyre.tensor<B x 2*K x M x C x f32>, c: !gyre.tensor<E x i32>) {
  // CHECK: %{{.*}} = gyre.gather %x over %m axis 1 : !gyre.tensor<B x N x C x f32>, !gyre.map<[e: E] to N>
  %a = gyre.gather %x over %m axis 1 : !gyre.tensor<B x N x C x f32>, !gyre.map<[e: E] to N>
  // A map of two axes replaces one dimension by two.
  // CHECK: %{{.*}} = gyre.gather %x over %knn axis 1 : !gyre.tensor<B x N x C x f32>, !gyre.map<[k: 2*K, n: M] to N, padded>
  %b = gyre.gather %x over %knn axis 1 : !gyre.tensor<B x N x C x f32>, !gyre.map<[k: 2*K, n: M] to N, padded>
  // Integers may be gathered.
  // CHECK: %{{.*}} = gyre.gather %i over %m axis 0 {note = "kept"} : !gyre.tensor<N x i32>, !gyre.map<[e: E] to N>
  %c = gyre.gather %i over %m axis 0 {note = "kept"} : !gyre.tensor<N x i32>, !gyre.map<[e: E] to N>
  // CHECK: gyre.return %{{.*}}, %{{.*}}, %{{.*}} : !gyre.tensor<B x E x C x f32>, !gyre.tensor<B x 2*K x M x C x f32>, !gyre.tensor<E x i32>
  gyre.return %a, %b, %c : !gyre.tensor<B x E x C x f32>, !gyre.tensor<B x 2*K x M x C x f32>, !gyre.tensor<E x i32>
}

// CHECK-LABEL: gyre.func @segment_sum
gyre.func @segment_sum(%rows: !gyre.tensor<B x E x C x f32>, %m: !gyre.map<[e: E] to N>,
                       %wide: !gyre.tensor<2*K x M x act>, %knn: !gyre.map<[k: 2*K, n: M] to N, padded>)
    -> (a: !gyre.tensor<B x N x C x f32>, b: !gyre.tensor<N x act>) {
  // CHECK: %{{.*}} = gyre.segment_sum %rows over %m axis 1 : !gyre.tensor<B x E x C x f32>, !gyre.map<[e: E] to N>
  %a = gyre.segment_sum %rows over %m axis 1 : !gyre.tensor<B x E x C x f32>, !gyre.map<[e: E] to N>
  // CHECK: %{{.*}} = gyre.segment_sum %wide over %knn axis 0 : !gyre.tensor<2*K x M x act>, !gyre.map<[k: 2*K, n: M] to N, padded>
  %b = gyre.segment_sum %wide over %knn axis 0 : !gyre.tensor<2*K x M x act>, !gyre.map<[k: 2*K, n: M] to N, padded>
  // CHECK: gyre.return %{{.*}}, %{{.*}} : !gyre.tensor<B x N x C x f32>, !gyre.tensor<N x act>
  gyre.return %a, %b : !gyre.tensor<B x N x C x f32>, !gyre.tensor<N x act>
}

// CHECK-LABEL: gyre.func @valid
gyre.func @valid(%knn: !gyre.map<[k: K, n: M] to N, padded>) -> (v: !gyre.tensor<K x M x act>) {
  // CHECK: %{{.*}} = gyre.valid %knn : !gyre.map<[k: K, n: M] to N, padded> -> !gyre.tensor<K x M x act>
  %v = gyre.valid %knn : !gyre.map<[k: K, n: M] to N, padded> -> !gyre.tensor<K x M x act>
  gyre.return %v : !gyre.tensor<K x M x act>
}
