// A kernel's text in the library, NUL-terminated. NPCC_KERNEL_DIR is where the .ptx files are when the runtime is built.
#ifndef NPCC_RUNTIME_CUDA_EMBED_H
#define NPCC_RUNTIME_CUDA_EMBED_H

#define NPCC_EMBED(symbol, file)                                                                                       \
  asm(".pushsection .rodata\n"                                                                                         \
      ".global " #symbol "\n"                                                                                          \
      ".hidden " #symbol "\n" #symbol ":\n"                                                                            \
      ".incbin \"" NPCC_KERNEL_DIR "/" file "\"\n"                                                                     \
      ".byte 0\n"                                                                                                      \
      ".popsection\n");                                                                                                \
  extern "C" __attribute__((visibility("hidden"))) const char symbol[];

#endif
