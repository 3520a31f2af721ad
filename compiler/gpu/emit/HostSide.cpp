
#include "compiler/gpu/emit/HostSide.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/memory/IntegerRanges.h"
#include "dialects/Np/Choice.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace npcc::cuda {

ElementLayout::ElementLayout(Type type) {
  components = 1;
  component = type;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    component = complex.getElementType();
    components = 2;
  }
  int64_t bits = component.isIndex() ? 64 : component.getIntOrFloatBitWidth();
  bytes = components * ((bits + 7) / 8);
}

Value emitFirstPointer(OpBuilder &host, Location loc, Value memref) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(host, loc, memref);
  Value bits = arith::IndexCastOp::create(host, loc, host.getI64Type(), address);
  return LLVM::IntToPtrOp::create(host, loc, LLVM::LLVMPointerType::get(host.getContext(), 1), bits);
}

HostSide::HostSide(Operation *kernel, KernelAccesses &accesses)
    : kernel(kernel), accesses(accesses), builder(kernel), loc(kernel->getLoc()) {}

/// A value before the kernel that is the extent: preferably one that others use.
Value HostSide::findExtent(Value memref, int64_t axis) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(axis))
    return math().constant(type.getDimSize(axis));
  if (Value given = getAllocatedExtent(memref, axis))
    return given;
  for (Operation *user : memref.getUsers())
    if (auto dim = dyn_cast<memref::DimOp>(user); dim && dim.getConstantIndex() == axis) {
      if (isBeforeInsertion(dim))
        return dim;
    }
  auto dim = memref::DimOp::create(builder, loc, memref, axis);
  made.insert(dim);
  return dim;
}

/// Whether an operation of the host stands before what is made next.
bool HostSide::isBeforeInsertion(Operation *op) {
  Block *block = builder.getInsertionBlock();
  if (op->getBlock() != block) {
    Operation *here = op->getBlock()->findAncestorOpInBlock(*block->getParentOp());
    return here && op->isBeforeInBlock(here);
  }
  // What is made for this kernel is made behind all that was there before the kernel. To compare with the kernel costs
  // nothing; to compare with an operation that is new has the whole block numbered again, for each kernel in it.
  if (kernel->getBlock() == block && !made.contains(op))
    return op->isBeforeInBlock(kernel);
  return builder.getInsertionPoint() == block->end() || op->isBeforeInBlock(&*builder.getInsertionPoint());
}

HostSide::Root &HostSide::getRoot(Value memref) {
  Root &root = roots[memref];
  if (root.address)
    return root;
  auto type = cast<MemRefType>(memref.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  IndexMath m = math();
  root.address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  if (type.getLayout().isIdentity()) {
    // Strides are products of extents, and extents the values that loops have as bounds: so what follows from them
    // folds.
    root.extents.resize(type.getRank());
    root.strides.resize(type.getRank());
    Value stride = m.constant(1);
    for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
      root.strides[axis] = stride;
      root.extents[axis] = findExtent(memref, axis);
      stride = m.mul(stride, root.extents[axis]);
    }
    return root;
  }
  // Extents and strides that the type says are constants; the others come from the descriptor.
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    root.extents.push_back(type.isDynamicDim(axis) ? Value(metadata.getSizes()[axis])
                                                   : m.constant(type.getDimSize(axis)));
    root.strides.push_back(ShapedType::isDynamic(strides[axis]) ? Value(metadata.getStrides()[axis])
                                                                : m.constant(strides[axis]));
  }
  Value start = ShapedType::isDynamic(offset) ? Value(metadata.getOffset()) : m.constant(offset);
  root.address = m.add(root.address, m.mul(start, ElementLayout(type.getElementType()).bytes));
  return root;
}

Value HostSide::choose(StringRef what, Value value) {
  if (getConstantIntValue(value))
    return value;
  // What is the same for all extents is no alternative.
  if (std::optional<bool> known = decideByRanges(value))
    return math().truth(*known);
  Value choice = np::ChoiceOp::create(builder, loc, what, value);
  IntegerAttr known = FirstCall(kernel->getParentOfType<func::FuncOp>()).evaluate(value);
  return known ? arith::ConstantOp::create(builder, loc, known).getResult() : choice;
}

