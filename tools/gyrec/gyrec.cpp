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

static cl::OptionCategory category("Options of gyrec");

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("<spec file, or - for stdin>"),
                                  cl::cat(category));
static cl::list<std::string>
    set("set", cl::CommaSeparated, cl::value_desc("NAME=VALUE,..."),
        cl::desc("Values of the spec's parameters; those that have a default "
                 "may be left out"),
        cl::cat(category));
static cl::opt<std::string>
    spec("spec", cl::value_desc("NAME"),
         cl::desc("The spec to compile, where the file has several"),
         cl::cat(category));
static cl::list<std::string>
    derive("derive", cl::CommaSeparated, cl::value_desc("NAME,..."),
           cl::desc("Compile only these functions and declared derivatives, "
                    "and what they need (default: all)"),
           cl::cat(category));
static cl::opt<std::string>
    output("o", cl::value_desc("PATH"),
           cl::desc("Directory of lib<spec>.so, <spec>.h and <spec>.json; with "
                    "another --emit a file (default: stdout)"),
           cl::cat(category));
static cl::opt<gyre::Road> lowering(
    "lowering", cl::desc("How to lower for the CPU"),
    cl::init(gyre::Road::Plain),
    cl::values(clEnumValN(gyre::Road::Plain, "plain",
                          "a scalar loop nest for each op (default)"),
               clEnumValN(gyre::Road::Fused, "fused",
                          "fused kernels on SIMD lanes, in parallel")),
    cl::cat(category));
static cl::opt<std::string> target("target", cl::init("cpu"),
                                   cl::value_desc("TARGET"),
                                   cl::desc("What to compile for: cpu or cuda"),
                                   cl::cat(category));
static cl::list<std::string> archs(
    "arch", cl::CommaSeparated, cl::value_desc("ARCH,..."),
    cl::desc("Architectures of --target=cuda: sm_XX for machine code (ptxas "
             "makes it), compute_XX for PTX that the driver compiles (default: "
             "sm_80,sm_90a,compute_80; with --emit=ptx one, compute_80)"),
    cl::cat(category));
static cl::opt<std::string> toolkit(
    "toolkit", cl::value_desc("DIRECTORY"),
    cl::desc("CUDA toolkit of --target=cuda (default: $CUDA_ROOT, $CUDA_HOME, "
             "$CUDA_PATH, that of ptxas on PATH, or /usr/local/cuda)"),
    cl::cat(category));
static cl::opt<gyre::Emission> emission(
    "emit", cl::desc("What to write"), cl::init(gyre::Emission::Library),
    cl::values(clEnumValN(gyre::Emission::Library, "lib",
                          "shared library, C header and manifest (default)"),
               clEnumValN(gyre::Emission::Object, "obj", "object code"),
               clEnumValN(gyre::Emission::LLVM, "llvm", "optimised LLVM IR"),
               clEnumValN(gyre::Emission::PTX, "ptx",
                          "the kernels, with --target=cuda"),
               clEnumValN(gyre::Emission::MLIR, "mlir",
                          "loops on memrefs, or kernels and their launches, "
                          "before the LLVM dialect")),
    cl::cat(category));
static cl::opt<std::string> runtimeDirectory(
    "runtime-dir", cl::value_desc("DIRECTORY"),
    cl::desc("Where libgyre_runtime.so is (default: beside this tool's bin/)"),
    cl::cat(category));
static cl::opt<bool> timing("timing",
                            cl::desc("Print how long each step took, and what "
                                     "ptxas says of each kernel (stderr)"),
                            cl::cat(category));

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

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](raw_ostream &os) {
    os << "gyrec " << GYRE_VERSION_MAJOR << "." << GYRE_VERSION_MINOR << "."
       << GYRE_VERSION_PATCH << "\n";
  });
  cl::ParseCommandLineOptions(
      argc, argv,
      "gyrec: compiles a spec, with the derivatives that it declares\n\n"
      "  gyrec kernels/so2_rotate_mix.mlir --set L=3,F=1,C=4,R=1,act=f32 -o "
      "out\n\n"
      "writes out/libso2_rotate_mix.so, .h and .json. With --target=cuda the "
      "library holds\nkernels for NVIDIA GPUs; it still loads where there is "
      "none.\n");
  if (target != "cpu" && target != "cuda")
    return fail("[gyrec-target] expected --target=cpu or cuda, got " + target);
  if (target == "cpu" &&
      (emission == gyre::Emission::PTX || !archs.empty() || !toolkit.empty()))
    return fail("[gyrec-target] expected --target=cuda with --emit=ptx, --arch "
                "and --toolkit, got cpu");
  if (emission == gyre::Emission::PTX) {
    if (archs.empty())
      archs.push_back("compute_80");
    if (archs.size() != 1 || !StringRef(archs[0]).starts_with("compute_"))
      return fail("[gyrec-arch] expected one compute_XX for --emit=ptx, got " +
                  join(archs, ","));
  }
  if (emission == gyre::Emission::Library && output.empty())
    return fail("[gyrec-output] expected -o DIRECTORY, got none");

  gyre::CompileOptions options;
  options.input = input;
  options.output = output;
  options.set = std::vector<std::string>(set.begin(), set.end());
  options.derive = std::vector<std::string>(derive.begin(), derive.end());
  options.spec = spec;
  options.lowering = lowering;
  options.target = target == "cuda" ? gyre::Target::CUDA : gyre::Target::CPU;
  options.archs = std::vector<std::string>(archs.begin(), archs.end());
  options.toolkit = toolkit;
  options.reportKernels = timing;
  options.emission = emission;
  options.runtimeDirectory = findRuntimeDirectory(argv[0]);

  mlir::DefaultTimingManager manager;
  manager.setEnabled(timing);
  mlir::TimingScope scope = manager.getRootScope();
  return gyre::compile(options, scope).succeeded() ? 0 : 1;
}
