/* The user's own kernels on a GPU. */
#ifndef NPCC_ABI_OWN_KERNELS_H
#define NPCC_ABI_OWN_KERNELS_H
#include "runtime/abi/status.h"

NPCC_BEGIN_C

/* Modules and their kernels stay loaded as long as the process. image: cubin, fatbin or NUL-terminated PTX. symbol:
 * as it stands in the module; name: for messages. */
#define NPCC_FUNCTION_ATTRIBUTES 10 /* the driver's CU_FUNC_ATTRIBUTE_*, from MAX_THREADS_PER_BLOCK on */
NPCC_EXPORT npcc_status npcc_rt_module_load(int32_t device, const void *image, void **module);
NPCC_EXPORT npcc_status npcc_rt_module_function(int32_t device, void *module, const char *symbol, const char *name,
                                                void **kernel);
NPCC_EXPORT npcc_status npcc_rt_module_global(int32_t device, void *module, const char *symbol, void **address,
                                              int64_t *bytes);
NPCC_EXPORT void npcc_rt_function_attributes(void *kernel, int32_t values[NPCC_FUNCTION_ATTRIBUTES]);
NPCC_EXPORT npcc_status npcc_rt_function_set_attribute(void *kernel, int32_t attribute, int32_t value);
/* The number of parameters, and the sizes of the first `capacity`; -1 if the driver cannot tell. */
NPCC_EXPORT int32_t npcc_rt_function_parameters(void *kernel, int32_t capacity, int64_t *bytes);
/* How many blocks of it, each of so many threads with so many bytes of dynamic shared memory, run side by side on its
 * whole device. */
NPCC_EXPORT npcc_status npcc_rt_function_blocks(void *kernel, int64_t threads, int64_t shared_bytes, int64_t *blocks);

/* One of the driver's CU_DEVICE_ATTRIBUTE_*. */
NPCC_EXPORT npcc_status npcc_rt_device_attribute(int32_t device, int32_t attribute, int32_t *value);

/* params[k] points to parameter k. An empty grid is legal and launches nothing. */
#define NPCC_LAUNCH_COOPERATIVE 1
typedef struct npcc_launch {
  void *kernel;
  int64_t grid[3], block[3];
  int64_t shared_bytes; /* dynamic */
  int32_t flags;
  void **params;
} npcc_launch;
NPCC_EXPORT npcc_status npcc_rt_launch_function(const npcc_launch *launch);

NPCC_END_C
#endif
