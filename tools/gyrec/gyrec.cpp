//===- gyrec.cpp - Compiles specs ahead of time ---------------------------===//

#include "Compile.h"

#include "gyre/runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static cl::OptionCategory what("What to compile");
static cl::OptionCategory how("What to compile it for");
static cl::OptionCategory where("What to write");

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("<spec file, or - for stdin>"),
                                  cl::cat(what));
static cl::list<std::string>
    set("set", cl::CommaSeparated, cl::value_desc("NAME=VALUE,..."),
        cl::desc("Values of the spec's parameters; those that have a default "
                 "may be left out"),
        cl::cat(what));
static cl::opt<std::string>
    spec("spec", cl::value_desc("NAME"),
         cl::desc("The spec, where the file has several"), cl::cat(what));
static cl::list<std::string>
    derive("derive", cl::CommaSeparated, cl::value_desc("NAME,..."),
           cl::desc("Only these functions and declared derivatives (default: "
                    "all)"),
           cl::cat(what));

static cl::opt<std::string> precision(
    "precision", cl::value_desc("MODE"),
    cl::desc("How products are evaluated where the spec does not say: ieee "
             "(default), fp64, or, on matrix units of GPUs, bf16x6, tf32x3, "
             "fp16x3, bf16x3, tf32, fp16, bf16; on CPUs all are as ieee"),
    cl::cat(how));

static cl::opt<std::string>
    target("target", cl::init("cpu"), cl::value_desc("cpu|cuda"),
           cl::desc("The kind of device (default: cpu)"), cl::cat(how));
static cl::opt<gyre::Road> lowering(
    "lowering", cl::desc("How to lower for the CPU"),
    cl::init(gyre::Road::fused),
    cl::values(clEnumValN(gyre::Road::fused, "fused",
                          "fused kernels on SIMD lanes, in parallel "
                          "(default)"),
               clEnumValN(gyre::Road::plain, "plain",
                          "a scalar loop nest for each op, one thread: "
                          "compiles faster, takes strided tensors")),
    cl::cat(how));
static cl::list<std::string> archs(
    "arch", cl::CommaSeparated, cl::value_desc("ARCH,..."),
    cl::desc("Architectures of --target=cuda, from 80 on: sm_XX for machine "
             "code (ptxas makes it), compute_XX for PTX that the driver "
             "compiles (default: sm_80,sm_90a,compute_80; with --emit=ptx one, "
             "compute_80); if all are 90a, warpgroups multiply (wgmma)"),
    cl::cat(how));
static cl::opt<std::string> toolkit(
    "toolkit", cl::value_desc("DIRECTORY"),
    cl::desc("CUDA toolkit of --target=cuda (default: $CUDA_ROOT, $CUDA_HOME, "
             "$CUDA_PATH, that of ptxas on PATH, or /usr/local/cuda)"),
    cl::cat(how));

static cl::opt<std::string>
    output("o", cl::value_desc("PATH"),
           cl::desc("Directory of lib<spec>.so, <spec>.h and <spec>.json; with "
                    "another --emit a file (default: stdout)"),
           cl::cat(where));
static cl::opt<gyre::Emission> emission(
    "emit", cl::desc("The form of it"), cl::init(gyre::Emission::Library),
    cl::values(clEnumValN(gyre::Emission::Library, "lib",
                          "shared library, C header and manifest (default)"),
               clEnumValN(gyre::Emission::Object, "obj", "object code"),
               clEnumValN(gyre::Emission::Assembly, "asm",
                          "assembly, with --target=cpu"),
               clEnumValN(gyre::Emission::PTX, "ptx",
                          "PTX of the kernels, with --target=cuda"),
               clEnumValN(gyre::Emission::LLVM, "llvm", "optimised LLVM IR"),
               clEnumValN(gyre::Emission::MLIR, "mlir",
                          "loops on memrefs, or kernels and their launches, "
                          "before the LLVM dialect")),
    cl::cat(where));
static cl::opt<bool> printProgram(
    "print-program",
    cl::desc("Print the fused and scheduled kernels (stdout), as `gyre-opt "
             "--gyre-print-program`; without -o write nothing else"),
    cl::cat(where));
static cl::opt<std::string> runtimeDirectory(
    "runtime-dir", cl::value_desc("DIRECTORY"),
    cl::desc("Where libgyre_runtime.so is (default: beside this tool's bin/)"),
    cl::cat(where));
static cl::opt<bool> timing("timing",
                            cl::desc("Print how long each step took, and what "
                                     "ptxas says of each kernel (stderr)"),
                            cl::cat(where));

