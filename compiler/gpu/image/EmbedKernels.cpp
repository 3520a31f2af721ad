// npcc-embed-kernels: images become constants of the host module, launches calls of npcc_rt_launch. An image that is
// still being made (np.image) is a symbol of another object.
//
//   gpu.launch_func @kernels::@step_map_0 blocks in (%gx, ...) threads in (...) args(%p : !llvm.ptr<1>, %n : index)
// becomes
//   llvm.store %p, %slot0   llvm.store %n, %slot1   llvm.store %slot0, %params[0]   llvm.store %slot1, %params[1]
//   llvm.call @npcc_rt_launch(@kernel.step_map_0, %gx, ..., 0, 0, %params)
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/gpu/image/EntryFunctions.h"
#include "compiler/gpu/image/KernelImages.h"
#include "compiler/gpu/image/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_EMBEDKERNELS
#include "compiler/gpu/image/Passes.h.inc"
namespace {

struct EmbedKernels : impl::EmbedKernelsBase<EmbedKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (gpu::GPUModuleOp kernels : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
      auto ptx = kernels->getAttrOfType<StringAttr>("np.ptx"), image = kernels->getAttrOfType<StringAttr>("np.image");
      if (!ptx && !image) {
        kernels.emitError("kernels are not compiled");
        return signalPassFailure();
      }
      std::string name = image ? image.str() : "image." + kernels.getName().str();
      if (image)
        declareImage(name);
      else
        makeImage(kernels, name, ptx);
      for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
        if (isKernel(kernel))
          makeKernel(kernels, name, kernel);
      SmallVector<gpu::LaunchFuncOp> launches;
      module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
      for (gpu::LaunchFuncOp launch : launches)
        lower(launch);
      kernels.erase();
    }
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

