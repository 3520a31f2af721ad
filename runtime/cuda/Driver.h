// The CUDA driver, opened when it is first asked for. What is needed of its interface is declared here, so that the runtime
// builds without CUDA and runs without a GPU.
#ifndef NPCC_RUNTIME_CUDA_DRIVER_H
#define NPCC_RUNTIME_CUDA_DRIVER_H

#include "runtime/Status.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace npcc::rt::cuda {

using Result = int;
using DeviceHandle = int;
using Context = struct ContextHandle *;
using Module = struct ModuleHandle *;
using Function = struct FunctionHandle *;
using Stream = struct StreamHandle *;
using Event = struct EventHandle *;
using Graph = struct GraphHandle *;
using GraphExec = struct GraphExecHandle *;
using Address = unsigned long long;

/// CUlaunchAttribute: a number that says which, and 64 bytes of value from the eighth on.
struct LaunchAttribute {
  uint32_t kind, padding = 0;
  uint32_t value[16] = {};
};
inline constexpr uint32_t clusterDimension = 4;
/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

inline constexpr Result success = 0;
inline constexpr Result invalidValue = 1;
inline constexpr Result outOfMemory = 2;
inline constexpr Result stubLibrary = 34;
inline constexpr Result notFound = 500;
inline constexpr Result notReady = 600;
inline constexpr Result noBinaryForGpu = 209;
inline constexpr Result peerAccessAlreadyEnabled = 704;

// Name in the library, name here, parameters. The suffixes are part of the driver's ABI.
#define NPCC_CUDA_FUNCTIONS(X)                                                                                         \
  X(cuInit, init, (unsigned flags))                                                                                    \
  X(cuDriverGetVersion, driverGetVersion, (int *version))                                                              \
  X(cuGetErrorName, getErrorName, (Result result, const char **name))                                                  \
  X(cuGetErrorString, getErrorString, (Result result, const char **text))                                              \
  X(cuDeviceGetCount, deviceGetCount, (int *count))                                                                    \
  X(cuDeviceGet, deviceGet, (DeviceHandle *device, int ordinal))                                                       \
  X(cuDeviceGetName, deviceGetName, (char *name, int length, DeviceHandle device))                                     \
  X(cuDeviceTotalMem_v2, deviceTotalMem, (size_t *bytes, DeviceHandle device))                                         \
  X(cuDeviceGetAttribute, deviceGetAttribute, (int *value, int attribute, DeviceHandle device))                        \
  X(cuDeviceCanAccessPeer, deviceCanAccessPeer, (int *can, DeviceHandle device, DeviceHandle peer))                    \
  X(cuDevicePrimaryCtxRetain, primaryCtxRetain, (Context *context, DeviceHandle device))                               \
  X(cuCtxGetCurrent, ctxGetCurrent, (Context *context))                                                                \
  X(cuCtxSetCurrent, ctxSetCurrent, (Context context))                                                                 \
  X(cuCtxEnablePeerAccess, ctxEnablePeerAccess, (Context peer, unsigned flags))                                        \
  X(cuStreamCreate, streamCreate, (Stream *stream, unsigned flags))                                                    \
  X(cuStreamCreateWithPriority, streamCreateWithPriority, (Stream *stream, unsigned flags, int priority))              \
  X(cuStreamDestroy_v2, streamDestroy, (Stream stream))                                                                \
  X(cuStreamQuery, streamQuery, (Stream stream))                                                                       \
  X(cuStreamSynchronize, streamSynchronize, (Stream stream))                                                           \
  X(cuStreamWaitEvent, streamWaitEvent, (Stream stream, Event event, unsigned flags))                                  \
  X(cuEventCreate, eventCreate, (Event *event, unsigned flags))                                                        \
  X(cuEventRecord, eventRecord, (Event event, Stream stream))                                                          \
  X(cuEventDestroy_v2, eventDestroy, (Event event))                                                                    \
  X(cuEventQuery, eventQuery, (Event event))                                                                           \
  X(cuEventSynchronize, eventSynchronize, (Event event))                                                               \
  X(cuEventElapsedTime, eventElapsedTime, (float *milliseconds, Event from, Event to))                                 \
  X(cuMemAlloc_v2, memAlloc, (Address *address, size_t bytes))                                                         \
  X(cuMemFree_v2, memFree, (Address address))                                                                          \
  X(cuMemGetInfo_v2, memGetInfo, (size_t *free, size_t *total))                                                        \
  X(cuMemGetAddressRange_v2, memGetAddressRange, (Address *base, size_t *bytes, Address address))                       \
  X(cuMemAllocManaged, memAllocManaged, (Address *address, size_t bytes, unsigned flags))                              \
  X(cuMemHostAlloc, memHostAlloc, (void **address, size_t bytes, unsigned flags))                                      \
  X(cuMemFreeHost, memFreeHost, (void *address))                                                                       \
  X(cuMemHostRegister_v2, memHostRegister, (void *address, size_t bytes, unsigned flags))                              \
  X(cuMemHostUnregister, memHostUnregister, (void *address))                                                           \
  X(cuMemHostGetDevicePointer_v2, memHostGetDevicePointer, (Address *address, void *host, unsigned flags))             \
  X(cuPointerGetAttribute, pointerGetAttribute, (void *value, int attribute, Address address))                         \
  X(cuMemcpyHtoDAsync_v2, memcpyHtoD, (Address to, const void *from, size_t bytes, Stream stream))                     \
  X(cuMemcpyDtoHAsync_v2, memcpyDtoH, (void *to, Address from, size_t bytes, Stream stream))                           \
  X(cuMemcpyDtoDAsync_v2, memcpyDtoD, (Address to, Address from, size_t bytes, Stream stream))                         \
  X(cuMemcpyPeerAsync, memcpyPeer,                                                                                     \
    (Address to, Context toContext, Address from, Context fromContext, size_t bytes, Stream stream))                   \
  X(cuModuleLoadDataEx, moduleLoadDataEx,                                                                              \
    (Module *module, const void *image, unsigned count, int *options, void **values))                                  \
  X(cuModuleGetFunction, moduleGetFunction, (Function *function, Module module, const char *name))                     \
  X(cuModuleGetGlobal_v2, moduleGetGlobal, (Address *address, size_t *bytes, Module module, const char *name))         \
  X(cuFuncGetAttribute, funcGetAttribute, (int *value, int attribute, Function function))                              \
  X(cuFuncSetAttribute, funcSetAttribute, (Function function, int attribute, int value))                               \
  X(cuLaunchKernel, launchKernel,                                                                                      \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,              \
     unsigned blockZ, unsigned sharedBytes, Stream stream, void **params, void **extra))                               \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, occupancyMaxActiveBlocks,                                             \
    (int *blocks, Function function, int threads, size_t sharedBytes))                                                 \
  X(cuLaunchCooperativeKernel, launchCooperativeKernel,                                                                \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,              \
     unsigned blockZ, unsigned sharedBytes, Stream stream, void **params))