bool HostSide::holdsInFirstCall(StringRef what, Value condition) {
  if (std::optional<bool> known = decideByRanges(condition))
    return *known;
  IntegerAttr value = FirstCall(kernel->getParentOfType<func::FuncOp>()).evaluate(condition);
  if (!value || value.getValue().isZero())
    return false;
  // npcc-plan-alternatives makes it a condition of the calls that run this code.
  np::ChoiceOp::create(builder, loc, what, condition);
  return true;
}

Value HostSide::getStride(const Stream &stream, int64_t axis) { return getRoot(stream.memref).strides[axis]; }
Value HostSide::getExtent(Value memref, int64_t axis) { return getRoot(memref).extents[axis]; }

Value HostSide::getAddress(const Stream &stream) {
  Value &address = addresses[stream.id];
  if (address)
    return address;
  IndexMath m = math();
  Root &root = getRoot(stream.memref);
  address = root.address;
  int64_t bytes = ElementLayout(stream.getType().getElementType()).bytes;
  for (auto [axis, terms] : llvm::enumerate(stream.terms))
    for (const Term &term : terms)
      if (isInvariant(term.leaf, kernel)) {
        Value moved = m.mul(m.mul(term.leaf, term.factor * bytes), root.strides[axis]);
        address = m.add(address, term.scale ? m.mul(moved, getScale(term)) : moved);
      }
  return address;
}

Value HostSide::getPointer(const Stream &stream) {
  Value &pointer = pointers[stream.id];
  if (!pointer) {
    Value bits = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), getAddress(stream));
    pointer = LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 1), bits);
  }
  return pointer;
}

Value HostSide::getScale(const Term &term) {
  IndexMath m = math();
  if (!term.isSwitch())
    return term.scale;
  bool isTrue = term.kind == Term::OneIfTrue;
  return m.select(term.scale, m.constant(isTrue), m.constant(!isTrue));
}

Value HostSide::getLeafStride(const Stream &stream, Value leaf) {
  Value &stride = leafStrides[{stream.id, leaf.getAsOpaquePointer()}];
  if (stride)
    return stride;
  IndexMath m = math();
  Value sum;
  for (auto [axis, terms] : llvm::enumerate(stream.terms))
    for (const Term &term : terms)
      if (term.leaf == leaf) {
        Value moved = m.mul(getStride(stream, axis), term.factor);
        moved = term.scale ? m.mul(moved, getScale(term)) : moved;
        sum = sum ? m.add(sum, moved) : moved;
      }
  return stride = sum;
}

int64_t VectorMode::getUnitAxis(const Stream &stream) const {
  int64_t axis = stream.getUnitAxis(position);
  if (!row || axis < 0)
    return axis;
  // Nothing but the row moves along the axis before, nothing but the position along this one, and neither elsewhere.
  Operation *kernel = cast<BlockArgument>(row).getOwner()->getParentOp();
  auto isAlone = [&](ArrayRef<Term> terms, Value leaf) {
    unsigned count = 0;
    for (const Term &term : terms) {
      bool isOne = term.leaf == leaf && term.factor == 1 && (!term.scale || term.isSwitch());
      if (!isOne && !isInvariant(term.leaf, kernel))
        return false;
      count += isOne;
    }
    return count == 1;
  };
  if (axis == 0 || !isAlone(stream.terms[axis], position) || !isAlone(stream.terms[axis - 1], row))
    return -1;
  bool isElsewhere = llvm::any_of(ArrayRef(stream.terms).take_front(axis - 1), [&](ArrayRef<Term> terms) {
    return llvm::any_of(terms, [&](const Term &term) { return term.leaf == row; });
  });
  return isElsewhere ? -1 : axis;
}

int64_t VectorMode::getConstant(int64_t unitAxis, ArrayRef<int64_t> constants) const {
  return constants[unitAxis] + (row ? length * constants[unitAxis - 1] : 0);
}

static VectorMode chooseVector(KernelAccesses &accesses, Operation *loop, VectorMode mode, int64_t maxWidth) {
  int64_t widest = 0;
  const KernelAccess *frame = nullptr;
  for (Operation *op : accesses.getOps()) {
    const KernelAccess &access = accesses.lookup(op);
    if (!loop->isProperAncestor(op) || mode.getUnitAxis(*access.stream) < 0)
      continue;
    widest = std::max(widest, ElementLayout(access.stream->getType().getElementType()).bytes);
    if (!frame || (access.isStore && !frame->isStore))
      frame = &access;
  }
  if (!frame)
    return VectorMode();
  mode.width = std::max<int64_t>(1, std::min<int64_t>(maxWidth, 16 / widest));
  mode.frame = mode.getConstant(mode.getUnitAxis(*frame->stream), frame->constants);
  return mode;
}

