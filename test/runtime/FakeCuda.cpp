// libcuda.so.1 for machines without a GPU: what the runtime does with the driver is tested everywhere.
//
// It is stricter than a GPU where a GPU is merely undefined: device memory cannot be read by the host; work on a stream is
// done only when somebody waits for it; a call with the wrong current context fails; memory of a device without peer access
// ends the process. Kernels that are not the runtime's own run as PTX (FakePtx.h); where one of them touches what it may not,
// the context is lost, as on a GPU.
#include "FakeDriver.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace fake;

namespace {

constexpr size_t deviceBytes = size_t(1) << 30;
constexpr size_t arenaBytes = size_t(1) << 38; // of addresses; only what is used takes memory

struct Allocation {
  size_t bytes;
  int device;
};

std::vector<Context> contexts;
std::set<std::pair<int, int>> peers;
std::map<char *, Allocation> allocations;
std::map<const char *, size_t> pageLocked; // memory of the host
std::vector<size_t> used;
char *forDevices = nullptr; // what the runtime sees; nobody may touch it
char *forUs = nullptr;
size_t nextAddress = 1 << 20;
std::map<int, Stream> defaultStreams;

bool isDeviceAddress(const void *address) {
  return address >= forDevices && address < forDevices + arenaBytes;
}

bool isPageLocked(const char *address) {
  auto found = pageLocked.upper_bound(address);
  return found != pageLocked.begin() && address < (--found)->first + found->second;
}

} // namespace

std::recursive_mutex fake::mutex;
thread_local Context *fake::current = nullptr;
bool fake::isLost = false;

[[noreturn]] void fake::fatal(const char *what) {
  fprintf(stderr, "fake CUDA: %s\n", what);
  abort();
}

void fake::issue(Stream *stream, std::function<void()> operation) {
  if (stream->captured)
    stream->captured->operations.push_back(std::move(operation));
  else
    stream->pending.push_back(std::move(operation));
}

Stream *fake::resolve(Stream *stream) {
  if (reinterpret_cast<uintptr_t>(stream) > 2)
    return stream;
  if (!current)
    return nullptr;
  Stream &made = defaultStreams[current->device];
  made.context = current;
  return &made;
}

char *fake::reachOrNull(uint64_t address, size_t bytes, int device) {
  char *place = reinterpret_cast<char *>(address);
  if (address < 4096)
    return nullptr;
  if (!isDeviceAddress(place))
    return isPageLocked(place) ? place : nullptr;
  auto found = allocations.upper_bound(place);
  if (found == allocations.begin())
    return nullptr;
  --found;
  if (place + bytes > found->first + found->second.bytes ||
      (found->second.device != device && !peers.count({device, found->second.device})))
    return nullptr;
  return forUs + (place - forDevices);
}

void *fake::reach(const void *address, int device) {
  char *bytes = const_cast<char *>(static_cast<const char *>(address));
  if (!isDeviceAddress(address)) {
    if (!isPageLocked(bytes))
      fatal("access to memory of the host that is not page-locked");
    return bytes;
  }
  auto found = allocations.upper_bound(bytes);
  if (found == allocations.begin())
    fatal("access to memory that was never allocated");
  --found;
  if (bytes >= found->first + found->second.bytes)
    fatal("access outside an allocation");
  if (found->second.device != device && !peers.count({device, found->second.device}))
    fatal("access to another device's memory without peer access");
  return forUs + (bytes - forDevices);
}

bool fake::enqueue(void *handle, std::function<void(int)> work) {
  Stream *stream = resolve(static_cast<Stream *>(handle));
  LOCKED;
  if (!current || stream->context != current)
    return false;
  issue(stream, [work = std::move(work), device = current->device] { work(device); });
  return true;
}

