"""The lit suite: substitutions, tools and features of all tests."""

import hashlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "Gyre"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "numeric", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.gyre_binary_dir, "test")

llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"])
llvm_config.use_default_substitutions()
# A pattern variable that outlives its label hides a mismatch; so does a prefix
# that no line has.
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --allow-unused-prefixes=false"
# A sanitized build links LLVM's libraries as they are: poison that their headers inline into our
# code would be reported where the libraries themselves use that memory.
config.environment["ASAN_OPTIONS"] = (
    "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0:allocator_may_return_null=1"
)
config.environment["GYRE_RUNTIME"] = config.gyre_lib_dir
llvm_config.with_environment(
    "PYTHONPATH", os.path.join(config.gyre_source_dir, "python"), append_path=True
)
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)

python = f'"{sys.executable}"'
gyre_opt = os.path.join(config.gyre_tools_dir, "gyre-opt")
demo_python = os.path.join(config.gyre_binary_dir, "demo-python")  # made by ./dev
roundtrip = os.path.join(config.test_source_root, "roundtrip.py")


def emulated():
    """The environment in which kernels for GPUs run on the CPU, beside `%with_fake_cuda`.

    What it makes of PTX is kept until what that is made with changes.
    """
    folder = pathlib.Path(config.test_source_root, "unit", "FakeCuda")
    digest = hashlib.sha256()
    for name in ("emulate.py", "Emulate.h"):
        digest.update((folder / name).read_bytes())
    scratch = pathlib.Path(config.test_exec_root, f"emulated-{digest.hexdigest()[:16]}")
    for other in scratch.parent.glob("emulated-*"):
        if other != scratch:
            shutil.rmtree(other, ignore_errors=True)
    scratch.mkdir(exist_ok=True)
    command = f"{sys.executable} {folder / 'emulate.py'}"
    return f'env "GYRE_FAKE_CUDA_EMULATE={command}" "GYRE_FAKE_CUDA_SCRATCH={scratch}"'


config.substitutions += [
    ("%python", python),
    ("%gyre_source", config.gyre_source_dir),
    ("%gyre_build", config.gyre_binary_dir),
    ("%gyre_tools", config.gyre_tools_dir),
    ("%demo_python", os.path.join(demo_python, "bin", "python")),
    ("%gyre_binary", config.gyre_binary_dir),
    ("%gyre_lib", config.gyre_lib_dir),
    # Configures a project with the compilers and the generator of this build.
    ("%consumer_cmake", " ".join(f'"{word}"' for word in config.gyre_consumer_cmake)),
    # Runs a tool with a stand-in for the CUDA driver (test/unit/FakeCuda).
    ("%with_fake_cuda", f"env LD_LIBRARY_PATH={config.gyre_fake_cuda_dir}"),
    ("%emulated", emulated()),
    # Prints the pretty form of a file that the generic form, bytecode and
    # the pretty form itself all lead back to.
    ("%roundtrip", f'{python} "{roundtrip}" "{gyre_opt}"'),
]
llvm_config.add_tool_substitutions(
    [
        ToolSubst(tool, unresolved="ignore")
        for tool in ("gyre-opt", "gyrec", "gyre-run", "gyre-call", "gyre-lsp-server", "gyre-reduce")
    ],
    [config.gyre_tools_dir],
)


def has_gpu():
    smi = shutil.which("nvidia-smi")
    if not smi:
        return False
    listed = subprocess.run([smi, "-L"], capture_output=True, text=True, check=False)
    return listed.returncode == 0 and "GPU " in listed.stdout


def has_ptxas():
    """Looks where the compiler does."""
    roots = [os.environ.get(name) for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")] + [
        "/usr/local/cuda"
    ]
    return shutil.which("ptxas") or any(
        root and os.access(os.path.join(root, "bin/ptxas"), os.X_OK) for root in roots
    )


if os.path.exists(os.path.join(demo_python, "requirements.txt")):  # installed to the end
    config.available_features.add("vesin")
if importlib.util.find_spec("torch"):
    config.available_features.add("torch")
if has_ptxas():
    config.available_features.add("ptxas")
if has_gpu():
    config.available_features.add("gpu")
