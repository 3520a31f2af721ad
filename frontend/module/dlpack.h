/* The public ABI of DLPack 1.0 (and of the unversioned form before it), https://dmlc.github.io/dlpack/latest/c_api.html. */
#ifndef NPCC_MODULE_DLPACK_H
#define NPCC_MODULE_DLPACK_H
#include <stdint.h>

typedef struct {
  int32_t type, id;
} DLDevice;
enum { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLCUDAManaged = 13 };

typedef struct {
  uint8_t code, bits;
  uint16_t lanes;
} DLDataType;
enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLComplex = 5, kDLBool = 6 };

typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides; /* in elements; NULL: C-contiguous */
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
enum { kDLReadOnly = 1, kDLIsCopied = 2 };
#endif
