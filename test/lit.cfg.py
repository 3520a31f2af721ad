# Configuration of the lit suite. Features say what the machine has: they are what npcc-info, asking the real runtime, prints.
import glob
import os
import platform
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config

config.name = "npcc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".py"]
config.excludes = ["lit.cfg.py", "CMakeLists.txt", "Inputs", "fuzz", "proving", "run", "runtime"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.npcc_obj, "test")

binaries = os.path.join(config.npcc_obj, "bin")
llvm_config.with_environment("PATH", binaries, append_path=True)
llvm_config.with_environment("PYTHONPATH", os.path.join(config.npcc_obj, "python"), append_path=True)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --dump-input=fail"
config.environment["NPCC_CACHE"] = "0"
# Threads that OpenBLAS starts when NumPy is imported cost a third of the import.
config.environment["OPENBLAS_NUM_THREADS"] = "1"
config.environment["NPCC_EXECUTED"] = os.path.join(config.test_exec_root, "executed")
for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "NPCC_NUM_THREADS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
llvm_config.use_default_substitutions()
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%cxx", config.cxx))
config.substitutions.append(("%npcc_src", config.npcc_src))

info = os.path.join(binaries, "npcc-info")
if os.path.exists(info):
    features = subprocess.run([info, "--features"], capture_output=True, text=True).stdout.split()
    config.available_features.update(features)
if platform.machine() == "x86_64":
    config.available_features.add("x86")
# The CUDA toolkit's device library, which kernels of mathematical functions are compiled with.
toolkits = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")] + ["/usr/local/cuda"]
if any(folder and os.path.exists(os.path.join(folder, "nvvm", "libdevice", "libdevice.10.bc")) for folder in toolkits):
    config.available_features.add("libdevice")
# NVRTC compiles own kernels, with or without a GPU.
if any(folder and glob.glob(os.path.join(folder, "lib*", "libnvrtc.so.1[23]")) for folder in toolkits):
    config.available_features.add("nvrtc")
if shutil.which("ptxas") or os.path.exists("/usr/local/cuda/bin/ptxas"):
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"))
# NVIDIA's compiler of PTX, where the build found it.
if os.path.exists(os.path.join(os.path.dirname(binaries), "python", "npcc", "libnpcc_ptx.so")):
    config.available_features.add("ptx-library")