VectorMode chooseVector(KernelAccesses &accesses, Operation *loop, Value position, int64_t maxWidth) {
  VectorMode mode;
  mode.position = position;
  return chooseVector(accesses, loop, mode, maxWidth);
}

VectorMode chooseVectorOfRows(KernelAccesses &accesses, Operation *loop, Value row, Value position, int64_t length,
                              int64_t maxWidth) {
  VectorMode mode;
  mode.position = position;
  mode.row = row;
  mode.length = length;
  return chooseVector(accesses, loop, mode, maxWidth);
}

static const KernelAccess *findFrame(HostSide &host, const VectorMode &mode) {
  const KernelAccess *frame = nullptr;
  for (Operation *op : host.getAccesses().getOps()) {
    const KernelAccess &access = host.getAccesses().lookup(op);
    if (access.stream->getUnitAxis(mode.position) >= 0 && (!frame || (access.isStore && !frame->isStore)))
      frame = &access;
  }
  return frame;
}

Value emitShift(HostSide &host, const VectorMode &mode) {
  IndexMath m = host.math();
  const KernelAccess *frame = findFrame(host, mode);
  int64_t bytes = ElementLayout(frame->stream->getType().getElementType()).bytes;
  Value element = m.add(m.div(host.getAddress(*frame->stream), m.constant(bytes)), mode.frame);
  return m.bitAnd(element, m.constant(mode.width - 1));
}

Value emitAlignmentTest(HostSide &host, const VectorMode &mode, Value shift, function_ref<Value(Value)> getExtentOf) {
  IndexMath m = host.math();
  Value result = m.truth(true), one = m.constant(1);
  for (const Stream &stream : host.getAccesses().getStreams()) {
    for (auto &terms : stream.terms)
      for (const Term &term : terms)
        if (term.isSwitch())
          result = m.both(result, term.kind == Term::OneIfTrue
                                      ? term.scale
                                      : m.compare(arith::CmpIPredicate::eq, term.scale, m.truth(false)));
    int64_t unitAxis = mode.getUnitAxis(stream);
    if (unitAxis < 0)
      continue;
    ElementLayout layout(stream.getType().getElementType());
    int64_t alignment = layout.bytes * mode.width;
    Value start = m.add(host.getAddress(stream), mode.frame * layout.bytes);
    if (shift)
      start = m.sub(start, m.mul(shift, layout.bytes));
    result = m.both(result, m.isMultiple(start, alignment));
    if (!stream.isStaticallyUnit())
      result = m.both(result, m.compare(arith::CmpIPredicate::eq, host.getStride(stream, unitAxis), one));
    if (mode.width == 1)
      continue;
    // What else moves along the unit axis (blocks of it, a window over it) must move by whole vectors.
    for (const Term &term : stream.terms[unitAxis]) {
      if (term.leaf == mode.position || isInvariant(term.leaf, host.getKernel()))
        continue;
      Value step = term.scale ? m.mul(host.getScale(term), term.factor) : m.constant(term.factor);
      result = m.both(result, m.isMultiple(step, mode.width));
    }
    if (mode.row)
      result = m.both(
          result, m.compare(arith::CmpIPredicate::eq, host.getStride(stream, unitAxis - 1), m.constant(mode.length)));
    for (int64_t axis = 0; axis < unitAxis - (mode.row ? 1 : 0); ++axis) {
      bool hasConstants = llvm::any_of(host.getAccesses().getOps(), [&](Operation *op) {
        const KernelAccess &access = host.getAccesses().lookup(op);
        return access.stream == &stream && access.constants[axis] != 0;
      });
      // An axis along which nothing moves keeps every alignment.
      Value moves = hasConstants ? m.truth(true) : m.truth(false);
      for (const Term &term : stream.terms[axis]) {
        if (isInvariant(term.leaf, host.getKernel()))
          continue;
        Value extent = getExtentOf(term.leaf);
        moves = m.either(moves, extent ? m.compare(arith::CmpIPredicate::ne, extent, one) : m.truth(true));
      }
      Value keeps = m.isMultiple(host.getStride(stream, axis), mode.width);
      Value fixed = m.compare(arith::CmpIPredicate::eq, moves, m.truth(false));
      result = m.both(result, m.either(keeps, fixed));
    }
  }
  return result;
}

} // namespace npcc::cuda
