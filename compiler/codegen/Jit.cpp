#include "compiler/codegen/Jit.h"
#include "compiler/codegen/Object.h"
#include "compiler/codegen/Target.h"
#include "compiler/codegen/TwoTiers.h"
#include "runtime/abi/calls.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/MapperJITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/MemoryMapper.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>

using namespace npcc;
namespace orc = llvm::orc;

LoadedCode::LoadedCode() = default;
LoadedCode::~LoadedCode() = default;

/// Finds symbols in one library: where the runtime is in memory, under whatever name it was loaded.
static llvm::Error addLibrary(orc::LLJIT &jit, orc::JITDylib &to, const char *name) {
  auto generator = orc::DynamicLibrarySearchGenerator::Load(name, jit.getDataLayout().getGlobalPrefix());
  if (!generator)
    return generator.takeError();
  to.addGenerator(std::move(*generator));
  return llvm::Error::success();
}

/// The file that holds the runtime which this process uses already.
static std::string getRuntimePath() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&npcc_rt_call), &info) && info.dli_fname)
    return info.dli_fname;
  return "libnpcc_rt.so";
}

/// Finds symbols where compiled code looks for them.
static llvm::Error addLibraries(orc::LLJIT &jit, orc::JITDylib &to) {
  for (const std::string &library : {std::string("libm.so.6"), std::string("libc.so.6"), getRuntimePath()})
    if (llvm::Error error = addLibrary(jit, to, library.c_str()))
      return error;
  // Not on every processor; only code that was made for it asks for it.
  if (llvm::Error error = addLibrary(jit, to, "libmvec.so.1"))
    llvm::consumeError(std::move(error));
  return llvm::Error::success();
}

static llvm::Error addObject(orc::LLJIT &jit, orc::JITDylib &to, const std::string &object, const llvm::Twine &name) {
  return jit.addObjectFile(to, llvm::MemoryBuffer::getMemBufferCopy(object, name));
}

/// Addresses that are reserved at once for the objects of one function, which call each other within 2 GiB. Memory that each of them asks for by itself
/// may lie further apart: a process may have reserved all that is between.
static constexpr size_t slabBytes = size_t(4) << 20;

static llvm::Expected<std::unique_ptr<orc::LLJIT>> createJit() {
  // Loading a machine description registers the target that the linker asks for its data layout.
  if (auto machine = createTargetMachine("native", 0); !machine)
    return machine.takeError();
  orc::JITTargetMachineBuilder target{llvm::Triple(llvm::sys::getProcessTriple())};
  return orc::LLJITBuilder()
      .setJITTargetMachineBuilder(std::move(target))
      .setObjectLinkingLayerCreator([](orc::ExecutionSession &session) -> llvm::Expected<std::unique_ptr<orc::ObjectLayer>> {
        auto memory = orc::MapperJITLinkMemoryManager::CreateWithMapper<orc::InProcessMemoryMapper>(slabBytes);
        if (!memory)
          return memory.takeError();
        return std::make_unique<orc::ObjectLinkingLayer>(session, std::move(*memory));
      })
      // Plain code: no static constructors, no thread-local storage.
      .setPlatformSetUp(orc::setUpInactivePlatform)
      .setLinkProcessSymbolsByDefault(false)
      .create();
}

static llvm::Expected<orc::ExecutorAddr> lookupIn(orc::LLJIT &jit, orc::JITDylib &library, llvm::StringRef symbol) {
  std::string reports;
  orc::ExecutionSession &session = jit.getExecutionSession();
  session.setErrorReporter([&](llvm::Error error) { reports += llvm::toString(std::move(error)) + '\n'; });
  auto address = jit.lookup(library, symbol);
  session.setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
  if (!address)
    return llvm::createStringError(reports + llvm::toString(address.takeError()));
  return *address;
}

llvm::Expected<npcc_entry> LoadedCode::lookup(llvm::StringRef symbol) const {
  auto address = lookupIn(*jit, jit->getMainJITDylib(), symbol);
  if (!address)
    return address.takeError();
  return address->toPtr<npcc_entry>();
}

llvm::Error LoadedCode::exchangeKernels(const std::vector<std::string> &objects) {
  PhaseTimer timer("exchange");
  auto careful = jit->createJITDylib("careful");
  if (!careful)
    return careful.takeError();
  if (llvm::Error error = addLibraries(*jit, *careful))
    return error;
  for (const auto &[number, object] : llvm::enumerate(objects))
    if (llvm::Error error = addObject(*jit, *careful, object, "npcc.careful." + llvm::Twine(number)))
      return error;
  for (const std::string &kernel : quickKernels) {
    auto code = lookupIn(*jit, *careful, kernel);
    if (!code)
      return code.takeError();
    auto slot = lookupIn(*jit, jit->getMainJITDylib(), getSlotName(kernel));
    if (!slot)
      return slot.takeError();
    __atomic_store_n(slot->toPtr<uintptr_t *>(), uintptr_t(code->getValue()), __ATOMIC_RELEASE);
  }
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<LoadedCode>> npcc::loadCode(const CompiledCode &code) {
  PhaseTimer timer("load");
  auto jit = createJit();
  if (!jit)
    return jit.takeError();
  std::shared_ptr<LoadedCode> loaded(new LoadedCode);
  loaded->jit = std::move(*jit);
  orc::JITDylib &main = loaded->jit->getMainJITDylib();
  if (llvm::Error error = addLibraries(*loaded->jit, main))
    return error;
  for (const auto &[number, object] : llvm::enumerate(code.objects))
    if (llvm::Error error = addObject(*loaded->jit, main, object, "npcc." + llvm::Twine(number)))
      return error;
  loaded->quickKernels = code.quick.kernels;
  if (loaded->isQuick())
    if (llvm::Error error = addObject(*loaded->jit, main, code.quick.object, "npcc.quick"))
      return error;
  llvm::Error failure = llvm::Error::success();
  for (const FunctionInfo &info : code.functions)
    loaded->tables.push_back(std::make_unique<FunctionTable>(info, [&](llvm::StringRef symbol) -> npcc_entry {
      auto entry = loaded->lookup(symbol);
      if (entry)
        return *entry;
      failure = llvm::joinErrors(std::move(failure), entry.takeError());
      return nullptr;
    }));
  if (failure)
    return failure;
  return loaded;
}
