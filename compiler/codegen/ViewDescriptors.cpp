// What is asked of a view's descriptor and what makes one, in the LLVM dialect. Nothing here calls the runtime, so that
// code of a device is lowered so, too.
#include "compiler/codegen/HostLowering.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Memory.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace npcc;

namespace {
struct RebasePattern : ConvertOpToLLVMPattern<np::RebaseOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::RebaseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefDescriptor source(adaptor.getSource());
    MemRefDescriptor result =
        MemRefDescriptor::poison(rewriter, loc, getTypeConverter()->convertType(op.getResult().getType()));
    result.setAllocatedPtr(rewriter, loc, source.allocatedPtr(rewriter, loc));
    Value first = source.bufferPtr(rewriter, loc, *getTypeConverter(), cast<MemRefType>(op.getSource().getType()));
    result.setAlignedPtr(rewriter, loc, first);
    result.setConstantOffset(rewriter, loc, 0);
    for (int64_t axis = 0; axis < cast<MemRefType>(op.getSource().getType()).getRank(); ++axis) {
      result.setSize(rewriter, loc, axis, source.size(rewriter, loc, axis));
      result.setStride(rewriter, loc, axis, source.stride(rewriter, loc, axis));
    }
    rewriter.replaceOp(op, {result});
    return success();
  }
};

/// The runtime marks the base of a read-only argument by its highest bit, which views hand on, and so does a view that
/// is read-only itself.
constexpr uint64_t readOnlyBit = uint64_t(1) << 63;

/// The bytes of an element in memory.
int64_t bytesOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * bytesOf(complex.getElementType());
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

struct PartPattern : ConvertOpToLLVMPattern<np::PartOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::PartOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    np::PartKind kind = op.getKind();
    MemRefDescriptor source(adaptor.getSource());
    MemRefDescriptor result =
        MemRefDescriptor::poison(rewriter, loc, getTypeConverter()->convertType(op.getResult().getType()));
    auto number = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(value));
    };
    auto twice = [&](Value value) -> Value { return LLVM::MulOp::create(rewriter, loc, value, number(2)); };
    bool isComponent = kind == np::PartKind::real || kind == np::PartKind::imag;
    Value base = source.allocatedPtr(rewriter, loc);
    if (kind == np::PartKind::read_only) {
      Value bits = LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(), base);
      Value marked = LLVM::OrOp::create(rewriter, loc, bits, number(static_cast<int64_t>(readOnlyBit)));
      base = LLVM::IntToPtrOp::create(rewriter, loc, base.getType(), marked);
    }
    result.setAllocatedPtr(rewriter, loc, base);
    Value offset = source.offset(rewriter, loc), first = source.alignedPtr(rewriter, loc);
    auto type = cast<MemRefType>(op.getResult().getType());
    Type whole = cast<MemRefType>(op.getSource().getType()).getElementType();
    int64_t from = bytesOf(whole), to = bytesOf(type.getElementType());
    bool isView = kind == np::PartKind::view;
    // The bytes of a view begin at its first element, which need not be a whole number of new elements from the base.
    if (isView) {
      Value bytes = LLVM::MulOp::create(rewriter, loc, offset, number(from));
      first = LLVM::GEPOp::create(rewriter, loc, first.getType(), rewriter.getI8Type(), first, bytes);
      offset = number(0);
    }
    result.setAlignedPtr(rewriter, loc, first);
    if (isComponent)
      offset = twice(offset);
    if (kind == np::PartKind::imag)
      offset = LLVM::AddOp::create(rewriter, loc, offset, number(1));
    result.setOffset(rewriter, loc, offset);
    int64_t rank = type.getRank();
    for (int64_t axis = 0; axis < rank; ++axis) {
      Value stride = source.stride(rewriter, loc, axis);
      if (isComponent)
        stride = twice(stride);
      if (isView && from != to) {
        bool isLast = axis == rank - 1; // whose elements lie side by side
        stride = isLast      ? number(1)
                 : from > to ? LLVM::MulOp::create(rewriter, loc, stride, number(from / to)).getResult()
                             : LLVM::SDivOp::create(rewriter, loc, stride, number(to / from)).getResult();
      }
      if (kind == np::PartKind::diagonal && axis == rank - 1)
        stride = LLVM::AddOp::create(rewriter, loc, stride, source.stride(rewriter, loc, axis + 1));
      result.setSize(rewriter, loc, axis, adaptor.getExtents()[axis]);
      result.setStride(rewriter, loc, axis, stride);
    }
    rewriter.replaceOp(op, {result});
    return success();
  }
};

/// Asks for that mark.
struct IsReadOnlyPattern : ConvertOpToLLVMPattern<np::IsReadOnlyOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::IsReadOnlyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value base = MemRefDescriptor(adaptor.getArray()).allocatedPtr(rewriter, loc);
    Value number = LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(), base);
    Value zero = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(0));
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::slt, number, zero);
    return success();
  }
};

/// Each axis of more than one element has the stride of all elements of the axes behind it (in C order) or before it.
struct IsContiguousPattern : ConvertOpToLLVMPattern<np::IsContiguousOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(np::IsContiguousOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MemRefDescriptor array(adaptor.getArray());
    int64_t rank = cast<MemRefType>(op.getArray().getType()).getRank();
    auto number = [&](int64_t value) {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(value));
    };
    auto compare = [&](LLVM::ICmpPredicate predicate, Value left, Value right) -> Value {
      return LLVM::ICmpOp::create(rewriter, loc, predicate, left, right);
    };
    Value isContiguous = LLVM::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true)), expected = number(1);
    for (int64_t k = 0; k < rank; ++k) {
      int64_t axis = op.getOrder() == np::ElementOrder::C ? rank - 1 - k : k;
      Value extent = array.size(rewriter, loc, axis);
      Value fits = compare(LLVM::ICmpPredicate::eq, array.stride(rewriter, loc, axis), expected);
      fits = LLVM::OrOp::create(rewriter, loc, fits, compare(LLVM::ICmpPredicate::eq, extent, number(1)));
      isContiguous = LLVM::AndOp::create(rewriter, loc, isContiguous, fits);
      expected = LLVM::MulOp::create(rewriter, loc, expected, extent);
    }
    Value isEmpty = compare(LLVM::ICmpPredicate::eq, expected, number(0));
    rewriter.replaceOpWithNewOp<LLVM::OrOp>(op, isContiguous, isEmpty);
    return success();
  }
};
} // namespace

void npcc::populateViewPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<RebasePattern, PartPattern, IsReadOnlyPattern, IsContiguousPattern>(converter);
}
