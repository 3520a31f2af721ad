#ifndef NPCC_COMPILER_GPU_IMAGE_PTXLIBRARY_H
#define NPCC_COMPILER_GPU_IMAGE_PTXLIBRARY_H
#include <cstddef>

extern "C" {
/// Compiles PTX text to machine code of one GPU, for which `allocate` gives memory. `options` are those of ptxas. Not 0
/// if the text or an option is refused.
using npcc_ptx_compile_function = int(const char *ptx, size_t bytes, const char *const *options, int count,
                                      char *(*allocate)(void *context, size_t bytes), void *context);
npcc_ptx_compile_function npcc_ptx_compile;
}
#endif