// What drivers have only from some version on: null before.
#define NPCC_CUDA_OPTIONAL_FUNCTIONS(X)                                                                                \
  X(cuLaunchKernelEx, launchKernelEx,                                                                                  \
    (const LaunchConfig *config, Function function, void **params, void **extra))                                      \
  X(cuOccupancyMaxActiveClusters, occupancyMaxActiveClusters,                                                          \
    (int *clusters, Function function, const LaunchConfig *config))                                                    \
  X(cuStreamBeginCapture_v2, streamBeginCapture, (Stream stream, int mode))                                            \
  X(cuStreamEndCapture, streamEndCapture, (Stream stream, Graph *graph))                                               \
  X(cuGraphInstantiateWithFlags, graphInstantiate, (GraphExec *exec, Graph graph, unsigned long long flags))           \
  X(cuGraphLaunch, graphLaunch, (GraphExec exec, Stream stream))                                                       \
  X(cuGraphDestroy, graphDestroy, (Graph graph))                                                                       \
  X(cuGraphExecDestroy, graphExecDestroy, (GraphExec exec))                                                            \
  X(cuFuncGetParamInfo, funcGetParamInfo, (Function function, size_t index, size_t *offset, size_t *bytes))

struct Driver {
#define NPCC_CUDA_DECLARE(symbol, name, params) Result(*name) params = nullptr;
  NPCC_CUDA_FUNCTIONS(NPCC_CUDA_DECLARE)
  NPCC_CUDA_OPTIONAL_FUNCTIONS(NPCC_CUDA_DECLARE)
#undef NPCC_CUDA_DECLARE

  int32_t deviceCount = 0;
  std::string unavailable; // why there is no device
};

/// Opens libcuda and asks cuInit the first time. Usable only if deviceCount > 0.
const Driver &driver();

/// CUDA was initialised by the parent of this process: contexts do not survive fork().
bool forkedAfterInit();

/// A driver's result as a status: MemoryError for "out of memory", else RuntimeError naming `what`. What ends the context says
/// so, and names the user's own kernels that may have been the cause.
Status check(Result result, const char *what);

/// A text that lives as long as the process.
const char *intern(const std::string &text);
/// A kernel of the user's own was launched; `shown`, which is interned, names it. Until the next synchronisation succeeds,
/// an error that ends the context may be its.
void noteOwnKernel(const char *shown);
void forgetOwnKernels();

} // namespace npcc::rt::cuda

/// Leaves the enclosing function unless the driver call succeeds.
#define NPCC_CUDA_TRY(call) NPCC_TRY(::npcc::rt::cuda::check(::npcc::rt::cuda::driver().call, #call))

#endif
