// RUN: gyre-opt %s --gyre-plain-loops --gyre-cpu-code | FileCheck %s

// CHECK-DAG: llvm.func @gyre_rt_enter(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @gyre_rt_workspace(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func internal @sum__body(
// CHECK-DAG: llvm.func internal @_mlir_ciface_sum__body(

// The signature as words (gyre/Runtime/EntryTable.h): two sizes, three operands of which one is a
// result, one buffer of the workspace, 37 words of frame.
// CHECK: llvm.mlir.global internal constant @sum__table(dense<[{{[0-9]+}}, 0, 1, 2, 3, 1, 1, 37, {{.*}}]> : tensor<{{.*}}xi64>)
// CHECK: llvm.mlir.global internal constant @sum__names("sum\00E\00N\00x\002\00src\00y\002*E\00\00")

// The typed form puts its operands into an array.
// CHECK: llvm.func @sum(%[[X:.*]]: !llvm.ptr, %[[SRC:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %[[CTX:.*]]: !llvm.ptr) -> i32
// CHECK: %[[ARGS:.*]] = llvm.alloca
// CHECK: llvm.store %[[X]]
// CHECK: llvm.store %[[SRC]]
// CHECK: llvm.store %[[Y]]
// CHECK: %[[STATUS:.*]] = llvm.call @sum_packed(%[[ARGS]], %[[CTX]])
// CHECK: llvm.return %[[STATUS]]

// CHECK: llvm.func @sum_packed(%[[ARGS:.*]]: !llvm.ptr, %[[CTX:.*]]: !llvm.ptr) -> i32
// CHECK: %[[WORDS:.*]] = llvm.mlir.constant(37 : i64)
// CHECK: %[[FRAME:.*]] = llvm.alloca %[[WORDS]] x i64
// CHECK: %[[STATUS:.*]] = llvm.call @gyre_rt_enter(%{{.*}}, %{{.*}}, %[[ARGS]], %[[CTX]], %[[FRAME]])
// CHECK: llvm.cond_br %{{.*}}, ^[[CALL:.*]], ^[[REFUSE:.*]]
// CHECK: ^[[CALL]]:
// Two sizes; x of rank 2; index, order and ptr of src; y of rank 2; the workspace.
// CHECK: llvm.getelementptr %[[FRAME]][2]
// CHECK: llvm.getelementptr %[[FRAME]][9]
// CHECK: llvm.getelementptr %[[FRAME]][14]
// CHECK: llvm.getelementptr %[[FRAME]][19]
// CHECK: llvm.getelementptr %[[FRAME]][24]
// CHECK: llvm.getelementptr %[[FRAME]][0]
// CHECK: llvm.load
// CHECK: llvm.getelementptr %[[FRAME]][1]
// CHECK: llvm.load
// CHECK: llvm.getelementptr %[[FRAME]][31]
// CHECK: llvm.call @_mlir_ciface_sum__body
// CHECK: ^[[REFUSE]]:
// CHECK: llvm.return %[[STATUS]]

// CHECK: llvm.func @sum_workspace(%[[SIZES:.*]]: !llvm.ptr, %[[BYTES:.*]]: !llvm.ptr) -> i32
// CHECK: llvm.call @gyre_rt_workspace(%{{.*}}, %{{.*}}, %[[SIZES]], %[[BYTES]])
gyre.func @sum(%x: !gyre.tensor<E x 2 x f32>, %src: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<N x 2 x f32>) {
  %z = math.exp %x : !gyre.tensor<E x 2 x f32>
  %y = gyre.segment_sum %z over %src axis 0 : !gyre.tensor<E x 2 x f32>, !gyre.map<[e: E] to N>
  gyre.return %y : !gyre.tensor<N x 2 x f32>
}
