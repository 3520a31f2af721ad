// Modules, functions and launches of the fake driver.
#include "FakeDriver.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace fake;

static std::atomic<void (*)()> atLaunch;

extern "C" {

int cuMemAlloc_v2(unsigned long long *address, size_t bytes);

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
    module->ptx =
        std::make_unique<fake::ptx::Module>(module->text, [](const fake::ptx::Variable &variable) -> uint64_t {
          unsigned long long address = 0;
          if (cuMemAlloc_v2(&address, std::max<size_t>(variable.bytes, 1)) != success)
            fatal("no memory for a module's variable");
          if (!variable.initial.empty())
            memcpy(fake::reach(reinterpret_cast<void *>(address), current->device), variable.initial.data(),
                   variable.initial.size());
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
  case 0:
    *value = 1024;
    break;
  case 1:
    *value = function->ptx ? static_cast<int>(function->ptx->sharedBytes) : 0;
    break;
  case 3:
    *value = function->ptx ? static_cast<int>(function->ptx->localBytes) : 0;
    break;
  case 4:
    *value = 16;
    break;
  case 8:
    *value = function->sharedAllowed;
    break;
  case 5:
  case 6:
    *value = 90;
    break;
  default:
    *value = 0;
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
static int launch(Function *function, const unsigned (&grid)[3], const unsigned (&block)[3], unsigned sharedBytes,
                  Stream *stream, void **params, bool isCooperative) {
  stream = resolve(stream);
  IN_CONTEXT_OF(stream);
  unsigned blocks = grid[0] * grid[1] * grid[2], threads = block[0] * block[1] * block[2];
  if (!blocks || !threads || threads > 1024 || static_cast<int>(sharedBytes) > function->sharedAllowed)
    return invalidValue;
  if (isCooperative && blocks > blocksAtOnce)
    return cooperativeLaunchTooLarge;
  if (const fake::ptx::Kernel *own = function->ptx) {
    fake::ptx::Launch launch{{grid[0], grid[1], grid[2]},
                             {block[0], block[1], block[2]},
                             sharedBytes,
                             std::string(own->parameterTotal, '\0'),
                             isCooperative};
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
/// One on each of the four multiprocessors (cuDeviceGetAttribute).
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *, int, size_t) {
  *blocks = 1;
  return success;
}

} // extern "C"
