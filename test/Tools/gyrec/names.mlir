// Names that mean something else in C, C++, their headers or the runtime's: operands keep them everywhere but in the
// header, where those that could not be read there have a `_` more. The header compiles beside all others.
// RUN: gyrec %s -o %t
// RUN: FileCheck %s --input-file %t/names.h
// CHECK: gyre_status collect(
// CHECK-NEXT: const gyre_tensor *int64_t, const gyre_tensor *size_t,
// CHECK-NEXT: const gyre_tensor *INT64_MAX_,
// RUN: rm -f %t/all.h && for header in assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar wctype; do echo "#include <$header.h>" >> %t/all.h; done
// RUN: clang -fsyntax-only -std=c11 -Wall -Wextra -pedantic -Werror -I%gyre_source/include -include %t/all.h -xc %t/names.h
// RUN: clang -fsyntax-only -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I%gyre_source/include -include %t/all.h -xc %t/names.h
// The header of C++ for complex numbers has others of its own.
// RUN: sed -i -e /complex/d -e /tgmath/d -e /noreturn/d %t/all.h
// RUN: clang -fsyntax-only -std=c++17 -Wall -Wextra -pedantic -Werror -I%gyre_source/include -include %t/all.h -xc++ %t/names.h
// RUN: clang -fsyntax-only -std=gnu++17 -Wall -Wextra -Werror -I%gyre_source/include -include %t/all.h -xc++ %t/names.h

// The manifest has the names as they are.
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file %t/names.json
// MANIFEST: "name": "int64_t"
// MANIFEST: "name": "INT64_MAX"
// MANIFEST: "name": "errno"

!t = !gyre.tensor<E x f32>
gyre.spec @names {
  gyre.func @collect(%int64_t: !t,
      %size_t: !t,
      %INT64_MAX: !t,
      %SIZE_MAX: !t,
      %NULL: !t,
      %EOF: !t,
      %I: !t,
      %errno: !t,
      %assert: !t,
      %stdout: !t,
      %stdin: !t,
      %environ: !t,
      %connect: !t,
      %linux: !t,
      %unix: !t,
      %complex: !t,
      %noreturn: !t,
      %isnan: !t,
      %gyre_tensor: !t,
      %gyre_status: !t,
      %gyre_context: !t,
      %GYRE_OK: !t,
      %GYRE_ALIGNMENT: !t,
      %ctx: !t,
      %f__body: !t,
      %_mlir_ciface_f__body: !t,
      %restrict: !t,
      %class: !t,
      %template: !t,
      %alignas: !t,
      %thread_local: !t,
      %PRId64: !t,
      %EINVAL: !t,
      %SIGINT: !t,
      %index: !t,
      %y0: !t) -> (double: !t, int64_t: !t, gyre_map: !t) {
    %s.0 = arith.addf %int64_t, %size_t : !t
    %s.1 = arith.addf %s.0, %INT64_MAX : !t
    %s.2 = arith.addf %s.1, %SIZE_MAX : !t
    %s.3 = arith.addf %s.2, %NULL : !t
    %s.4 = arith.addf %s.3, %EOF : !t
    %s.5 = arith.addf %s.4, %I : !t
    %s.6 = arith.addf %s.5, %errno : !t
    %s.7 = arith.addf %s.6, %assert : !t
    %s.8 = arith.addf %s.7, %stdout : !t
    %s.9 = arith.addf %s.8, %stdin : !t
    %s.10 = arith.addf %s.9, %environ : !t
    %s.11 = arith.addf %s.10, %connect : !t
    %s.12 = arith.addf %s.11, %linux : !t
    %s.13 = arith.addf %s.12, %unix : !t
    %s.14 = arith.addf %s.13, %complex : !t
    %s.15 = arith.addf %s.14, %noreturn : !t
    %s.16 = arith.addf %s.15, %isnan : !t
    %s.17 = arith.addf %s.16, %gyre_tensor : !t
    %s.18 = arith.addf %s.17, %gyre_status : !t
    %s.19 = arith.addf %s.18, %gyre_context : !t
    %s.20 = arith.addf %s.19, %GYRE_OK : !t
    %s.21 = arith.addf %s.20, %GYRE_ALIGNMENT : !t
    %s.22 = arith.addf %s.21, %ctx : !t
    %s.23 = arith.addf %s.22, %f__body : !t
    %s.24 = arith.addf %s.23, %_mlir_ciface_f__body : !t
    %s.25 = arith.addf %s.24, %restrict : !t
    %s.26 = arith.addf %s.25, %class : !t
    %s.27 = arith.addf %s.26, %template : !t
    %s.28 = arith.addf %s.27, %alignas : !t
    %s.29 = arith.addf %s.28, %thread_local : !t
    %s.30 = arith.addf %s.29, %PRId64 : !t
    %s.31 = arith.addf %s.30, %EINVAL : !t
    %s.32 = arith.addf %s.31, %SIGINT : !t
    %s.33 = arith.addf %s.32, %index : !t
    %s.34 = arith.addf %s.33, %y0 : !t
    %a = arith.negf %s.34 : !t
    %b = arith.negf %a : !t
    gyre.return %s.34, %a, %b : !t, !t, !t
  }
}
