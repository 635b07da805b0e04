// Errors say what was expected, and leave nothing behind.
// RUN: rm -rf %t && mkdir %t

// RUN: not gyrec %t/none.mlir -o %t/out 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: gyrec: error: [gyrec-input] expected a readable file, got {{.*}}none.mlir

// RUN: not gyrec %s --set C=4 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: gyrec: error: [gyrec-output] expected -o DIRECTORY, got none

// RUN: not gyrec %s --set C=4 --target=nvidia -o %t/out 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: gyrec: error: [gyrec-target] expected --target=cpu or cuda, got nvidia

// RUN: not gyrec %s --set C=4 --emit=ptx 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not gyrec %s --set C=4 --arch=sm_80 -o %t/out 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: gyrec: error: [gyrec-target] expected --target=cuda with --emit=ptx, --arch and --toolkit, got cpu
// RUN: not gyrec %s --set C=4 --target=cuda --emit=ptx --arch=sm_80 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: gyrec: error: [gyrec-arch] expected one compute_XX for --emit=ptx, got sm_80

// A source line with what a pass says about it.
// RUN: not gyrec %s --set C=400 -o %t/out 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: errors.mlir:[[#]]:3: error: [specialise-param-range] expected `C` in [1, 64], got 400
// RANGE-NEXT: {{^}}  gyre.param "C" in [1, 64]{{$}}
// RANGE-NEXT: {{^}}  ^{{$}}
// RUN: not gyre-run --interpret %s --set C=400 --func f --in %t --out %t 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: sed 's/math.exp %%x/math.exp %%z/' %s | not gyrec - --set C=4 -o %t/out 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: <stdin>:[[#]]:19: error: use of undeclared SSA value name
// PARSE-NEXT: {{^}}    %y = math.exp %z
// PARSE-NEXT: {{^}}                  ^{{$}}
// RUN: not gyrec %s --set C=4,D=1 -o %t/out 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: [specialise-unknown-param]
// RUN: not gyrec %s -o %t/out 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: [specialise-missing-param]

// RUN: not gyrec %s --set C=4 --derive g -o %t/out 2>&1 | FileCheck %s --check-prefix=KEEP
// KEEP: errors.mlir:[[#]]:1: error: [keep-unknown] expected one of f, f_bwd, got g
// KEEP-NEXT: {{^}}gyre.spec @s {
// KEEP-NEXT: {{^}}^{{$}}

// RUN: not gyrec %s --set C=4 --runtime-dir %t -o %t/out 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUNTIME: error: [emit-runtime] expected the runtime's library, got no file {{.*}}libgyre_runtime.so

// RUN: mkdir %t/path
// RUN: env PATH=%t/path gyrec %s --set C=4 -o %t/out > %t/linker.txt 2>&1 || true
// RUN: FileCheck %s --check-prefix=LINKER --input-file %t/linker.txt
// LINKER: error: [emit-linker] expected cc, ld.lld or ld on PATH, got none

// RUN: printf '#!/bin/sh\necho no room >&2\nexit 1\n' > %t/path/cc && chmod +x %t/path/cc
// RUN: env PATH=%t/path gyrec %s --set C=4 -o %t/out > %t/link.txt 2>&1 || true
// RUN: FileCheck %s --check-prefix=LINK --input-file %t/link.txt
// LINK: error: [emit-link] expected {{.*}}cc to link the library, got: no room

// A linker that leaves nothing, and directories that a library could not name.
// RUN: printf '#!/bin/sh\nexit 0\n' > %t/path/cc
// RUN: env PATH=%t/path gyrec %s --set C=4 -o %t/out > %t/nothing.txt 2>&1 || true
// RUN: FileCheck %s --check-prefix=NOTHING --input-file %t/nothing.txt
// NOTHING: error: [emit-link] expected a library from {{.*}}cc, got an empty or unreadable file
// RUN: mkdir %t/a:b && cp %gyre_lib/libgyre_runtime.so %t/a:b
// RUN: not gyrec %s --set C=4 --runtime-dir %t/a:b -o %t/out 2>&1 | FileCheck %s --check-prefix=COLON
// COLON: error: [emit-runtime] expected a directory without `:`, which separates those of a library, got {{.*}}/a:b

// RUN: not ls %t/out

// One error where stdout takes nothing, and none of LLVM's own.
// RUN: not gyrec %s --set C=4 --emit=mlir 2>&1 > /dev/full | FileCheck %s --check-prefix=FULL --implicit-check-not=LLVM
// RUN: not gyrec %s --set C=4 --emit=obj 2>&1 > /dev/full | FileCheck %s --check-prefix=FULL --implicit-check-not=LLVM
// FULL: error: [emit-output] expected to write stdout, got: No space left on device

// RUN: mkfifo %t/pipe && ln -s none %t/link
// RUN: not gyrec %s --set C=4 --emit=mlir -o %t/pipe 2>&1 | FileCheck %s --check-prefix=IRREGULAR
// RUN: not gyrec %s --set C=4 --emit=mlir -o %t/link 2>&1 | FileCheck %s --check-prefix=IRREGULAR
// IRREGULAR: error: [emit-output] expected to write {{.*}}, got: something of that name that is no regular file

// RUN: echo > %t/file
// RUN: not gyrec %s --set C=4 -o %t/file 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: error: [emit-output] expected to write {{.*}}libs.so, got: Not a directory
// RUN: mkdir -p %t/taken/s.json
// RUN: not gyrec %s --set C=4 -o %t/taken 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: error: [emit-output] expected to write {{.*}}s.json, got: something of that name that is no regular file
// RUN: ls %t/taken | FileCheck %s --check-prefix=WHOLE
// WHOLE: s.json
// WHOLE-NOT: {{.}}

// RUN: echo 'gyre.spec @none {}' | not gyrec - -o %t/none 2>&1 | FileCheck %s --check-prefix=NOFUNCTION
// NOFUNCTION: error: [specialise-function] expected a function in the spec, or in its alternative that holds, got none
// RUN: not ls %t/none

// RUN: echo 'gyre.spec @math {gyre.func @f() {gyre.return}}' | not gyrec - -o %t/none 2>&1 | FileCheck %s --check-prefix=HIDES
// HIDES: error: [gyrec-spec] expected a spec whose files hide none of the system's, got `math`
// RUN: not ls %t/none

// RUN: echo 'func.func @f(%%x: tensor<3xf64>) {return}' | not gyrec - -o %t/none 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: echo 'module {gyre.spec @s {gyre.func @f() {gyre.return}} module {}}' | not gyrec - -o %t/none 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: 1:{{[0-9]+}}: error: [gyrec-input] expected gyre.spec, or gyre.func and gyre.derive, got {{func.func|builtin.module}}
// RUN: not ls %t/none

// RUN: echo 'gyre.func @f() {gyre.return}' | not gyrec - -o %t/out 2>&1 | FileCheck %s --check-prefix=SPEC
// SPEC: error: [gyrec-spec] expected a spec with a name of letters, digits, `_` and `-`, got none

gyre.spec @s {
  gyre.param "C" in [1, 64]
  gyre.func @f(%x: !gyre.tensor<E x C x f32>) -> (y: !gyre.tensor<E x C x f32>) {
    %y = math.exp %x : !gyre.tensor<E x C x f32>
    gyre.return %y : !gyre.tensor<E x C x f32>
  }
  gyre.derive @f_bwd = vjp @f wrt (x)
}
