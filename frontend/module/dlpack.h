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

/* DLPack 1.3: what a class of arrays gives as __dlpack_c_exchange_api__, a capsule "dlpack_exchange_api". No function
 * synchronises. */
typedef struct DLPackExchangeAPI {
  uint32_t major, minor;
  const struct DLPackExchangeAPI *older;
  int (*managed_tensor_allocator)(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                                  void (*set_error)(void *context, const char *kind, const char *message));
  int (*managed_tensor_from_py_object_no_sync)(void *object, DLManagedTensorVersioned **out);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned *tensor, void **object);
  int (*dltensor_from_py_object_no_sync)(void *object,
                                         DLTensor *out); /* shape and strides are the object's; may be NULL */
  int (*current_work_stream)(int32_t device_type, int32_t device_id, void **stream);
} DLPackExchangeAPI;

/* Fills the array but for its base. -1 with an exception. */
struct npcc_array;
int npcc_read_dltensor(const DLTensor *tensor, int readonly, struct npcc_array *array);
#endif
