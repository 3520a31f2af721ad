# What the build uses of a CUDA toolkit, where there is one: ptxas and fatbinary, which make machine code of the runtime's kernels, and NVIDIA's compiler of
# PTX as a library. CMake's own module is not asked: that of Debian 12 stops at CUDA 13, in which it looks for a library that is no longer there.
set(cuda_toolkits $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda)
find_program(NPCC_PTXAS ptxas HINTS ${cuda_toolkits} PATH_SUFFIXES bin)
find_program(NPCC_FATBINARY fatbinary HINTS ${cuda_toolkits} PATH_SUFFIXES bin)
set(cuda_version 0)
if(NPCC_PTXAS)
  execute_process(COMMAND ${NPCC_PTXAS} --version OUTPUT_VARIABLE said ERROR_QUIET)
  if(said MATCHES "release ([0-9.]+)")
    set(cuda_version ${CMAKE_MATCH_1})
  endif()
endif()
