// libcuda.so.1 for machines without a GPU: what the runtime does with the driver is tested everywhere.
//
// It is stricter than a GPU where a GPU is merely undefined: device memory cannot be read by the host; work on a stream is
// done only when somebody waits for it; a call with the wrong current context fails; memory of a device without peer access
// ends the process. Kernels that are not the runtime's own run as PTX (FakePtx.h); where one of them touches what it may not,
// the context is lost, as on a GPU.
#include "FakeCuda.h"
#include "FakePtx.h"
#include <atomic>
#include <chrono>
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
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

constexpr int success = 0, invalidValue = 1, outOfMemory = 2, invalidContext = 201, noBinary = 209, invalidPtx = 218, notFound = 500,
              notReady = 600, illegalAddress = 700,
              cooperativeLaunchTooLarge = 720;
constexpr unsigned blocksAtOnce = 4;
constexpr size_t deviceBytes = size_t(1) << 30;
constexpr size_t arenaBytes = size_t(1) << 38; // of addresses; only what is used takes memory

struct Context {
  int device;
};
struct Event {
  Context *context;
  struct Stream *stream = nullptr;
  uint64_t number = 0; // of the last operation before it
  bool isTimed = true;
  double time = 0; // when the operation before it was done
};
struct Stream {
  Context *context;
  std::deque<std::function<void()>> pending;
  struct Graph *captured = nullptr; // takes what is issued meanwhile
  uint64_t done = 0;
  uint64_t issued() const { return done + pending.size(); }
  void runTo(uint64_t number) {
    while (done < number && !pending.empty()) {
      auto operation = std::move(pending.front());
      pending.pop_front();
      ++done;
      operation();
    }
  }
};
struct Graph {
  std::vector<std::function<void()>> operations;
};
struct Module {
  std::string text;
  std::unique_ptr<fake::ptx::Module> ptx;
};
struct Function {
  const fake::Kernel *kernel;
  const Module *module;
  const fake::ptx::Kernel *ptx;
  int sharedAllowed = 48 << 10;
};
struct Allocation {
  size_t bytes;
  int device;
};

std::recursive_mutex mutex;
std::vector<Context> contexts;
std::set<std::pair<int, int>> peers;
std::map<char *, Allocation> allocations;
std::map<const char *, size_t> pageLocked; // memory of the host
std::vector<size_t> used;
char *forDevices = nullptr; // what the runtime sees; nobody may touch it
char *forUs = nullptr;
size_t nextAddress = 1 << 20;
thread_local Context *current = nullptr;
bool isLost = false; // a kernel touched what it may not
std::map<int, Stream> defaultStreams;

[[noreturn]] void fatal(const char *what) {
  fprintf(stderr, "fake CUDA: %s\n", what);
  abort();
}

bool isDeviceAddress(const void *address) {
  return address >= forDevices && address < forDevices + arenaBytes;
}

void issue(Stream *stream, std::function<void()> operation) {
  if (stream->captured)
    stream->captured->operations.push_back(std::move(operation));
  else
    stream->pending.push_back(std::move(operation));
}

bool isPageLocked(const char *address) {
  auto found = pageLocked.upper_bound(address);
  return found != pageLocked.begin() && address < (--found)->first + found->second;
}

std::atomic<void (*)()> atLaunch;
#define LOCKED std::lock_guard<std::recursive_mutex> lock(mutex)
/// The handles 0, 1 and 2 are CUDA's default streams.
Stream *resolve(Stream *stream) {
  if (reinterpret_cast<uintptr_t>(stream) > 2)
    return stream;
  if (!current)
    return nullptr;
  Stream &made = defaultStreams[current->device];
  made.context = current;
  return &made;
}

#define IN_CONTEXT_OF(object)                                                                                          \
  LOCKED;                                                                                                              \
  if (isLost)                                                                                                          \
    return illegalAddress;                                                                                             \
  if (!current || (object)->context != current)                                                                        \
  return invalidContext

} // namespace

