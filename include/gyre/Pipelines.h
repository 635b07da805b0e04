//===- Pipelines.h - The roads from a spec to a target ----------*- C++ -*-===//

#ifndef GYRE_PIPELINES_H
#define GYRE_PIPELINES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

namespace gyre {

/// What is made of a spec; options of `gyre-algebra`. Those of gyrec have the
/// same names, here and below.
struct AlgebraOptions : mlir::PassPipelineOptions<AlgebraOptions> {
  ListOption<std::string> set{
      *this, "set",
      llvm::cl::desc("parameter values, name=value, separated by commas")};
  Option<std::string> spec{
      *this, "spec",
      llvm::cl::desc("name of the spec, where the module has several")};
  ListOption<std::string> derive{
      *this, "derive",
      llvm::cl::desc("functions to keep, separated by commas; all if empty")};
  Option<std::string> precision{
      *this, "precision",
      llvm::cl::desc("of contracts that name none; ieee if empty")};
  Option<bool> specialised{
      *this, "specialised",
      llvm::cl::desc("the module's functions are specialised already"),
      llvm::cl::init(false)};
};

/// From a spec to primitives: specialise, decompose, differentiate,
/// set-precision where there is one, simplify.
void buildAlgebraPipeline(mlir::OpPassManager &passes,
                          const AlgebraOptions &options);

/// From primitives to scalar loops on memrefs.
void buildPlainLoopsPipeline(mlir::OpPassManager &passes);

/// From primitives to fused and scheduled kernels, for `cpu` or `cuda`;
/// `warpgroups`: for GPUs all of which have wgmma.
void buildProgramPipeline(mlir::OpPassManager &passes, llvm::StringRef target,
                          bool warpgroups = false);

/// From primitives to loops over the rows of such kernels. Prints the programs
/// to `os`, if there is one.
void buildFusedLoopsPipeline(mlir::OpPassManager &passes,
                             llvm::StringRef target, bool warpgroups = false,
                             llvm::raw_ostream *os = nullptr);

/// From loops on memrefs to the LLVM dialect, with entry points.
void buildCPUCodePipeline(mlir::OpPassManager &passes);

/// What kernels are compiled for; options of `gyre-emit-device-code`.
struct DeviceCodeOptions : mlir::PassPipelineOptions<DeviceCodeOptions> {
  ListOption<std::string> archs{
      *this, "arch",
      llvm::cl::desc(
          "architectures: sm_XX[a] for a cubin, compute_XX for PTX; where all "
          "are 90a, kernels multiply by warpgroups")};
  Option<std::string> toolkit{*this, "toolkit",
                              llvm::cl::desc("directory of the CUDA toolkit"),
                              llvm::cl::init("")};
  Option<double> slow{
      *this, "slow",
      llvm::cl::desc("seconds of ptxas for a kernel that deserve a warning"),
      llvm::cl::init(3.0)};
  Option<bool> report{*this, "report",
                      llvm::cl::desc("a remark for each kernel"),
                      llvm::cl::init(false)};

  /// Whether architectures are named, and all of them have wgmma.
  bool haveWarpgroups() const;
};

/// From primitives to kernels in a `gpu.module @gyre_device`, and to bodies
/// `@NAME__body` with a `gyre.entry` on cuda that launch them.
void buildDeviceLoopsPipeline(mlir::OpPassManager &passes);

/// From kernels to a `gpu.binary` of code for each architecture.
void buildDeviceCodePipeline(mlir::OpPassManager &passes,
                             const DeviceCodeOptions &options);

/// From bodies that launch kernels of a `gpu.binary` to the LLVM dialect, with
/// entry points.
void buildDeviceHostPipeline(mlir::OpPassManager &passes);

/// How primitives become loops for the CPU.
enum class Road { plain, fused };

/// All that gyrec chooses; options of `gyre-pipeline`.
struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions>,
                         AlgebraOptions,
                         DeviceCodeOptions {
  using mlir::PassPipelineOptions<PipelineOptions>::createFromString;

  Option<std::string> target{*this, "target", llvm::cl::desc("cpu or cuda"),
                             llvm::cl::init("cpu")};
  Option<Road> lowering{
      *this, "lowering", llvm::cl::desc("how to lower for the CPU"),
      llvm::cl::init(Road::fused),
      llvm::cl::values(
          clEnumValN(Road::plain, "plain", "a scalar loop nest for each op"),
          clEnumValN(Road::fused, "fused",
                     "fused kernels on SIMD lanes, in parallel"))};
  Option<bool> printProgram{
      *this, "print-program",
      llvm::cl::desc("print the fused and scheduled kernels (stderr)"),
      llvm::cl::init(false)};
};

/// From a spec to loops, of the road and for the target that the options name.
/// Programs of kernels are printed to `program` if there is one.
void buildLoopsPipeline(mlir::OpPassManager &passes,
                        const PipelineOptions &options,
                        llvm::raw_ostream *program = nullptr);

/// From a spec to the LLVM dialect.
void buildPipeline(mlir::OpPassManager &passes, const PipelineOptions &options,
                   llvm::raw_ostream *program = nullptr);

/// The dialects that the pipelines lower to.
void registerLoweredDialects(mlir::DialectRegistry &registry);

/// Those of kernels, with what makes code of them.
void registerDeviceDialects(mlir::DialectRegistry &registry);

/// All of these, and those that a spec may use.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers `gyre-algebra`, `gyre-plain-loops`, `gyre-fused-loops` and
/// `gyre-cpu-code`; for GPUs `gyre-device-loops`, `gyre-gpu-code` and
/// `gyre-gpu-host`; and `gyre-pipeline`, which is all of a road.
void registerPipelines();

} // namespace gyre

#endif // GYRE_PIPELINES_H
