/* Arrays and the memory that they lie in. */
#ifndef NPCC_ABI_ARRAYS_H
#define NPCC_ABI_ARRAYS_H
#include "runtime/abi/status.h"

NPCC_BEGIN_C

#define NPCC_MAX_RANK 32

/* A strided view of an array. Strides count elements and may be zero or negative. */
typedef struct npcc_array {
  void *base;      /* the allocation: identity for reference counts and for "is this the caller's array" */
  void *data;      /* address of element [0, ..., 0] */
  int32_t dtype;   /* npcc_dtype */
  int32_t rank;
  int32_t device;  /* where data lives */
  int32_t flags;   /* NPCC_READONLY */
  int64_t shape[NPCC_MAX_RANK];
  int64_t strides[NPCC_MAX_RANK];
} npcc_array;
#define NPCC_READONLY 1

/* Reference-counted memory (64-byte aligned on the CPU, 256 on CUDA). Zero bytes are legal and give a unique
 * pointer. */
NPCC_EXPORT npcc_status npcc_rt_buffer_new(int32_t device, int64_t bytes, void **base);
/* Both leave pointers alone that are no npcc buffers (the caller's arrays). */
NPCC_EXPORT void npcc_rt_retain(void *base);
NPCC_EXPORT void npcc_rt_release(void *base);
NPCC_EXPORT int64_t npcc_rt_refcount(void *base);  /* 0: not an npcc buffer */
/* Copies a view onto one of the same shape and dtype, between any two devices, any strides. Blocking. */
NPCC_EXPORT npcc_status npcc_rt_copy(npcc_array *to, const npcc_array *from);

NPCC_END_C
#endif
