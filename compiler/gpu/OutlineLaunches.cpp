// npcc-outline-launches: the body of a launch becomes a kernel of the one gpu.module. What it uses from outside are the
// kernel's parameters; constants are made in it once more.
//
//   %c2 = arith.constant 2 : index                           gpu.launch_func @kernels::@f_map_0 ... args(%p, %n)
//   gpu.launch blocks(%b, ..) ... {                    ->    gpu.module @kernels {
//     ... %p ... %n ... %c2 ...                                gpu.func @f_map_0(%p, %n) kernel { ... }
//   } {np.class = "map"}                                     }
//
// Upstream's outlining makes a gpu.module for each launch. One module of them all is one translation, one copy of
// libdevice's functions and, where it is small, one run of ptxas.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/image/EntryFunctions.h"
#include "dialects/Np/Threads.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_OUTLINELAUNCHES
#include "compiler/gpu/Passes.h.inc"
namespace {

struct OutlineLaunches : impl::OutlineLaunchesBase<OutlineLaunches> {
  void runOnOperation() override {
    SmallVector<gpu::LaunchOp> launches;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
    if (launches.empty())
      return;
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
    auto module = gpu::GPUModuleOp::create(builder, getOperation().getLoc(), "kernels");
    llvm::StringMap<int> numbers;
    for (gpu::LaunchOp launch : launches)
      outline(launch, module, numbers);
  }

  /// Constants that a kernel names are the device's, and so are the functions of linked code that it calls.
  void moveConstants(gpu::GPUFuncOp kernel, gpu::GPUModuleOp module) {
    kernel.walk([&](LLVM::CallOp call) {
      auto function =
          call.getCallee() ? getOperation().lookupSymbol<LLVM::LLVMFuncOp>(*call.getCallee()) : LLVM::LLVMFuncOp();
      if (function && !module.lookupSymbol(function.getName()))
        function->moveBefore(&module.getBody()->front());
    });
    kernel.walk([&](LLVM::AddressOfOp address) {
      auto global = getOperation().lookupSymbol<LLVM::GlobalOp>(address.getGlobalName());
      if (global && !module.lookupSymbol(address.getGlobalName()))
        global->moveBefore(&module.getBody()->front());
    });
  }

