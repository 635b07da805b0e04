// A library with its header and its manifest.
// RUN: rm -rf %t && mkdir %t
// RUN: gyrec %s --set C=4,act=f64 -o %t/a
// RUN: ls %t/a | FileCheck %s --check-prefix=FILES
// FILES: libscale.so
// FILES-NEXT: scale.h
// FILES-NEXT: scale.json
// FILES-NOT: {{.}}

// The entry points and nothing else.
// RUN: llvm-nm -D --defined-only --format=just-symbols %t/a/libscale.so | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS: {{^}}scale{{$}}
// SYMBOLS-NEXT: {{^}}scale_bwd{{$}}
// SYMBOLS-NEXT: {{^}}scale_bwd_packed{{$}}
// SYMBOLS-NEXT: {{^}}scale_bwd_workspace{{$}}
// SYMBOLS-NEXT: {{^}}scale_packed{{$}}
// SYMBOLS-NEXT: {{^}}scale_workspace{{$}}
// SYMBOLS-NOT: {{.}}

// RUN: llvm-readelf -d %t/a/libscale.so | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC-DAG: (NEEDED) Shared library: [libgyre_runtime.so.{{.*}}]
// DYNAMIC-DAG: (NEEDED) Shared library: [libm.so.6]
// DYNAMIC-DAG: (SONAME) Library soname: [libscale.so]
// DYNAMIC-DAG: SYMBOLIC
// DYNAMIC-DAG: (RUNPATH) Library runpath: [$ORIGIN:{{/.*}}]

// RUN: FileCheck %s --check-prefix=HEADER --input-file %t/a/scale.h
// HEADER: /* Kernels of the spec scale, for the CPU. Parameters: C = 4, act = f64.
// HEADER: #ifndef GYRE_KERNELS_SCALE_H
// HEADER: /* scale
// HEADER-NEXT: argument x      f64 E x 4
// HEADER-NEXT: argument class_ map [e: E] to N
// HEADER-NEXT: result   x_     f64 E x 4
// HEADER-NEXT: sizes: E, N */
// HEADER-NEXT: gyre_status scale(
// HEADER-NEXT: const gyre_tensor *x, const gyre_map *class_, gyre_tensor *x_,
// HEADER-NEXT: const gyre_context *ctx);
// HEADER-NEXT: gyre_status scale_packed(void *const *args, const gyre_context *ctx);
// HEADER-NEXT: gyre_status scale_workspace(const int64_t *sizes, int64_t *bytes);
// RUN: clang -fsyntax-only -std=c11 -Wall -Wextra -pedantic -Werror -I%gyre_source/include -xc %t/a/scale.h
// RUN: clang -fsyntax-only -std=c++17 -Wall -Wextra -pedantic -Werror -I%gyre_source/include -xc++ %t/a/scale.h

// RUN: FileCheck %s --check-prefix=MANIFEST --input-file %t/a/scale.json
// MANIFEST: "gyre": 1,
// MANIFEST-NEXT: "spec": "scale",
// MANIFEST-NEXT: "library": "libscale.so",
// MANIFEST-NEXT: "header": "scale.h",
// MANIFEST-NEXT: "target": "cpu",
// MANIFEST-NEXT: "params": {
// MANIFEST-NEXT: "C": 4,
// MANIFEST-NEXT: "act": "f64"
// MANIFEST: "name": "scale",
// MANIFEST-NEXT: "symbol": "scale",
// MANIFEST-NEXT: "packed_symbol": "scale_packed",
// MANIFEST-NEXT: "workspace_symbol": "scale_workspace",
// MANIFEST-NEXT: "sizes": [
// MANIFEST-NEXT: "E",
// MANIFEST-NEXT: "N"
// MANIFEST: "name": "class",
// MANIFEST-NEXT: "kind": "map",
// MANIFEST-NEXT: "axes": [
// MANIFEST-NEXT: [
// MANIFEST-NEXT: "e",
// MANIFEST-NEXT: "E"
// MANIFEST: "target": "N",
// MANIFEST-NEXT: "padded": false
// MANIFEST: "results": [
// MANIFEST: "name": "x",
// MANIFEST-NEXT: "kind": "tensor",
// MANIFEST-NEXT: "dtype": "f64",
// MANIFEST-NEXT: "shape": [
// MANIFEST-NEXT: "E",
// MANIFEST-NEXT: "4"
// MANIFEST: "name": "scale_bwd",
// MANIFEST: "derivative": {
// MANIFEST-NEXT: "given": {
// MANIFEST-NEXT: "x": "gx"
// MANIFEST-NEXT: },
// MANIFEST-NEXT: "of": "scale",
// MANIFEST-NEXT: "wrt": {
// MANIFEST-NEXT: "x": "gx"