static cl::extrahelp examples(R"(
EXAMPLES:

  gyrec kernels/so2_rotate_mix.mlir --set L=3,F=1,C=4,R=1,act=f64 -o out
      out/libso2_rotate_mix.so, .h and .json: all functions of the spec, for the CPU
  gyrec kernels/so2_rotate_mix.mlir --set L=3,F=1,C=4,R=1 --lowering=plain --derive rotate_mix_bwd -o out
      only the backward, as plain loops
  gyrec kernels/so2_rotate_mix.mlir --set L=3,F=1,C=4,R=1 --print-program
      which kernels these are: rows, owners, schedules, workspace; nothing is written
  gyrec kernels/so2_rotate_mix.mlir --set L=3,F=1,C=64,R=1 --target=cuda --arch=sm_90a --timing -o out
      kernels for NVIDIA GPUs, and their registers; the library loads where there is no GPU, too
  gyrec kernels/so2_mixing_stack.mlir --set L=3,C=64,T=3 --target=cuda --precision=fp16x3 -o out
      products with weights on matrix units, as exact as a few roundings of f32
  gyrec kernels/segment_sum.mlir --set B=64 --emit=asm
      assembly on stdout
)");

static int fail(const Twine &message) {
  errs() << "gyrec: error: " << message << "\n";
  return 1;
}

static std::string findRuntimeDirectory(const char *program) {
  if (!runtimeDirectory.empty())
    return runtimeDirectory;
  static int anchor;
  SmallString<128> path(sys::fs::getMainExecutable(program, &anchor));
  sys::path::remove_filename(path);
  sys::path::append(path, GYRE_RUNTIME_FROM_TOOL);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

/// Whether options fit together; what does not has been reported.
static bool checkOptions() {
  using gyre::Emission;
  if (target != "cpu" && target != "cuda")
    return !fail("[gyrec-target] expected --target=cpu or cuda, got " + target);
  if (target == "cpu" &&
      (emission == Emission::PTX || !archs.empty() || !toolkit.empty()))
    return !fail("[gyrec-target] expected --target=cuda with --emit=ptx, "
                 "--arch and --toolkit, got cpu");
  if (target == "cuda" && emission == Emission::Assembly)
    return !fail("[gyrec-target] expected --target=cpu with --emit=asm, got "
                 "cuda (--emit=ptx has its kernels)");
  if (target == "cpu" && lowering == gyre::Road::plain && printProgram)
    return !fail("[gyrec-lowering] expected --lowering=fused or --target=cuda "
                 "with --print-program, got plain loops, which have none");
  if (emission == Emission::PTX && archs.empty())
    archs.push_back("compute_80");
  if (emission == Emission::PTX &&
      (archs.size() != 1 || !StringRef(archs[0]).starts_with("compute_")))
    return !fail("[gyrec-arch] expected one compute_XX for --emit=ptx, got " +
                 join(archs, ","));
  if (emission == Emission::Library && output.empty() && !printProgram)
    return !fail("[gyrec-output] expected -o DIRECTORY, got none");
  if (emission != Emission::Library && printProgram &&
      (output.empty() || output == "-"))
    return !fail("[gyrec-output] expected -o FILE with --print-program and "
                 "--emit, as both would go to stdout, got none");
  return true;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions({&what, &how, &where});
  cl::SetVersionPrinter([](raw_ostream &os) {
    os << "gyrec " << GYRE_VERSION_MAJOR << "." << GYRE_VERSION_MINOR << "."
       << GYRE_VERSION_PATCH << "\n";
  });
  cl::ParseCommandLineOptions(
      argc, argv,
      "gyrec: compiles a spec, with the derivatives that it declares, to a "
      "library\n");
  if (!checkOptions())
    return 1;

  gyre::CompileOptions options;
  options.input = input;
  options.output = output;
  gyre::PipelineOptions &pipeline = options.pipeline;
  for (auto [values, option] :
       {std::pair{&set, &pipeline.set}, std::pair{&derive, &pipeline.derive},
        std::pair{&archs, &pipeline.archs}})
    for (const std::string &value : *values)
      option->push_back(value);
  pipeline.spec = spec;
  pipeline.precision = precision;
  pipeline.target = target;
  pipeline.lowering = lowering;
  pipeline.toolkit = toolkit;
  pipeline.report = timing;
  pipeline.printProgram = printProgram;
  options.emission = emission;
  options.runtimeDirectory = findRuntimeDirectory(argv[0]);

  mlir::DefaultTimingManager manager;
  manager.setEnabled(timing);
  mlir::TimingScope scope = manager.getRootScope();
  return gyre::compile(options, scope).succeeded() ? 0 : 1;
}
