/* Devices, and the libraries that serve them. */
#ifndef NPCC_ABI_DEVICES_H
#define NPCC_ABI_DEVICES_H
#include "runtime/abi/status.h"

NPCC_BEGIN_C

/* Devices: -1 is the CPU; 0.. are CUDA ordinals; NPCC_LOGICAL_CPU + k is logical CPU device k (devices=N on the
 * CPU). */
#define NPCC_CPU (-1)
#define NPCC_LOGICAL_CPU (1 << 16)

typedef enum npcc_target { NPCC_TARGET_CPU = 0, NPCC_TARGET_CUDA = 1 } npcc_target;

/* Number of usable CUDA devices: opens libcuda and asks cuInit the first time; 0 without a GPU or driver. */
NPCC_EXPORT int32_t npcc_rt_cuda_device_count(void);
/* Why the count is 0 ("libcuda.so.1 not found", "cuInit: no CUDA-capable device is detected"); "" if it is not. */
NPCC_EXPORT const char *npcc_rt_cuda_unavailable_reason(void);
/* The newest CUDA that the driver knows (13000 for 13.0); 0 without a GPU. */
NPCC_EXPORT int32_t npcc_rt_cuda_driver_version(void);
/* Compute capability times ten (90), name, total memory in bytes, of CUDA device `ordinal`. */
NPCC_EXPORT npcc_status npcc_rt_cuda_device_info(int32_t ordinal, int32_t *capability, char name[256], int64_t *memory);
NPCC_EXPORT int32_t npcc_rt_cpu_threads(void);

NPCC_EXPORT npcc_status npcc_rt_synchronize(int32_t device);
/* Makes ready what a later call would wait for: the device, and the library that `routine` runs on, if it is not
 * NULL: "matmul" (matrix products) or a routine of runtime/Routines.h. May run beside anything else. No error where
 * there is no such library: the call finds that out itself. */
NPCC_EXPORT npcc_status npcc_rt_prepare(int32_t device, const char *routine);
/* Gives cached memory back to the devices. */
NPCC_EXPORT void npcc_rt_trim(void);

/* What matrix products run on: the BLAS and the cuBLAS in use, "" where the own loop serves. Opens them. */
NPCC_EXPORT const char *npcc_rt_blas_description(void);
NPCC_EXPORT const char *npcc_rt_cublas_description(void);
NPCC_EXPORT const char *npcc_rt_cublaslt_description(void);
/* The cuFFT and the cuSOLVER in use, "" where there is none. Opens them. */
NPCC_EXPORT const char *npcc_rt_cufft_description(void);
NPCC_EXPORT const char *npcc_rt_cusolver_description(void);

NPCC_END_C
#endif