extern "C" {

int cuInit(unsigned) {
  LOCKED;
  if (forDevices)
    return success;
  const char *text = getenv("NPCC_FAKE_CUDA_DEVICES");
  int count = text ? atoi(text) : 1;
  for (int k = 0; k < count; ++k)
    contexts.push_back({k});
  used.resize(count);
  int file = memfd_create("fake-cuda", 0);
  if (file < 0 || ftruncate(file, arenaBytes) != 0)
    fatal("no memory file");
  forDevices = static_cast<char *>(mmap(nullptr, arenaBytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0));
  forUs = static_cast<char *>(mmap(nullptr, arenaBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0));
  if (forDevices == MAP_FAILED || forUs == MAP_FAILED)
    fatal("no addresses");
  return success;
}
int cuGetErrorName(int result, const char **name) {
  static thread_local char text[32];
  snprintf(text, sizeof(text), result == illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "FAKE_ERROR_%d", result);
  *name = text;
  return success;
}
int cuGetErrorString(int result, const char **text) { return cuGetErrorName(result, text); }
/// NVRTC asks for it.
int cuGetExportTable(const void **, const void *) { return notFound; }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return success;
}
int cuDeviceGetCount(int *count) {
  *count = static_cast<int>(contexts.size());
  return success;
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return success;
}
int cuDeviceGetName(char *name, int length, int) {
  snprintf(name, length, "fake");
  return success;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = deviceBytes;
  return success;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  static const std::map<int, int> known{{1, 1024}, {8, 48 << 10}, {10, 32},        {16, 4},
                                        {39, 2048}, {75, 9},      {97, 227 << 10}};
  auto found = known.find(attribute);
  *value = found == known.end() ? 0 : found->second;
  return success;
}
int cuDeviceCanAccessPeer(int *can, int, int) {
  *can = 1;
  return success;
}
int cuDevicePrimaryCtxRetain(Context **context, int device) {
  *context = &contexts[device];
  return success;
}
int cuCtxGetCurrent(Context **context) {
  *context = current;
  return success;
}
int cuCtxSetCurrent(Context *context) {
  current = context;
  return success;
}
int cuCtxEnablePeerAccess(Context *peer, unsigned) {
  LOCKED;
  return peers.insert({current->device, peer->device}).second ? success : 704;
}
int cuStreamCreate(Stream **stream, unsigned) {
  if (!current)
    return invalidContext;
  *stream = new Stream{current, {}, 0};
  return success;
}
int cuStreamCreateWithPriority(Stream **stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }
int cuStreamDestroy_v2(Stream *stream) {
  IN_CONTEXT_OF(stream);
  stream->runTo(stream->issued()); // events may name it, so it is not freed
  return success;
}
int cuStreamSynchronize(Stream *stream) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  stream->runTo(stream->issued());
  return isLost ? illegalAddress : success;
}
int cuStreamQuery(Stream *stream) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  return stream->pending.empty() ? success : notReady;
}
int cuEventCreate(Event **event, unsigned flags) {
  if (!current)
    return invalidContext;
  *event = new Event{current};
  (*event)->isTimed = !(flags & 2);
  return success;
}
int cuEventRecord(Event *event, Stream *stream) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  if (event->context != stream->context)
    return invalidContext;
  event->stream = stream;
  if (event->isTimed)
    issue(stream, [event] { event->time = double(clock()) * 1000 / CLOCKS_PER_SEC; });
  event->number = stream->issued();
  return success;
}
int cuEventQuery(Event *event) {
  LOCKED;
  return !event->stream || event->stream->done >= event->number ? success : notReady;
}
int cuEventSynchronize(Event *event) {
  LOCKED;
  if (event->stream)
    event->stream->runTo(event->number);
  return isLost ? illegalAddress : success;
}
int cuEventElapsedTime(float *milliseconds, Event *from, Event *to) {
  if (!from->isTimed || !to->isTimed || !from->stream || !to->stream)
    return invalidValue;
  if (cuEventQuery(from) != success || cuEventQuery(to) != success)
    return notReady;
  *milliseconds = float(to->time - from->time);
  return success;
}
int cuStreamWaitEvent(Stream *stream, Event *event, unsigned) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  if (Stream *other = event->stream; other && other != stream)
    issue(stream, [other, number = event->number] { other->runTo(number); });
  return success;
}
int cuEventDestroy_v2(Event *event) {
  if (!event->isTimed) // else an operation may still write the time
    delete event;
  return success;
}
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  LOCKED;
  if (!current)
    return invalidContext;
  if (bytes > deviceBytes - used[current->device])
    return outOfMemory;
  // A gap after each allocation, so that what runs over is seen.
  char *made = forDevices + nextAddress;
  nextAddress += (bytes + (2 << 20)) / (1 << 20) * (1 << 20) + (1 << 20);
  allocations[made] = {bytes, current->device};
  used[current->device] += bytes;
  *address = reinterpret_cast<unsigned long long>(made);
  return success;
}
int cuMemHostRegister_v2(void *address, size_t bytes, unsigned);
int cuMemHostUnregister(void *address);
int cuMemFree_v2(unsigned long long address) {
  LOCKED;
  auto found = allocations.find(reinterpret_cast<char *>(address));
  if (!isDeviceAddress(reinterpret_cast<void *>(address))) {
    cuMemHostUnregister(reinterpret_cast<void *>(address));
    free(reinterpret_cast<void *>(address));
    return success;
  }
  if (found == allocations.end())
    fatal("free of what was not allocated");
  used[found->second.device] -= found->second.bytes;
  madvise(forUs + (found->first - forDevices), found->second.bytes, MADV_REMOVE);
  allocations.erase(found);
  return success;
}
int cuMemGetInfo_v2(size_t *free, size_t *total) {
  LOCKED;
  if (!current)
    return invalidContext;
  *total = deviceBytes;
  *free = deviceBytes - used[current->device];
  return success;
}
int cuMemAllocManaged(unsigned long long *address, size_t bytes, unsigned) {
  void *made = calloc(1, bytes); // both sides reach the host's memory here
  *address = reinterpret_cast<unsigned long long>(made);
  return cuMemHostRegister_v2(made, bytes, 0);
}
int cuMemGetAddressRange_v2(unsigned long long *base, size_t *bytes, unsigned long long address) {
  LOCKED;
  auto *at = reinterpret_cast<char *>(address);
  auto next = allocations.upper_bound(at);
  if (next == allocations.begin() || at >= std::prev(next)->first + std::prev(next)->second.bytes)
    return invalidValue;
  *base = reinterpret_cast<unsigned long long>(std::prev(next)->first);
  *bytes = std::prev(next)->second.bytes;
  return success;
}
int cuMemHostRegister_v2(void *address, size_t bytes, unsigned) {
  LOCKED;
  pageLocked[static_cast<char *>(address)] = bytes;
  return success;
}
int cuMemHostUnregister(void *address) {
  LOCKED;
  pageLocked.erase(static_cast<char *>(address));
  return success;
}
int cuMemFreeHost(void *address) {
  cuMemHostUnregister(address);
  free(address);
  return success;
}
int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  *address = calloc(1, bytes);
  return cuMemHostRegister_v2(*address, bytes, flags);
}
int cuPointerGetAttribute(void *value, int attribute, unsigned long long address) {
  LOCKED;
  constexpr int memoryType = 2, onHost = 1;
  if (attribute != memoryType || !isPageLocked(reinterpret_cast<char *>(address)))
    return invalidValue;
  *static_cast<unsigned *>(value) = onHost;
  return success;
}
int cuMemHostGetDevicePointer_v2(unsigned long long *address, void *host, unsigned) {
  *address = reinterpret_cast<unsigned long long>(host);
  return success;
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, Stream *stream) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  if (isDeviceAddress(from))
    fatal("host to device, but the source is on a device");
  auto *source = static_cast<const char *>(from);
  if (isPageLocked(source)) { // read when the copy is made, and not before
    issue(stream, [=] { memcpy(fake::reach(reinterpret_cast<void *>(to), stream->context->device), source, bytes); });
    return success;
  }
  auto staged = std::make_shared<std::string>(source, bytes);
  issue(stream, [=] { memcpy(fake::reach(reinterpret_cast<void *>(to), stream->context->device), staged->data(), bytes); });
  return success;
}
int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, Stream *stream) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  if (isDeviceAddress(to))
    fatal("device to host, but the target is on a device");
  issue(stream, [=] { memcpy(to, fake::reach(reinterpret_cast<void *>(from), stream->context->device), bytes); });
  return success;
}
int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, size_t bytes, Stream *stream) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  issue(stream, [=] {
    int device = stream->context->device;
    memcpy(fake::reach(reinterpret_cast<void *>(to), device), fake::reach(reinterpret_cast<void *>(from), device), bytes);
  });
  return success;
}
int cuMemcpyPeerAsync(unsigned long long to, Context *toContext, unsigned long long from, Context *fromContext,
                      size_t bytes, Stream *stream) {
  IN_CONTEXT_OF(stream);
  issue(stream, [=] {
    memcpy(fake::reach(reinterpret_cast<void *>(to), toContext->device),
           fake::reach(reinterpret_cast<void *>(from), fromContext->device), bytes);
  });
  return success;
}
int cuStreamBeginCapture_v2(Stream *stream, int) {
  IN_CONTEXT_OF(stream);
  stream->captured = new Graph;
  return success;
}
int cuStreamEndCapture(Stream *stream, Graph **graph) {
  *graph = std::exchange(stream->captured, nullptr);
  return success;
}
int cuGraphInstantiateWithFlags(Graph **exec, Graph *graph, unsigned long long) {
  *exec = new Graph(*graph);
  return success;
}
int cuGraphLaunch(Graph *exec, Stream *stream) {
  IN_CONTEXT_OF(stream);
  for (const auto &operation : exec->operations)
    issue(stream, operation);
  return success;
}
int cuGraphDestroy(Graph *graph) {
  delete graph;
  return success;
}
int cuGraphExecDestroy(Graph *exec) {
  delete exec;
  return success;
}

} // extern "C"