  void outline(gpu::LaunchOp launch, gpu::GPUModuleOp module, llvm::StringMap<int> &numbers) {
    Location loc = launch.getLoc();
    auto kernelClass = launch->getAttrOfType<StringAttr>("np.class");
    std::string name = (launch->getParentOfType<func::FuncOp>().getName() + "_" + (kernelClass ? kernelClass.getValue() : "kernel")).str();
    // PTX has no dots in names.
    for (char &character : name)
      if (!llvm::isAlnum(character))
        character = '_';
    name += "_" + std::to_string(numbers[name]++);

    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(launch.getBody(), captured);
    SmallVector<Value> parameters, constants;
    for (Value value : captured) {
      Operation *maker = value.getDefiningOp();
      (maker && matchPattern(maker, m_Constant()) ? constants : parameters).push_back(value);
    }
    np::LaunchParametersOp named; // what a kernel with a name of its own takes
    launch.walk([&](np::LaunchParametersOp op) { named = op; });
    if (named) {
      SmallVector<Value> rest;
      rest.swap(parameters);
      auto isConstant = [&](Value value) { return llvm::is_contained(constants, value); };
      parameters = llvm::filter_to_vector(named.getValues(), [&](Value value) { return !isConstant(value); });
      for (Value value : rest) // behind them what checks report to
        if (!llvm::is_contained(named.getValues(), value))
          parameters.push_back(value);
      named.erase();
    }
    SmallVector<Type> shared;
    for (BlockArgument memory : launch.getWorkgroupAttributions())
      shared.push_back(memory.getType());
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto type = builder.getFunctionType(ValueRange(parameters).getTypes(), {});
    auto kernel = gpu::GPUFuncOp::create(builder, loc, name, type, shared, TypeRange());
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    // Said, because LLVM makes vectors of neighbouring accesses by the alignment it prefers, and declares the variable with a smaller one.
    for (unsigned number = 0; number < shared.size(); ++number)
      kernel.setWorkgroupAttributionAttr(number, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(16));
    // What was asked for thread-level kernels (LaunchThreads.cpp).
    auto isThreads = launch->getAttrOfType<StringAttr>("np.thread");
    for (StringRef name : {NVVM::NVVMDialect::getMaxnregAttrName(), NVVM::NVVMDialect::getMaxntidAttrName(), NVVM::NVVMDialect::getMinctasmAttrName()})
      if (Attribute attribute = launch->getAttr(name))
        kernel->setAttr(name, attribute);
    SmallVector<Attribute> passed;
    auto pass = [&](StringRef name, StringAttr value) {
      passed.push_back(builder.getArrayAttr({builder.getStringAttr(name), value}));
    };
    if (launch->hasAttr("np.fastmath")) // numbers near zero are zero, which is faster
      pass("denormal-fp-math-f32", builder.getStringAttr("preserve-sign"));
    if (auto entry = launch->getAttrOfType<StringAttr>("np.kernel_entry"))
      pass(cuda::entryAttribute, entry);
    if (isThreads)
      pass(cuda::threadsAttribute, isThreads);
    if (!passed.empty())
      kernel->setAttr("passthrough", builder.getArrayAttr(passed));
    for (StringRef name : {"np.lines", "np.small_positions"})
      if (Attribute attribute = launch->getAttr(name))
        kernel->setAttr(name, attribute);
    SmallVector<int32_t> known;
    for (Value size : {launch.getBlockSizeX(), launch.getBlockSizeY(), launch.getBlockSizeZ()})
      if (std::optional<int64_t> constant = getConstantIntValue(size))
        known.push_back(*constant);
    if (isThreads)
      ;
    else if (known.size() == 3)
      kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(known));
    else if (!kernel->hasAttr(NVVM::NVVMDialect::getMaxntidAttrName()))
      kernel->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), builder.getDenseI32ArrayAttr({int32_t(cuda::threadsPerBlock)}));

    Block &entry = kernel.getBody().front();
    builder.setInsertionPointToStart(&entry);
    IRMapping mapping;
    for (auto [value, argument] : llvm::zip(parameters, entry.getArguments()))
      mapping.map(value, argument);
    for (auto [from, to] : llvm::zip_equal(launch.getWorkgroupAttributions(), kernel.getWorkgroupAttributions()))
      mapping.map(from, to);
    for (Value value : constants)
      builder.clone(*value.getDefiningOp(), mapping);
    auto mapIds = [&](auto tag, gpu::KernelDim3 ids) {
      using IdOp = decltype(tag);
      mapping.map(ids.x, IdOp::create(builder, loc, builder.getIndexType(), gpu::Dimension::x).getResult());
      mapping.map(ids.y, IdOp::create(builder, loc, builder.getIndexType(), gpu::Dimension::y).getResult());
      mapping.map(ids.z, IdOp::create(builder, loc, builder.getIndexType(), gpu::Dimension::z).getResult());
    };
    mapIds(gpu::BlockIdOp(), launch.getBlockIds());
    mapIds(gpu::ThreadIdOp(), launch.getThreadIds());
    mapIds(gpu::GridDimOp(), launch.getGridSize());
    mapIds(gpu::BlockDimOp(), launch.getBlockSize());
    for (Operation &op : launch.getBody().front().without_terminator())
      builder.clone(op, mapping);
    gpu::ReturnOp::create(builder, loc);

    builder.setInsertionPoint(launch);
    auto call = gpu::LaunchFuncOp::create(builder, loc, kernel, launch.getGridSizeOperandValues(), launch.getBlockSizeOperandValues(),
                                          launch.getDynamicSharedMemorySize(), parameters);
    for (StringRef name : {"np.cooperative", "np.fitted", "np.begins", "np.beside"})
      if (launch->hasAttr(name))
        call->setAttr(name, builder.getUnitAttr());
    if (isThreads)
      call->setAttr("np.thread", isThreads);
    moveConstants(kernel, module);
    launch.erase();
  }
};

} // namespace
} // namespace npcc
