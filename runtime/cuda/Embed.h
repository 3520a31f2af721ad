// Kernels in the library: their PTX, NUL-terminated, and machine code of it for the GPUs that the toolkit at hand makes code for. A driver needs seconds
// for the PTX of some of them. NPCC_KERNEL_DIR is where the .ptx files are when the runtime is built, NPCC_KERNEL_CODE_DIR where the .fatbin files are; it is
// not defined if there is no toolkit.
#ifndef NPCC_RUNTIME_CUDA_EMBED_H
#define NPCC_RUNTIME_CUDA_EMBED_H
#include "runtime/abi/kernels.h"

#define NPCC_EMBED(symbol, file)                                                                                       \
  asm(".pushsection .rodata\n"                                                                                         \
      ".global " #symbol "\n"                                                                                          \
      ".hidden " #symbol "\n" #symbol ":\n"                                                                            \
      ".incbin \"" NPCC_KERNEL_DIR "/" file "\"\n"                                                                     \
      ".byte 0\n"                                                                                                      \
      ".popsection\n");                                                                                                \
  extern "C" __attribute__((visibility("hidden"))) const char symbol[];

#ifdef NPCC_KERNEL_CODE_DIR
#define NPCC_EMBED_CODE(symbol, file)                                                                                  \
  asm(".pushsection .rodata\n"                                                                                         \
      ".balign 16\n"                                                                                                   \
      ".global " #symbol "\n"                                                                                          \
      ".hidden " #symbol "\n" #symbol ":\n"                                                                            \
      ".incbin \"" NPCC_KERNEL_CODE_DIR "/" file "\"\n"                                                                \
      ".popsection\n");                                                                                                \
  extern "C" __attribute__((visibility("hidden"))) const char symbol[];
#else
#define NPCC_EMBED_CODE(symbol, file) static constexpr const char *symbol = nullptr;
#endif

/// A kernel file's image.
#define NPCC_KERNELS(name, file)                                                                                       \
  NPCC_EMBED(npcc_##name##_ptx, file ".ptx")                                                                           \
  NPCC_EMBED_CODE(npcc_##name##_code, file ".fatbin")                                                                  \
  static npcc_image name##Image{npcc_##name##_code, 0, 0, npcc_##name##_ptx, nullptr};

#endif