// The same input gives the same bytes, and replaces what is there.
// RUN: mkdir %t/b && echo old > %t/b/libscale.so
// RUN: gyrec --set C=4 --set act=f64 -o %t/b - < %s
// RUN: diff -r %t/a %t/b

// Nor does it matter where the compiler was called, nor how the runtime's directory was written.
// RUN: cd %gyre_lib/.. && gyrec %s --set C=4,act=f64 --runtime-dir ./lib -o %t/d
// RUN: diff -r %t/a %t/d

// A directory of any name but one with `:`.
// RUN: mkdir "%t/one, two" && cp -P %gyre_lib/libgyre_runtime.so* "%t/one, two"
// RUN: gyrec %s --set C=4,act=f64 --runtime-dir "%t/one, two" -o %t/e
// RUN: llvm-readelf -d %t/e/libscale.so | FileCheck %s --check-prefix=COMMA
// COMMA: (RUNPATH) Library runpath: [$ORIGIN:{{/.*}}/one, two]

// A linker by itself serves as well as one that a C compiler calls.
// RUN: mkdir %t/lld && ln -s "$(command -v ld.lld)" %t/lld/ld.lld
// RUN: env PATH=%t/lld gyrec %s --set C=4,act=f64 -o %t/f
// RUN: llvm-readelf -d %t/f/libscale.so | FileCheck %s --check-prefix=LLD
// LLD-DAG: (NEEDED) Shared library: [libgyre_runtime.so.{{.*}}]
// LLD-DAG: (NEEDED) Shared library: [libm.so.6]
// LLD-DAG: (SONAME) Library soname: [libscale.so]
// LLD-DAG: (FLAGS) SYMBOLIC
// LLD-DAG: (RUNPATH) Library runpath: [$ORIGIN:{{/.*}}]
// RUN: %python -c "import ctypes; ctypes.CDLL('%t/f/libscale.so').scale_packed"
// RUN: %python -c "import ctypes; ctypes.CDLL('%t/e/libscale.so').scale_packed"

// Only some functions; the primal of a derivative is needed, but not kept.
// RUN: gyrec %s --set C=4,act=f64 --derive scale_bwd -o %t/c
// RUN: llvm-nm -D --defined-only --format=just-symbols %t/c/libscale.so | FileCheck %s --check-prefix=DERIVED
// DERIVED: scale_bwd
// DERIVED-NEXT: scale_bwd_packed
// DERIVED-NEXT: scale_bwd_workspace
// DERIVED-NOT: {{.}}

gyre.spec @scale {
  gyre.param "C" in [1, 64]
  gyre.type_param "act" in [f32, f64] default f32
  gyre.func @scale(%x: !gyre.tensor<E x C x act>, %class: !gyre.map<[e: E] to N>) -> (x: !gyre.tensor<E x C x act>) {
    %n = gyre.segment_sum %x over %class axis 0 : !gyre.tensor<E x C x act>, !gyre.map<[e: E] to N>
    %e = gyre.gather %n over %class axis 0 : !gyre.tensor<N x C x act>, !gyre.map<[e: E] to N>
    %s = math.exp %e : !gyre.tensor<E x C x act>
    %y = arith.mulf %s, %x : !gyre.tensor<E x C x act>
    gyre.return %y : !gyre.tensor<E x C x act>
  }
  gyre.derive @scale_bwd = vjp @scale wrt (x)
}
