// The functions of cuSOLVER that serve: those with 64-bit sizes, whatever the dtype, and a few of 32 bits for one dtype
// each.
#ifndef NPCC_RUNTIME_CUDA_CUSOLVERFUNCTIONS_H
#define NPCC_RUNTIME_CUDA_CUSOLVERFUNCTIONS_H

#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Library.h"

namespace npcc::rt::cuda {

struct CusolverFunctions {
  Library library;
  int (*create)(void **handle) = nullptr;
  int (*setStream)(void *handle, Stream stream) = nullptr;
  int (*createParameters)(void **parameters) = nullptr;

  using Size = size_t *;
  int (*potrfSize)(void *handle, void *parameters, int uplo, int64_t n, int type, const void *a, int64_t lda,
                   int computeType, Size device, Size host) = nullptr;
  int (*potrf)(void *handle, void *parameters, int uplo, int64_t n, int type, void *a, int64_t lda, int computeType,
               void *device, size_t deviceBytes, void *host, size_t hostBytes, int *info) = nullptr;
  int (*getrfSize)(void *handle, void *parameters, int64_t m, int64_t n, int type, const void *a, int64_t lda,
                   int computeType, Size device, Size host) = nullptr;
  int (*getrf)(void *handle, void *parameters, int64_t m, int64_t n, int type, void *a, int64_t lda, int64_t *pivots,
               int computeType, void *device, size_t deviceBytes, void *host, size_t hostBytes, int *info) = nullptr;
  int (*getrs)(void *handle, void *parameters, int transpose, int64_t n, int64_t columns, int type, const void *a,
               int64_t lda, const int64_t *pivots, int bType, void *b, int64_t ldb, int *info) = nullptr;
  int (*geqrfSize)(void *handle, void *parameters, int64_t m, int64_t n, int type, const void *a, int64_t lda,
                   int tauType, const void *tau, int computeType, Size device, Size host) = nullptr;
  int (*geqrf)(void *handle, void *parameters, int64_t m, int64_t n, int type, void *a, int64_t lda, int tauType,
               void *tau, int computeType, void *device, size_t deviceBytes, void *host, size_t hostBytes,
               int *info) = nullptr;
  int (*syevdSize)(void *handle, void *parameters, int job, int uplo, int64_t n, int type, const void *a, int64_t lda,
                   int valueType, const void *values, int computeType, Size device, Size host) = nullptr;
  int (*syevd)(void *handle, void *parameters, int job, int uplo, int64_t n, int type, void *a, int64_t lda,
               int valueType, void *values, int computeType, void *device, size_t deviceBytes, void *host,
               size_t hostBytes, int *info) = nullptr;
  int (*gesvdSize)(void *handle, void *parameters, signed char jobU, signed char jobV, int64_t m, int64_t n, int type,
                   const void *a, int64_t lda, int valueType, const void *values, int uType, const void *u, int64_t ldu,
                   int vType, const void *v, int64_t ldv, int computeType, Size device, Size host) = nullptr;
  int (*gesvd)(void *handle, void *parameters, signed char jobU, signed char jobV, int64_t m, int64_t n, int type,
               void *a, int64_t lda, int valueType, void *values, int uType, void *u, int64_t ldu, int vType, void *v,
               int64_t ldv, int computeType, void *device, size_t deviceBytes, void *host, size_t hostBytes,
               int *info) = nullptr;
  // Of a stack; newer than the rest, and null where the library lacks them.
  int (*syevBatchedSize)(void *handle, void *parameters, int job, int uplo, int64_t n, int type, const void *a,
                         int64_t lda, int valueType, const void *values, int computeType, Size device, Size host,
                         int64_t count) = nullptr;
  int (*syevBatched)(void *handle, void *parameters, int job, int uplo, int64_t n, int type, void *a, int64_t lda,
                     int valueType, void *values, int computeType, void *device, size_t deviceBytes, void *host,
                     size_t hostBytes, int *info, int64_t count) = nullptr;
  // Of general matrices; newer than the rest, too.
  int (*geevSize)(void *handle, void *parameters, int jobLeft, int jobRight, int64_t n, int type, const void *a,
                  int64_t lda, int valueType, const void *values, int leftType, const void *left, int64_t ldLeft,
                  int rightType, const void *right, int64_t ldRight, int computeType, Size device, Size host) = nullptr;
  int (*geev)(void *handle, void *parameters, int jobLeft, int jobRight, int64_t n, int type, void *a, int64_t lda,
              int valueType, void *values, int leftType, void *left, int64_t ldLeft, int rightType, void *right,
              int64_t ldRight, int computeType, void *device, size_t deviceBytes, void *host, size_t hostBytes,
              int *info) = nullptr;
  // Of float32 and float64: matrices of up to 32 rows and columns, all of u and v.
  int (*createJacobi)(void **settings) = nullptr;
  int (*gesvdjBatchedSize[2])(void *handle, int job, int m, int n, const void *a, int lda, const void *values,
                              const void *u, int ldu, const void *v, int ldv, int *size, void *settings,
                              int count) = {};
  int (*gesvdjBatched[2])(void *handle, int job, int m, int n, void *a, int lda, void *values, void *u, int ldu,
                          void *v, int ldv, void *work, int size, int *infos, void *settings, int count) = {};
  // By dtype from FLOAT32 on.
  int (*orgqrSize[4])(void *handle, int m, int n, int k, const void *a, int lda, const void *tau, int *size) = {};
  int (*orgqr[4])(void *handle, int m, int n, int k, void *a, int lda, const void *tau, void *work, int size,
                  int *info) = {};
  int (*potrfBatched[4])(void *handle, int uplo, int n, void **matrices, int lda, int *infos, int count) = {};

  bool load();
  /// Null if there is none.
  static const CusolverFunctions *get();
};

} // namespace npcc::rt::cuda

#endif
