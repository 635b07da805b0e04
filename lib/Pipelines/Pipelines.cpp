//===- Pipelines.cpp - The roads from a spec to a target ------------------===//

#include "gyre/Pipelines.h"

#include "gyre/InitAll.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace gyre {

void buildAlgebraPipeline(OpPassManager &passes,
                          const AlgebraOptions &options) {
  auto keep = [&] {
    if (options.derive.empty())
      return;
    KeepFunctionsOptions keepOptions;
    keepOptions.names = llvm::to_vector(options.derive);
    passes.addPass(createKeepFunctions(keepOptions));
  };
  if (!options.specialised) {
    SpecialiseOptions specialise;
    specialise.set = llvm::to_vector(options.set);
    specialise.spec = options.spec;
    passes.addPass(createSpecialise(specialise));
  }
  keep();
  passes.addPass(createDecompose());
  passes.addPass(createDifferentiate());
  keep();
  if (!options.precision.empty()) {
    SetPrecisionOptions precision;
    precision.precision = options.precision;
    passes.addPass(createSetPrecision(precision));
  }
  passes.addPass(createSimplify());
}

void buildPlainLoopsPipeline(OpPassManager &passes) {
  passes.addPass(createLowerPlain());
  passes.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  passes.addNestedPass<func::FuncOp>(createCSEPass());
}

void buildProgramPipeline(OpPassManager &passes, StringRef target,
                          bool warpgroups) {
  passes.addPass(createWidenHalves());
  passes.addPass(createPlanContractions());
  FuseOptions fuse;
  fuse.target = target.str();
  passes.addPass(createFuse(fuse));
  passes.addPass(createCSEPass());
  ScheduleOptions schedule;
  schedule.target = target.str();
  schedule.warpgroups = warpgroups;
  passes.addPass(createSchedule(schedule));
}

void buildFusedLoopsPipeline(OpPassManager &passes, StringRef target,
                             bool warpgroups, llvm::raw_ostream *os) {
  buildProgramPipeline(passes, target, warpgroups);
  if (os)
    passes.addPass(createPrintProgram(*os));
  LowerKernelsOptions lower;
  lower.target = target.str();
  passes.addPass(createLowerKernels(lower));
  passes.addPass(createCSEPass());
  passes.addPass(createMergeKernels());
}

void buildCPUCodePipeline(OpPassManager &passes) {
  passes.addPass(createExpandHalf());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createEmitEntryPoints());
}

void buildLoopsPipeline(OpPassManager &passes, const PipelineOptions &options,
                        llvm::raw_ostream *program) {
  buildAlgebraPipeline(passes, options);
  if (options.target == "cpu" && options.lowering == Road::plain)
    buildPlainLoopsPipeline(passes);
  else
    buildFusedLoopsPipeline(passes, options.target, options.haveWarpgroups(),
                            program);
}

void buildPipeline(OpPassManager &passes, const PipelineOptions &options,
                   llvm::raw_ostream *program) {
  buildLoopsPipeline(passes, options, program);
  if (options.target == "cpu")
    return buildCPUCodePipeline(passes);
  buildDeviceCodePipeline(passes, options);
  buildDeviceHostPipeline(passes);
}

void registerLoweredDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, vector::VectorDialect>();
}

void registerAllDialects(DialectRegistry &registry) {
  registerDialects(registry);
  registerLoweredDialects(registry);
  registerDeviceDialects(registry);
}

static void registerDevicePipelines() {
  PassPipelineRegistration<>("gyre-device-loops",
                             "from primitives to kernels and their launches",
                             buildDeviceLoopsPipeline);
  PassPipelineRegistration<DeviceCodeOptions>("gyre-gpu-code",
                                              "from kernels to code for GPUs",
                                              buildDeviceCodePipeline);
  PassPipelineRegistration<>("gyre-gpu-host",
                             "from launches to the LLVM dialect",
                             buildDeviceHostPipeline);
}

void registerPipelines() {
  registerDevicePipelines();
  PassPipelineRegistration<AlgebraOptions>(
      "gyre-algebra", "from a spec to primitives", buildAlgebraPipeline);
  PassPipelineRegistration<>("gyre-plain-loops",
                             "from primitives to scalar loops on memrefs",
                             buildPlainLoopsPipeline);
  PassPipelineRegistration<>(
      "gyre-fused-loops", "from primitives to fused kernels for the CPU",
      [](OpPassManager &passes) { buildFusedLoopsPipeline(passes, "cpu"); });
  PassPipelineRegistration<>("gyre-cpu-code",
                             "from loops on memrefs to the LLVM dialect",
                             buildCPUCodePipeline);
  PassPipelineRegistration<PipelineOptions>(
      "gyre-pipeline", "from a spec to the LLVM dialect, as gyrec goes",
      [](OpPassManager &passes, const PipelineOptions &options) {
        buildPipeline(passes, options,
                      options.printProgram ? &llvm::errs() : nullptr);
      });
}

} // namespace gyre
