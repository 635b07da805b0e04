// A kernel that spills in the first assembly asks for fewer blocks on a multiprocessor, and gets more
// registers, until nothing is spilled.
// REQUIRES: ptxas
// RUN: gyre-opt %s "--gyre-gpu-code=arch=sm_90a report=1" --verify-diagnostics | FileCheck %s
// Each architecture begins with what the kernel asks for; PTX, which nobody tries out, asks for one block.
// RUN: gyre-opt %s "--gyre-gpu-code=arch=sm_90a,compute_80" | FileCheck %s --check-prefix=PTX

// No warning of spills; the table says so, too.
// CHECK: gpu.binary @relax_0
// CHECK-SAME: spills = 0
// PTX: gpu.binary @relax_0
// PTX-SAME: .minnctapersm 1\0A

gpu.module @gyre_device {
  // 48 values are alive at once; 16 blocks of 128 threads leave 32 registers for a thread.
  // expected-remark@+1 {{, 0 bytes of spills,}}
  gpu.func @relax_0(%x: !llvm.ptr) kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.minctasm = 16 : i32} {
    %p0 = llvm.getelementptr %x[0] : (!llvm.ptr) -> !llvm.ptr, f32
    %v0 = llvm.load volatile %p0 : !llvm.ptr -> f32
    %p1 = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %v1 = llvm.load volatile %p1 : !llvm.ptr -> f32
    %p2 = llvm.getelementptr %x[2] : (!llvm.ptr) -> !llvm.ptr, f32
    %v2 = llvm.load volatile %p2 : !llvm.ptr -> f32
    %p3 = llvm.getelementptr %x[3] : (!llvm.ptr) -> !llvm.ptr, f32
    %v3 = llvm.load volatile %p3 : !llvm.ptr -> f32
    %p4 = llvm.getelementptr %x[4] : (!llvm.ptr) -> !llvm.ptr, f32
    %v4 = llvm.load volatile %p4 : !llvm.ptr -> f32
    %p5 = llvm.getelementptr %x[5] : (!llvm.ptr) -> !llvm.ptr, f32
    %v5 = llvm.load volatile %p5 : !llvm.ptr -> f32
    %p6 = llvm.getelementptr %x[6] : (!llvm.ptr) -> !llvm.ptr, f32
    %v6 = llvm.load volatile %p6 : !llvm.ptr -> f32
    %p7 = llvm.getelementptr %x[7] : (!llvm.ptr) -> !llvm.ptr, f32
    %v7 = llvm.load volatile %p7 : !llvm.ptr -> f32
    %p8 = llvm.getelementptr %x[8] : (!llvm.ptr) -> !llvm.ptr, f32
    %v8 = llvm.load volatile %p8 : !llvm.ptr -> f32
    %p9 = llvm.getelementptr %x[9] : (!llvm.ptr) -> !llvm.ptr, f32
    %v9 = llvm.load volatile %p9 : !llvm.ptr -> f32
    %p10 = llvm.getelementptr %x[10] : (!llvm.ptr) -> !llvm.ptr, f32
    %v10 = llvm.load volatile %p10 : !llvm.ptr -> f32
    %p11 = llvm.getelementptr %x[11] : (!llvm.ptr) -> !llvm.ptr, f32
    %v11 = llvm.load volatile %p11 : !llvm.ptr -> f32
    %p12 = llvm.getelementptr %x[12] : (!llvm.ptr) -> !llvm.ptr, f32
    %v12 = llvm.load volatile %p12 : !llvm.ptr -> f32
    %p13 = llvm.getelementptr %x[13] : (!llvm.ptr) -> !llvm.ptr, f32
    %v13 = llvm.load volatile %p13 : !llvm.ptr -> f32
    %p14 = llvm.getelementptr %x[14] : (!llvm.ptr) -> !llvm.ptr, f32
    %v14 = llvm.load volatile %p14 : !llvm.ptr -> f32
    %p15 = llvm.getelementptr %x[15] : (!llvm.ptr) -> !llvm.ptr, f32
    %v15 = llvm.load volatile %p15 : !llvm.ptr -> f32
    %p16 = llvm.getelementptr %x[16] : (!llvm.ptr) -> !llvm.ptr, f32
    %v16 = llvm.load volatile %p16 : !llvm.ptr -> f32
    %p17 = llvm.getelementptr %x[17] : (!llvm.ptr) -> !llvm.ptr, f32
    %v17 = llvm.load volatile %p17 : !llvm.ptr -> f32
    %p18 = llvm.getelementptr %x[18] : (!llvm.ptr) -> !llvm.ptr, f32
    %v18 = llvm.load volatile %p18 : !llvm.ptr -> f32
    %p19 = llvm.getelementptr %x[19] : (!llvm.ptr) -> !llvm.ptr, f32
    %v19 = llvm.load volatile %p19 : !llvm.ptr -> f32
    %p20 = llvm.getelementptr %x[20] : (!llvm.ptr) -> !llvm.ptr, f32
    %v20 = llvm.load volatile %p20 : !llvm.ptr -> f32
    %p21 = llvm.getelementptr %x[21] : (!llvm.ptr) -> !llvm.ptr, f32
    %v21 = llvm.load volatile %p21 : !llvm.ptr -> f32
    %p22 = llvm.getelementptr %x[22] : (!llvm.ptr) -> !llvm.ptr, f32
    %v22 = llvm.load volatile %p22 : !llvm.ptr -> f32
    %p23 = llvm.getelementptr %x[23] : (!llvm.ptr) -> !llvm.ptr, f32
    %v23 = llvm.load volatile %p23 : !llvm.ptr -> f32
    %p24 = llvm.getelementptr %x[24] : (!llvm.ptr) -> !llvm.ptr, f32
    %v24 = llvm.load volatile %p24 : !llvm.ptr -> f32
    %p25 = llvm.getelementptr %x[25] : (!llvm.ptr) -> !llvm.ptr, f32
    %v25 = llvm.load volatile %p25 : !llvm.ptr -> f32
    %p26 = llvm.getelementptr %x[26] : (!llvm.ptr) -> !llvm.ptr, f32
    %v26 = llvm.load volatile %p26 : !llvm.ptr -> f32
    %p27 = llvm.getelementptr %x[27] : (!llvm.ptr) -> !llvm.ptr, f32
    %v27 = llvm.load volatile %p27 : !llvm.ptr -> f32
    %p28 = llvm.getelementptr %x[28] : (!llvm.ptr) -> !llvm.ptr, f32
    %v28 = llvm.load volatile %p28 : !llvm.ptr -> f32
    %p29 = llvm.getelementptr %x[29] : (!llvm.ptr) -> !llvm.ptr, f32
    %v29 = llvm.load volatile %p29 : !llvm.ptr -> f32
    %p30 = llvm.getelementptr %x[30] : (!llvm.ptr) -> !llvm.ptr, f32
    %v30 = llvm.load volatile %p30 : !llvm.ptr -> f32
    %p31 = llvm.getelementptr %x[31] : (!llvm.ptr) -> !llvm.ptr, f32
    %v31 = llvm.load volatile %p31 : !llvm.ptr -> f32
    %p32 = llvm.getelementptr %x[32] : (!llvm.ptr) -> !llvm.ptr, f32
    %v32 = llvm.load volatile %p32 : !llvm.ptr -> f32
    %p33 = llvm.getelementptr %x[33] : (!llvm.ptr) -> !llvm.ptr, f32
    %v33 = llvm.load volatile %p33 : !llvm.ptr -> f32
    %p34 = llvm.getelementptr %x[34] : (!llvm.ptr) -> !llvm.ptr, f32
    %v34 = llvm.load volatile %p34 : !llvm.ptr -> f32
    %p35 = llvm.getelementptr %x[35] : (!llvm.ptr) -> !llvm.ptr, f32
    %v35 = llvm.load volatile %p35 : !llvm.ptr -> f32
    %p36 = llvm.getelementptr %x[36] : (!llvm.ptr) -> !llvm.ptr, f32
    %v36 = llvm.load volatile %p36 : !llvm.ptr -> f32
    %p37 = llvm.getelementptr %x[37] : (!llvm.ptr) -> !llvm.ptr, f32
    %v37 = llvm.load volatile %p37 : !llvm.ptr -> f32
    %p38 = llvm.getelementptr %x[38] : (!llvm.ptr) -> !llvm.ptr, f32
    %v38 = llvm.load volatile %p38 : !llvm.ptr -> f32
    %p39 = llvm.getelementptr %x[39] : (!llvm.ptr) -> !llvm.ptr, f32
    %v39 = llvm.load volatile %p39 : !llvm.ptr -> f32
    %p40 = llvm.getelementptr %x[40] : (!llvm.ptr) -> !llvm.ptr, f32
    %v40 = llvm.load volatile %p40 : !llvm.ptr -> f32
    %p41 = llvm.getelementptr %x[41] : (!llvm.ptr) -> !llvm.ptr, f32
    %v41 = llvm.load volatile %p41 : !llvm.ptr -> f32
    %p42 = llvm.getelementptr %x[42] : (!llvm.ptr) -> !llvm.ptr, f32
    %v42 = llvm.load volatile %p42 : !llvm.ptr -> f32
    %p43 = llvm.getelementptr %x[43] : (!llvm.ptr) -> !llvm.ptr, f32
    %v43 = llvm.load volatile %p43 : !llvm.ptr -> f32
    %p44 = llvm.getelementptr %x[44] : (!llvm.ptr) -> !llvm.ptr, f32
    %v44 = llvm.load volatile %p44 : !llvm.ptr -> f32
    %p45 = llvm.getelementptr %x[45] : (!llvm.ptr) -> !llvm.ptr, f32
    %v45 = llvm.load volatile %p45 : !llvm.ptr -> f32
    %p46 = llvm.getelementptr %x[46] : (!llvm.ptr) -> !llvm.ptr, f32
    %v46 = llvm.load volatile %p46 : !llvm.ptr -> f32
    %p47 = llvm.getelementptr %x[47] : (!llvm.ptr) -> !llvm.ptr, f32
    %v47 = llvm.load volatile %p47 : !llvm.ptr -> f32
    llvm.store volatile %v47, %p0 : f32, !llvm.ptr
    llvm.store volatile %v46, %p1 : f32, !llvm.ptr
    llvm.store volatile %v45, %p2 : f32, !llvm.ptr
    llvm.store volatile %v44, %p3 : f32, !llvm.ptr
    llvm.store volatile %v43, %p4 : f32, !llvm.ptr
    llvm.store volatile %v42, %p5 : f32, !llvm.ptr
    llvm.store volatile %v41, %p6 : f32, !llvm.ptr
    llvm.store volatile %v40, %p7 : f32, !llvm.ptr
    llvm.store volatile %v39, %p8 : f32, !llvm.ptr
    llvm.store volatile %v38, %p9 : f32, !llvm.ptr
    llvm.store volatile %v37, %p10 : f32, !llvm.ptr
    llvm.store volatile %v36, %p11 : f32, !llvm.ptr
    llvm.store volatile %v35, %p12 : f32, !llvm.ptr
    llvm.store volatile %v34, %p13 : f32, !llvm.ptr
    llvm.store volatile %v33, %p14 : f32, !llvm.ptr
    llvm.store volatile %v32, %p15 : f32, !llvm.ptr
    llvm.store volatile %v31, %p16 : f32, !llvm.ptr
    llvm.store volatile %v30, %p17 : f32, !llvm.ptr
    llvm.store volatile %v29, %p18 : f32, !llvm.ptr
    llvm.store volatile %v28, %p19 : f32, !llvm.ptr
    llvm.store volatile %v27, %p20 : f32, !llvm.ptr
    llvm.store volatile %v26, %p21 : f32, !llvm.ptr
    llvm.store volatile %v25, %p22 : f32, !llvm.ptr
    llvm.store volatile %v24, %p23 : f32, !llvm.ptr
    llvm.store volatile %v23, %p24 : f32, !llvm.ptr
    llvm.store volatile %v22, %p25 : f32, !llvm.ptr
    llvm.store volatile %v21, %p26 : f32, !llvm.ptr
    llvm.store volatile %v20, %p27 : f32, !llvm.ptr
    llvm.store volatile %v19, %p28 : f32, !llvm.ptr
    llvm.store volatile %v18, %p29 : f32, !llvm.ptr
    llvm.store volatile %v17, %p30 : f32, !llvm.ptr
    llvm.store volatile %v16, %p31 : f32, !llvm.ptr
    llvm.store volatile %v15, %p32 : f32, !llvm.ptr
    llvm.store volatile %v14, %p33 : f32, !llvm.ptr
    llvm.store volatile %v13, %p34 : f32, !llvm.ptr
    llvm.store volatile %v12, %p35 : f32, !llvm.ptr
    llvm.store volatile %v11, %p36 : f32, !llvm.ptr
    llvm.store volatile %v10, %p37 : f32, !llvm.ptr
    llvm.store volatile %v9, %p38 : f32, !llvm.ptr
    llvm.store volatile %v8, %p39 : f32, !llvm.ptr
    llvm.store volatile %v7, %p40 : f32, !llvm.ptr
    llvm.store volatile %v6, %p41 : f32, !llvm.ptr
    llvm.store volatile %v5, %p42 : f32, !llvm.ptr
    llvm.store volatile %v4, %p43 : f32, !llvm.ptr
    llvm.store volatile %v3, %p44 : f32, !llvm.ptr
    llvm.store volatile %v2, %p45 : f32, !llvm.ptr
    llvm.store volatile %v1, %p46 : f32, !llvm.ptr
    llvm.store volatile %v0, %p47 : f32, !llvm.ptr
    gpu.return
  }
}
