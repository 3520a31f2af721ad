// NVIDIA's compiler of PTX as a shared library of npcc's, libnpcc_ptx.so. The CUDA toolkit has it as a static library
// only, and a compilation that needs no GPU should not carry its 36 MB: so it is a library of its own, which is opened
// when the first kernels are assembled (Assemble.cpp).
#include "compiler/gpu/image/PtxLibrary.h"
#include <nvPTXCompiler.h>

extern "C" __attribute__((visibility("default"))) int npcc_ptx_compile(const char *ptx, size_t bytes,
                                                                       const char *const *options, int count,
                                                                       char *(*allocate)(void *context, size_t bytes),
                                                                       void *context) {
  nvPTXCompilerHandle compiler = nullptr;
  nvPTXCompileResult status = nvPTXCompilerCreate(&compiler, bytes, ptx);
  if (status == NVPTXCOMPILE_SUCCESS)
    status = nvPTXCompilerCompile(compiler, count, options);
  size_t size = 0;
  if (status == NVPTXCOMPILE_SUCCESS)
    status = nvPTXCompilerGetCompiledProgramSize(compiler, &size);
  if (status == NVPTXCOMPILE_SUCCESS)
    status = nvPTXCompilerGetCompiledProgram(compiler, allocate(context, size));
  if (compiler)
    nvPTXCompilerDestroy(&compiler);
  return status;
}
