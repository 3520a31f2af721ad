#include "compiler/codegen/Target.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <deque>
#include <map>
#include <mutex>

using namespace npcc;

/// Sets an option of LLVM's command line as if it were there; one that this LLVM does not have is left alone.
static void setLlvmOption(llvm::StringRef name, llvm::StringRef value) {
  auto &known = llvm::cl::getRegisteredOptions();
  if (auto found = known.find(name); found != known.end())
    found->second->addOccurrence(1, name, value);
}

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // This pass makes branches of selections in loops, by what they cost where a branch is predicted right. Where data
    // decide (bits, keys of a search, lengths of rows), the prediction is wrong half of the time, and the branch costs
    // several times the selection.
    setLlvmOption("x86-cmov-converter", "false");
    // What vectors of 8 leave of a row goes by shorter vectors too, not one by one: of rows of 38 elements those 6 took
    // more than half of the time. LLVM does that from vectors of 16 on.
    setLlvmOption("epilogue-vectorization-minimum-VF", "8");
  });
}

// Read once: in a virtual machine each question to the processor takes the hypervisor's time.
static const std::string &getNativeFeatures() {
  static const std::string text = [] {
    llvm::SubtargetFeatures features;
    for (auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
    return features.getString();
  }();
  return text;
}

static const std::string &getNativeName() {
  static const std::string name = llvm::sys::getHostCPUName().str();
  return name;
}

static const llvm::Target *lookupTarget(std::string &error) {
  initializeTarget();
  return llvm::TargetRegistry::lookupTarget(llvm::Triple(llvm::sys::getProcessTriple()), error);
}

static std::unique_ptr<llvm::MCSubtargetInfo> describeProcessor(const llvm::Target &target, llvm::StringRef cpu) {
  bool isNative = cpu == "native";
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target.createMCSubtargetInfo(llvm::Triple(llvm::sys::getProcessTriple()), isNative ? getNativeName() : cpu,
                                   isNative ? llvm::StringRef(getNativeFeatures()) : ""));
}

namespace {
/// Machines that nobody uses now, by what was asked for. Lives as long as the process, as LLVM's targets do.
struct KeptMachines {
  std::mutex mutex;
  std::map<std::pair<std::string, int>, std::vector<llvm::TargetMachine *>> free;
  std::map<llvm::TargetMachine *, std::pair<std::string, int>> made;

  static KeptMachines &get() {
    static auto *machines = new KeptMachines;
    return *machines;
  }
};
} // namespace

void npcc::KeepMachine::operator()(llvm::TargetMachine *machine) const {
  KeptMachines &machines = KeptMachines::get();
  std::lock_guard<std::mutex> lock(machines.mutex);
  machines.free[machines.made.at(machine)].push_back(machine);
}

llvm::Expected<MachineHandle> npcc::createTargetMachine(llvm::StringRef cpu, int optLevel) {
  KeptMachines &machines = KeptMachines::get();
  std::pair<std::string, int> key(cpu, std::min(optLevel, 3));
  std::unique_lock<std::mutex> lock(machines.mutex);
  if (auto &free = machines.free[key]; !free.empty()) {
    MachineHandle machine(free.back());
    free.pop_back();
    return machine;
  }
  lock.unlock();
  std::string error;
  const llvm::Target *target = lookupTarget(error);
  if (!target)
    return llvm::createStringError(error);
  bool native = cpu == "native";
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string name = native ? getNativeName() : cpu.str();
  if (!native && !describeProcessor(*target, "")->isCPUStringValid(name))
    return llvm::createStringError("unknown CPU '" + name + "'");
  llvm::TargetOptions options;
  // NumPy rounds after each operation.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  llvm::TargetMachine *machine =
      target->createTargetMachine(triple, name, native ? llvm::StringRef(getNativeFeatures()) : "", options,
                                  llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel(key.second));
  if (!machine)
    return llvm::createStringError("no code generator for " + triple.str());
  lock.lock();
  machines.made[machine] = key;
  return MachineHandle(machine);
}

unsigned npcc::getVectorBytes(llvm::StringRef cpu) {
  static std::mutex mutex;
  static llvm::StringMap<unsigned> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto [bytes, isNew] = known.try_emplace(cpu, 16);
  std::string error;
  const llvm::Target *target = isNew ? lookupTarget(error) : nullptr;
  if (!target)
    return bytes->second;
  auto processor = describeProcessor(*target, cpu);
  if (processor->checkFeatures("+avx512f"))
    bytes->second = 64;
  else if (processor->checkFeatures("+avx2"))
    bytes->second = 32;
  return bytes->second;
}

std::string npcc::getCpuDescription(llvm::StringRef cpu) {
  return cpu == "native" ? getNativeName() + " " + getNativeFeatures() : cpu.str();
}

//===---- Vector functions ---------------------------------------------------------------------------------------------===//

// Keeps the names that VecDesc refers to. glibc's names are _ZGV, the instruction set (b: SSE4, d: AVX2, e: AVX-512), N (no mask), the number of
// elements, a v for each argument, _, and the C name.
static std::vector<llvm::VecDesc> makeVectorFunctions(unsigned vectorBytes) {
  static std::deque<std::string> names;
  auto keep = [](std::string name) -> llvm::StringRef { return names.emplace_back(std::move(name)); };
  std::vector<llvm::VecDesc> functions;
  auto add = [&](llvm::StringRef name, unsigned arguments, bool intrinsic) {
    for (bool isDouble : {true, false})
      for (auto [set, bytes] : {std::pair('b', 16u), {'d', 32u}, {'e', 64u}}) {
        if (bytes > vectorBytes)
          continue;
        unsigned lanes = bytes / (isDouble ? 8 : 4);
        std::string shape = "N" + std::to_string(lanes) + std::string(arguments, 'v');
        llvm::StringRef scalar = keep(name.str() + (isDouble ? "" : "f"));
        llvm::StringRef vector = keep("_ZGV" + std::string(1, set) + shape + "_" + scalar.str());
        llvm::StringRef abi = keep("_ZGV_LLVM_" + shape);
        functions.push_back({scalar, vector, llvm::ElementCount::getFixed(lanes), false, abi, std::nullopt});
        if (intrinsic)
          functions.push_back({keep("llvm." + name.str() + (isDouble ? ".f64" : ".f32")), vector, llvm::ElementCount::getFixed(lanes), false,
                               abi, std::nullopt});
      }
  };
#define VECTOR_FUNCTION(NAME, ARGUMENTS, INTRINSIC) add(#NAME, ARGUMENTS, INTRINSIC);
#include "compiler/codegen/VectorFunctions.def"
  return functions;
}

static llvm::TargetLibraryInfoImpl makeLibraryInfo(unsigned vectorBytes) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  llvm::TargetLibraryInfoImpl info(triple);
  if (triple.isX86() && triple.isGNUEnvironment())
    info.addVectorizableFunctions(makeVectorFunctions(vectorBytes));
  return info;
}

const llvm::TargetLibraryInfoImpl &npcc::getTargetLibraryInfo(unsigned vectorBytes) {
  static const llvm::TargetLibraryInfoImpl sse = makeLibraryInfo(16), avx2 = makeLibraryInfo(32),
                                           avx512 = makeLibraryInfo(64);
  return vectorBytes == 64 ? avx512 : vectorBytes == 32 ? avx2 : sse;
}