/// As fake::reach, but null where that ends the process; allocations and the host's memory only.
static char *reachOrNull(uint64_t address, size_t bytes, int device) {
  char *place = reinterpret_cast<char *>(address);
  if (address < 4096)
    return nullptr;
  if (!isDeviceAddress(place))
    return place;
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
  if (!isDeviceAddress(address))
    return bytes;
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
int cuMemFree_v2(unsigned long long address) {
  LOCKED;
  auto found = allocations.find(reinterpret_cast<char *>(address));
  if (!isDeviceAddress(reinterpret_cast<void *>(address))) {
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
  *address = reinterpret_cast<unsigned long long>(calloc(1, bytes)); // both sides reach the host's memory here
  return success;
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
int cuModuleLoadDataEx(Module **module, const void *image, unsigned count, int *options, void **values) {
  std::string text = static_cast<const char *>(image);
  if (text.rfind("\177ELF", 0) == 0 || text.rfind("\x50\xed\x55\xba", 0) == 0)
    return noBinary; // machine code does not run here
  if (text.find("\nnonsense") != std::string::npos) {
    for (unsigned k = 0; k < count; ++k)
      if (options[k] == 5)
        strcpy(static_cast<char *>(values[k]), "syntax error near 'nonsense'");
    return invalidPtx;
  }
  if (!current)
    return invalidContext;
  *module = new Module{std::move(text), nullptr};
  return success;
}
/// The module as PTX that is run, its variables in memory of the current device.
static fake::ptx::Module &interpreted(Module *module) {
  if (!module->ptx)
    module->ptx = std::make_unique<fake::ptx::Module>(module->text, [](const fake::ptx::Variable &variable) -> uint64_t {
      unsigned long long address = 0;
      if (cuMemAlloc_v2(&address, std::max<size_t>(variable.bytes, 1)) != success)
        fatal("no memory for a module's variable");
      if (!variable.initial.empty())
        memcpy(fake::reach(reinterpret_cast<void *>(address), current->device), variable.initial.data(), variable.initial.size());
      return address;
    });
  return *module->ptx;
}
int cuModuleGetFunction(Function **function, Module *module, const char *name) {
  LOCKED;
  if (module->text.find(std::string(".entry ") + name + "(") == std::string::npos)
    return notFound;
  const fake::Kernel *kernel = fake::findKernel(name);
  *function = new Function{kernel, module, kernel ? nullptr : interpreted(module).find(name)};
  return success;
}
int cuModuleGetGlobal_v2(unsigned long long *address, size_t *bytes, Module *module, const char *name) {
  LOCKED;
  auto &variables = interpreted(module).globals();
  auto found = variables.find(name);
  if (found == variables.end())
    return notFound;
  *address = found->second.first;
  *bytes = found->second.second;
  return success;
}
int cuFuncGetAttribute(int *value, int attribute, Function *function) {
  switch (attribute) {
  case 0: *value = 1024; break;
  case 1: *value = function->ptx ? static_cast<int>(function->ptx->sharedBytes) : 0; break;
  case 3: *value = function->ptx ? static_cast<int>(function->ptx->localBytes) : 0; break;
  case 4: *value = 16; break;
  case 8: *value = function->sharedAllowed; break;
  case 5: case 6: *value = 90; break;
  default: *value = 0;
  }
  return success;
}
int cuFuncGetParamInfo(Function *function, size_t index, size_t *offset, size_t *bytes) {
  const auto *kernel = function->ptx;
  if (const fake::Kernel *own = function->kernel) {
    if (index >= own->parameterCount)
      return invalidValue;
    *offset = 8 * index;
    *bytes = own->parameterBytes[index];
    return success;
  }
  if (index >= kernel->parameterBytes.size())
    return invalidValue;
  *offset = kernel->parameterOffsets[index];
  *bytes = kernel->parameterBytes[index];
  return success;
}
int cuFuncSetAttribute(Function *function, int, int value) {
  if (value > 227 << 10)
    return invalidValue;
  function->sharedAllowed = value;
  return success;
}
static int launch(Function *function, const unsigned (&grid)[3], const unsigned (&block)[3], unsigned sharedBytes, Stream *stream,
                  void **params, bool isCooperative) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  unsigned blocks = grid[0] * grid[1] * grid[2], threads = block[0] * block[1] * block[2];
  if (!blocks || !threads || threads > 1024 || static_cast<int>(sharedBytes) > function->sharedAllowed)
    return invalidValue;
  if (isCooperative && blocks > blocksAtOnce)
    return cooperativeLaunchTooLarge;
  if (const fake::ptx::Kernel *own = function->ptx) {
    fake::ptx::Launch launch{{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, sharedBytes, std::string(own->parameterTotal, '\0'), isCooperative};
    for (size_t k = 0; k < own->parameterBytes.size(); ++k)
      memcpy(&launch.parameters[own->parameterOffsets[k]], params[k], own->parameterBytes[k]);
    issue(stream, [=, module = function->module, device = stream->context->device] {
      auto reach = [=](uint64_t address, size_t bytes) { return reachOrNull(address, bytes, device); };
      if (!isLost && !module->ptx->run(*own, launch, reach))
        isLost = true;
    });
    return success;
  }
  auto copied = std::make_shared<std::string>();
  const fake::Kernel *kernel = function->kernel;
  for (size_t k = 0; k < kernel->parameterCount; ++k) {
    copied->append(static_cast<char *>(params[k]), kernel->parameterBytes[k]);
    copied->resize((copied->size() + 7) / 8 * 8);
  }
  fake::Launch launch{stream->context->device, blocks, threads, nullptr};
  issue(stream, [=]() mutable {
    launch.params = copied->data();
    kernel->run(launch);
  });
  return success;
}
/// What a launch calls under the driver's lock, as tools behind the driver do that look at the program.
void npccFakeCudaAtLaunch(void (*callback)()) { atLaunch = callback; }
int cuLaunchKernel(Function *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, Stream *stream, void **params, void **) {
  // Between the choice of a stream and the launch other threads may do anything: with a delay they do.
  static const char *delay = getenv("NPCC_FAKE_CUDA_LAUNCH_DELAY"); // microseconds
  if (delay)
    std::this_thread::sleep_for(std::chrono::microseconds(atoi(delay)));
  if (void (*callback)() = atLaunch) {
    LOCKED;
    callback();
  }
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, stream, params, false);
}
int cuLaunchCooperativeKernel(Function *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                              unsigned blockY, unsigned blockZ, unsigned sharedBytes, Stream *stream, void **params) {
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, stream, params, true);
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
/// One on each of the four multiprocessors (cuDeviceGetAttribute).
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *, int, size_t) {
  *blocks = 1;
  return success;
}

} // extern "C"
