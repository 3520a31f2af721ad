#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/target/HostMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Memory.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace npcc;

namespace {

/// Elements side by side in the host's memory, as one vector; of any alignment. Upstream's pattern says `nuw`, too.
template <typename AccessOp> struct VectorPattern : ConvertOpToLLVMPattern<AccessOp> {
  using ConvertOpToLLVMPattern<AccessOp>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(AccessOp op, typename AccessOp::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value address = this->getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(), adaptor.getBase(),
                                               adaptor.getIndices(), LLVM::GEPNoWrapFlags::inbounds);
    unsigned bytes = op.getMemRefType().getElementTypeBitWidth() / 8;
    if constexpr (std::is_same_v<AccessOp, vector::LoadOp>)
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, this->typeConverter->convertType(op.getType()), address, bytes);
    else
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValueToStore(), address, bytes);
    return success();
  }
};

/// Host code of a function whose arrays are in a device's memory.
bool isOnDevice(Operation *op) {
  auto type = cast<MemRefType>(op->getOperand(isa<memref::StoreOp>(op) ? 1 : 0).getType());
  bool onStack = op->getOperand(isa<memref::StoreOp>(op) ? 1 : 0).getDefiningOp<memref::AllocaOp>() != nullptr;
  return !getTargetProperties(op).hostSharesMemory && !type.getMemorySpace() && !onStack;
}

template <typename AccessOp>
struct AccessPattern : ConvertOpToLLVMPattern<AccessOp> {
  using ConvertOpToLLVMPattern<AccessOp>::ConvertOpToLLVMPattern;

  /// In bounds, but with any sign: upstream says `nuw`, which a negative stride breaks.
  Value getAddress(AccessOp op, typename AccessOp::Adaptor adaptor, ConversionPatternRewriter &rewriter) const {
    return this->getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(), adaptor.getMemref(), adaptor.getIndices(),
                                      LLVM::GEPNoWrapFlags::inbounds);
  }

  void copyAccessGroups(AccessOp from, LLVM::AccessGroupOpInterface to) const {
    if (auto groups = from->template getAttrOfType<ArrayAttr>("llvm.access_groups"))
      to.setAccessGroups(groups);
  }

  Value getBytes(Location loc, Type type, ConversionPatternRewriter &rewriter) const {
    Value pointer = LLVM::ZeroOp::create(rewriter, loc, this->getPtrType());
    Value next = LLVM::GEPOp::create(rewriter, loc, this->getPtrType(), type, pointer, ArrayRef<LLVM::GEPArg>{1});
    return LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(), next);
  }
};

struct LoadPattern : AccessPattern<memref::LoadOp> {
  using AccessPattern::AccessPattern;
  LogicalResult matchAndRewrite(memref::LoadOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Type type = typeConverter->convertType(op.getMemRefType().getElementType());
    Location loc = op.getLoc();
    Value address = getAddress(op, adaptor, rewriter);
    if (isOnDevice(op)) {
      Value slot = allocateOnStack(rewriter, op, type, 1);
      callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_read", nullptr, {slot, address, getBytes(loc, type, rewriter)});
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, slot);
      return success();
    }
    auto load = LLVM::LoadOp::create(rewriter, loc, type, address);
    copyAccessGroups(op, load);
    rewriter.replaceOp(op, load);
    return success();
  }
};

struct StorePattern : AccessPattern<memref::StoreOp> {
  using AccessPattern::AccessPattern;
  LogicalResult matchAndRewrite(memref::StoreOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Type type = typeConverter->convertType(op.getMemRefType().getElementType());
    Location loc = op.getLoc();
    Value address = getAddress(op, adaptor, rewriter);
    if (isOnDevice(op)) {
      Value slot = allocateOnStack(rewriter, op, type, 1);
      LLVM::StoreOp::create(rewriter, loc, adaptor.getValue(), slot);
      callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_write", nullptr, {address, slot, getBytes(loc, type, rewriter)});
      rewriter.eraseOp(op);
      return success();
    }
    auto store = LLVM::StoreOp::create(rewriter, loc, adaptor.getValue(), address);
    copyAccessGroups(op, store);
    rewriter.replaceOp(op, store);
    return success();
  }
};

template <typename Op> struct TransferPattern : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  /// The extents, the strides and the bytes of a contiguous array.
  struct Layout {
    SmallVector<Value> sizes, strides;
    Value bytes;
  };
  Layout getLayout(Location loc, MemRefType type, Value array, ConversionPatternRewriter &rewriter) const {
    MemRefDescriptor source(array);
    SmallVector<Value> extents;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(axis))
        extents.push_back(source.size(rewriter, loc, axis));
    Layout layout;
    this->getMemRefDescriptorSizes(loc, type, extents, rewriter, layout.sizes, layout.strides, layout.bytes);
    return layout;
  }
};

/// Of a contiguous array to one in the other memory.
struct CopyPattern : TransferPattern<memref::CopyOp> {
  using TransferPattern::TransferPattern;
  LogicalResult matchAndRewrite(memref::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getSource().getType());
    bool fromHost = isInHostMemory(type), toHost = isInHostMemory(op.getTarget().getType());
    if (fromHost == toHost || !type.getLayout().isIdentity())
      return rewriter.notifyMatchFailure(op, "no copy between memories");
    Location loc = op.getLoc();
    MemRefDescriptor source(adaptor.getSource()), target(adaptor.getTarget());
    Value bytes = getLayout(loc, type, adaptor.getSource(), rewriter).bytes;
    callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), fromHost ? "npcc_rt_write" : "npcc_rt_read", nullptr,
                 {target.alignedPtr(rewriter, loc), source.alignedPtr(rewriter, loc), bytes});
    rewriter.eraseOp(op);
    return success();
  }
};

struct MirrorPattern : TransferPattern<np::MirrorOp> {
  using TransferPattern::TransferPattern;
  LogicalResult matchAndRewrite(np::MirrorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getArray().getType());
    if (!type.getLayout().isIdentity())
      return rewriter.notifyMatchFailure(op, "a mirror is of a contiguous array");
    Location loc = op.getLoc();
    Layout layout = getLayout(loc, type, adaptor.getArray(), rewriter);
    Value array = MemRefDescriptor(adaptor.getArray()).alignedPtr(rewriter, loc);
    Value base = callFunction(rewriter, loc, op->getParentOfType<ModuleOp>(), "npcc_rt_mirror", getPtrType(),
                              {array, layout.bytes})
                     .getResult();
    auto mirror = cast<MemRefType>(op.getCopy().getType());
    rewriter.replaceOp(op, {createMemRefDescriptor(loc, mirror, base, base, layout.sizes, layout.strides, rewriter)});
    return success();
  }
};
} // namespace

void npcc::populateAccessPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LoadPattern, StorePattern, VectorPattern<vector::LoadOp>, VectorPattern<vector::StoreOp>, CopyPattern,
               MirrorPattern>(converter, /*benefit=*/10);
}