  /// A global whose initial value `build` returns.
  void makeStruct(StringRef name, LLVM::LLVMStructType type, function_ref<SmallVector<Value>(OpBuilder &)> build) {
    Location loc = getOperation().getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    // The runtime writes `state`.
    auto global =
        LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(), 8);
    builder.createBlock(&global.getInitializerRegion());
    Value value = LLVM::UndefOp::create(builder, loc, type);
    for (auto [index, field] : llvm::enumerate(build(builder)))
      value = LLVM::InsertValueOp::create(builder, loc, value, field, index);
    LLVM::ReturnOp::create(builder, loc, value);
  }

  void makeBytes(StringRef name, StringRef bytes) {
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    LLVM::GlobalOp::create(builder, getOperation().getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           builder.getStringAttr(bytes), 16);
  }

  LLVM::LLVMStructType getImageType() {
    MLIRContext *context = &getContext();
    Type pointer = LLVM::LLVMPointerType::get(context), i64 = IntegerType::get(context, 64),
         i32 = IntegerType::get(context, 32);
    return LLVM::LLVMStructType::getLiteral(context, {pointer, i64, i32, pointer, pointer});
  }

  void declareImage(StringRef name) {
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    LLVM::GlobalOp::create(builder, getOperation().getLoc(), getImageType(), /*isConstant=*/false,
                           LLVM::Linkage::External, name, Attribute(), 8);
  }

  void makeImage(gpu::GPUModuleOp kernels, StringRef symbol, StringAttr ptx) {
    std::string name = kernels.getName().str();
    auto cubin = kernels->getAttrOfType<StringAttr>("np.cubin");
    int capability = 0;
    kernels->getAttrOfType<StringAttr>("np.arch").getValue().drop_front(3).consumeInteger(10, capability);
    makeBytes("ptx." + name, ptx.getValue().str() + '\0');
    if (cubin)
      makeBytes("cubin." + name, cubin);
    MLIRContext *context = &getContext();
    Type pointer = LLVM::LLVMPointerType::get(context), i64 = IntegerType::get(context, 64),
         i32 = IntegerType::get(context, 32);
    makeStruct(symbol, getImageType(), [&](OpBuilder &builder) -> SmallVector<Value> {
      Location loc = kernels.getLoc();
      Value null = LLVM::ZeroOp::create(builder, loc, pointer);
      Value bytes = cubin ? LLVM::AddressOfOp::create(builder, loc, pointer, "cubin." + name).getResult() : null;
      return {bytes, LLVM::ConstantOp::create(builder, loc, i64, int64_t(cubin ? cubin.size() : 0)),
              LLVM::ConstantOp::create(builder, loc, i32, capability),
              LLVM::AddressOfOp::create(builder, loc, pointer, "ptx." + name), null};
    });
  }

  /// What recordings and errors call a kernel: a thread-level kernel by the name that it has in Python.
  static StringRef getShownName(LLVM::LLVMFuncOp function) {
    for (Attribute attribute :
         function.getPassthroughAttr() ? function.getPassthroughAttr().getValue() : ArrayRef<Attribute>())
      if (auto pair = dyn_cast<ArrayAttr>(attribute);
          pair && cast<StringAttr>(pair[0]).getValue() == cuda::threadsAttribute)
        return cast<StringAttr>(pair[1]).getValue();
    return function.getName();
  }

  void makeKernel(gpu::GPUModuleOp kernels, StringRef image, LLVM::LLVMFuncOp function) {
    StringRef kernel = function.getName();
    MLIRContext *context = &getContext();
    Type pointer = LLVM::LLVMPointerType::get(context);
    auto type = LLVM::LLVMStructType::getLiteral(context, {pointer, pointer, pointer, pointer});
    makeBytes(("label." + kernel).str(), getTraceLabel(getShownName(function), function.getLoc()) + '\0');
    makeBytes(("name." + kernel).str(), kernel.str() + '\0');
    makeStruct(("kernel." + kernel).str(), type, [&](OpBuilder &builder) -> SmallVector<Value> {
      Location loc = kernels.getLoc();
      return {LLVM::AddressOfOp::create(builder, loc, pointer, image),
              LLVM::AddressOfOp::create(builder, loc, pointer, ("name." + kernel).str()),
              LLVM::ZeroOp::create(builder, loc, pointer),
              LLVM::AddressOfOp::create(builder, loc, pointer, ("label." + kernel).str())};
    });
  }

  /// The address of a stack slot that holds a kernel's parameter as the kernel reads it.
  Value storeParameter(OpBuilder &builder, Operation *op, Value value) {
    Location loc = op->getLoc();
    Type type = value.getType();
    if (auto complex = dyn_cast<ComplexType>(type)) {
      Type part = complex.getElementType();
      Value slot = allocateOnStack(builder, op, part, 2);
      Value next = LLVM::GEPOp::create(builder, loc, slot.getType(), part, slot, ArrayRef<LLVM::GEPArg>{1});
      LLVM::StoreOp::create(builder, loc, complex::ReOp::create(builder, loc, value), slot);
      LLVM::StoreOp::create(builder, loc, complex::ImOp::create(builder, loc, value), next);
      return slot;
    }
    if (type.isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    else if (type.isInteger(1))
      value = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
    Value slot = allocateOnStack(builder, op, value.getType(), 1);
    LLVM::StoreOp::create(builder, loc, value, slot);
    return slot;
  }

  void lower(gpu::LaunchFuncOp launch) {
    OpBuilder builder(launch);
    Location loc = launch.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i64 = builder.getI64Type();
    Value parameters = allocateOnStack(builder, launch, pointer, std::max<int64_t>(launch.getNumKernelOperands(), 1));
    for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
      Value entry =
          LLVM::GEPOp::create(builder, loc, pointer, pointer, parameters, ArrayRef<LLVM::GEPArg>{int32_t(index)});
      LLVM::StoreOp::create(builder, loc, storeParameter(builder, launch, operand), entry);
    }
    SmallVector<Value> arguments{
        LLVM::AddressOfOp::create(builder, loc, pointer, ("kernel." + launch.getKernelName().getValue()).str())};
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues(), block = launch.getBlockSizeOperandValues();
    for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
      arguments.push_back(arith::IndexCastOp::create(builder, loc, i64, size));
    Value shared = launch.getDynamicSharedMemorySize();
    arguments.push_back(shared ? arith::ExtUIOp::create(builder, loc, i64, shared).getResult()
                               : LLVM::ConstantOp::create(builder, loc, i64, int64_t(0)).getResult());
    int32_t flags = (launch->hasAttr("np.cooperative") ? 1 : 0) | (launch->hasAttr("np.fitted") ? 2 : 0) |
                    (launch->hasAttr("np.begins") ? 4 : 0) | (launch->hasAttr("np.beside") ? 8 : 0) |
                    (launch->hasAttr("np.thread") ? 16 : 0);
    arguments.push_back(LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), flags));
    arguments.push_back(parameters);
    callFunction(builder, loc, getOperation(), "npcc_rt_launch", nullptr, arguments);
    launch.erase();
  }
};

} // namespace
} // namespace npcc
