// Loads and stores of several lanes: addresses, vectors of neighbouring lanes, and what need not be loaded twice (see
// BodyEmitter.h).
#include "compiler/gpu/emit/BodyEmitter.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace npcc::cuda {

/// The type that a vector is moved as. LLVM takes vectors of small elements apart whose elements are used one by one
/// (VectorCombine), so these are moved as words.
static Type getMovedType(VectorType type) {
  int64_t bits = type.getElementTypeBitWidth(), all = bits * type.getNumElements();
  if (bits >= 32)
    return type;
  Type word = IntegerType::get(type.getContext(), std::min<int64_t>(all, 32));
  return all <= 32 ? word : VectorType::get({all / 32}, word);
}

/// The positions of all leaves, and a constant along each axis of the memref.
struct BodyEmitter::Point {
  const Stream *stream;
  unsigned id; // of the stream, or of one that is the same in another loop
  SmallVector<int64_t> constants;
  SmallVector<std::pair<Value, Value>> leaves; // leaf in the kernel's IR, its base in the thread
  SmallVector<int64_t> numbers;                // of the bases

  SmallVector<int64_t> getKey() const {
    SmallVector<int64_t> key{int64_t(id)};
    llvm::append_range(key, numbers);
    llvm::append_range(key, constants);
    return key;
  }
};

/// Whether everything that the position is computed from is known already.
bool BodyEmitter::hasPoint(const KernelAccess &access, Lane &lane) {
  for (auto &terms : access.stream->terms)
    for (const Term &term : terms)
      if (!isInvariant(term.leaf, host.getKernel()) && !lane.values.contains(term.leaf))
        return false;
  return true;
}

BodyEmitter::Point BodyEmitter::getPoint(const KernelAccess &access, Lane &lane) {
  auto same = sameStreams.find(access.stream);
  Point point{access.stream, same == sameStreams.end() ? access.stream->id : same->second, access.constants, {}, {}};
  for (auto [axis, terms] : llvm::enumerate(access.stream->terms))
    for (const Term &term : terms) {
      if (isInvariant(term.leaf, host.getKernel()))
        continue;
      auto position = lane.positions.find(term.leaf);
      bool isShared = position != lane.positions.end() && (!term.scale || (term.isSwitch() && vector.aligned));
      if (isShared)
        point.constants[axis] += term.factor * position->second.second;
      Value base = isShared ? position->second.first : lane.values.lookup(term.leaf);
      if (!llvm::is_contained(llvm::make_first_range(point.leaves), term.leaf)) {
        point.leaves.push_back({term.leaf, base});
        point.numbers.push_back(getNumber(base));
      }
    }
  if (vector.row && vector.covers(*access.stream)) {
    int64_t axis = vector.getUnitAxis(*access.stream);
    point.constants[axis] = vector.getConstant(axis, point.constants);
    point.constants[axis - 1] = 0;
  }
  return point;
}

Value BodyEmitter::emitAddress(const Point &point) {
  const Stream &stream = *point.stream;
  ElementLayout layout(stream.getType().getElementType());
  IndexMath m = math();
  bool isVector = vector.covers(stream);
  int64_t unitAxis = isVector ? vector.getUnitAxis(stream) : -1;
  // First what changes least (rows), last the position along the vector and the constants, which end in the
  // instruction.
  Value offset, along;
  int64_t constant = 0;
  auto addOffset = [&](Value addend) { offset = offset ? m.add(offset, addend) : addend; };
  for (auto [leaf, base] : point.leaves) {
    if (isVector && leaf == vector.position)
      along = base;
    else
      addOffset(m.mul(base, host.getLeafStride(stream, leaf)));
  }
  for (auto [axis, value] : llvm::enumerate(point.constants)) {
    bool isUnit = int64_t(axis) == unitAxis || (int64_t(axis) + 1 == stream.getRank() && stream.isStaticallyUnit());
    if (isUnit)
      constant += value;
    else if (value)
      addOffset(m.mul(host.getStride(stream, axis), value));
  }
  if (along)
    addOffset(along);
  Type pointerType = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  Value pointer = host.getPointer(stream);
  Type element = layout.component.isIndex() ? builder.getI64Type() : layout.component;
  if (offset) {
    Value bits = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), m.mul(offset, layout.components));
    pointer = LLVM::GEPOp::create(builder, loc, pointerType, element, pointer, ValueRange{bits});
  }
  if (constant)
    pointer = LLVM::GEPOp::create(builder, loc, pointerType, element, pointer,
                                  ArrayRef<LLVM::GEPArg>{int32_t(constant * layout.components)});
  return pointer;
}

Value BodyEmitter::emitScalarLoad(const Point &point) {
  ElementLayout layout(point.stream->getType().getElementType());
  Value pointer = emitAddress(point);
  Type type = layout.component.isIndex() ? builder.getI64Type() : layout.component;
  unsigned alignment = layout.bytes / layout.components;
  Value first = LLVM::LoadOp::create(builder, loc, type, pointer, alignment);
  if (layout.components == 1)
    return layout.component.isIndex()
               ? arith::IndexCastOp::create(builder, loc, builder.getIndexType(), first).getResult()
               : first;
  Value next = LLVM::GEPOp::create(builder, loc, pointer.getType(), type, pointer, ArrayRef<LLVM::GEPArg>{1});
  Value second = LLVM::LoadOp::create(builder, loc, type, next, alignment);
  return complex::CreateOp::create(builder, loc, point.stream->getType().getElementType(), first, second);
}

Value BodyEmitter::emitScalarLoad(const KernelAccess &access, Lane &lane) {
  return emitScalarLoad(getPoint(access, lane));
}

void BodyEmitter::emitScalarStore(const Point &point, Value value) {
  ElementLayout layout(point.stream->getType().getElementType());
  Value pointer = emitAddress(point);
  unsigned alignment = layout.bytes / layout.components;
  if (layout.component.isIndex())
    value = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
  if (layout.components == 1) {
    LLVM::StoreOp::create(builder, loc, value, pointer, alignment);
    return;
  }
  Value next =
      LLVM::GEPOp::create(builder, loc, pointer.getType(), layout.component, pointer, ArrayRef<LLVM::GEPArg>{1});
  LLVM::StoreOp::create(builder, loc, complex::ReOp::create(builder, loc, value), pointer, alignment);
  LLVM::StoreOp::create(builder, loc, complex::ImOp::create(builder, loc, value), next, alignment);
}

/// The operation that the code at hand runs after this one, into branches and out of branches whose tests are assumed;
/// null where that is not known.
Operation *BodyEmitter::getNext(Operation *op) {
  auto getTaken = [&](Operation *branch) -> Region * {
    auto choice = dyn_cast<scf::IfOp>(branch);
    auto known = choice ? assumed.find(choice.getCondition().getDefiningOp()) : assumed.end();
    if (known == assumed.end())
      return nullptr;
    return known->second ? &choice.getThenRegion() : &choice.getElseRegion();
  };
  if (Region *taken = getTaken(op); taken && !taken->empty())
    return &taken->front().front();
  while (!op->getNextNode()) {
    op = op->getParentOp();
    if (!op || !getTaken(op))
      return nullptr;
  }
  return op->getNextNode();
}

/// Loads what this load and the later ones that run in any case need of the same stream, for all lanes, as far as
/// nothing is written between.
void BodyEmitter::loadAhead(memref::LoadOp op, Lanes lanes) {
  const Stream *stream = accesses.lookup(op).stream;
  std::map<SmallVector<int64_t>, Point> wanted;
  for (Operation *next = op; next && !mayWrite(next); next = getNext(next)) {
    auto load = dyn_cast<memref::LoadOp>(next);
    bool isOfTeam = load && load.getMemRefType().getMemorySpace(); // emitters that have teams load it
    if (!load || isOfTeam || accesses.lookup(load).stream != stream)
      continue;
    for (Lane &lane : lanes)
      if (hasPoint(accesses.lookup(load), lane)) {
        Point point = getPoint(accesses.lookup(load), lane);
        SmallVector<int64_t> key = point.getKey();
        if (!loaded.count(key))
          wanted.insert({key, point});
      }
  }
  ElementLayout layout(stream->getType().getElementType());
  bool isVector = vector.covers(*stream) && vector.width * layout.components > 1 && !layout.component.isIndex();
  VectorType vectorType =
      isVector ? VectorType::get({vector.width * layout.components}, layout.component) : VectorType();
  for (auto &[key, point] : wanted) {
    if (loaded.count(key))
      continue;
    // The last constant is the one along the unit axis. Does a whole aligned vector begin here?
    bool isWhole = isVector && (key.back() - vector.frame) % vector.width == 0;
    auto neighbour = key;
    for (int64_t element = 0; isWhole && element < vector.width; ++element, ++neighbour.back())
      isWhole = wanted.count(neighbour) != 0;
    if (!isWhole) {
      // The head of a whole vector may come later in the order, so only what no vector holds is loaded alone.
      auto head = key;
      bool isInside = false;
      if (isVector) {
        int64_t distance = ((key.back() - vector.frame) % vector.width + vector.width) % vector.width;
        head.back() -= distance;
        isInside = true;
        for (int64_t element = 0; isInside && element < vector.width; ++element, ++head.back())
          isInside = wanted.count(head) != 0;
      }
      if (!isInside)
        loaded[key] = emitScalarLoad(point);
      continue;
    }
    Type moved = getMovedType(vectorType);
    Value whole = LLVM::LoadOp::create(builder, loc, moved, emitAddress(point), layout.bytes * vector.width);
    if (moved != vectorType)
      whole = LLVM::BitcastOp::create(builder, loc, vectorType, whole);
    neighbour = key;
    ValueRange elements = vector::ToElementsOp::create(builder, loc, whole).getElements();
    for (int64_t element = 0; element < vector.width; ++element, ++neighbour.back()) {
      Value value = elements[element * layout.components];
      if (layout.components == 2)
        value = complex::CreateOp::create(builder, loc, stream->getType().getElementType(), value,
                                          elements[element * 2 + 1]);
      loaded[neighbour] = value;
    }
  }
}

void BodyEmitter::emitLoad(memref::LoadOp op, Lanes lanes) {
  const KernelAccess &access = accesses.lookup(op);
  for (Lane &lane : lanes)
    if (!loaded.count(getPoint(access, lane).getKey())) {
      loadAhead(op, lanes);
      break;
    }
  for (Lane &lane : lanes)
    lane.values.map(op.getResult(), loaded.at(getPoint(access, lane).getKey()));
}

void BodyEmitter::emitStore(memref::StoreOp op, Lanes lanes) {
  const KernelAccess &access = accesses.lookup(op);
  ElementLayout layout(access.stream->getType().getElementType());
  std::map<SmallVector<int64_t>, std::pair<Point, Value>> values;
  OpBuilder::InsertionGuard guard(builder);
  if (leader) {
    auto guarded = scf::IfOp::create(builder, loc, leader, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(guarded.thenBlock());
  }
  for (Lane &lane : lanes) {
    Point point = getPoint(access, lane);
    values.insert({point.getKey(), {point, lane.values.lookupOrDefault(op.getValueToStore())}});
  }
  bool isVector = vector.covers(*access.stream) && vector.width * layout.components > 1 && !layout.component.isIndex();
  for (auto entry = values.begin(); entry != values.end(); ++entry) {
    auto &[key, pointAndValue] = *entry;
    bool isWhole = isVector && (key.back() - vector.frame) % vector.width == 0;
    SmallVector<Value> components;
    auto neighbour = key;
    for (int64_t element = 0; isWhole && element < vector.width; ++element, ++neighbour.back()) {
      auto found = values.find(neighbour);
      if (found == values.end()) {
        isWhole = false;
        break;
      }
      Value value = found->second.second;
      if (layout.components == 2) {
        components.push_back(complex::ReOp::create(builder, loc, value));
        components.push_back(complex::ImOp::create(builder, loc, value));
      } else {
        components.push_back(value);
      }
    }
    if (!isWhole) {
      emitScalarStore(pointAndValue.first, pointAndValue.second);
      continue;
    }
    auto type = VectorType::get({int64_t(components.size())}, layout.component);
    Value whole = vector::FromElementsOp::create(builder, loc, type, components);
    if (Type moved = getMovedType(type); moved != type)
      whole = LLVM::BitcastOp::create(builder, loc, moved, whole);
    LLVM::StoreOp::create(builder, loc, whole, emitAddress(pointAndValue.first), layout.bytes * vector.width);
    // Keys are in order and the constant along the unit axis is last, so the rest of the vector follows.
    std::advance(entry, vector.width - 1);
  }
  loaded.clear();
}

void BodyEmitter::setStored(memref::StoreOp op, Lanes lanes) {
  for (Lane &lane : lanes)
    loaded[getPoint(accesses.lookup(op), lane).getKey()] = lane.values.lookupOrDefault(op.getValueToStore());
}

static LLVM::AtomicBinOp getAtomicOperation(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addi:
    return LLVM::AtomicBinOp::add;
  case arith::AtomicRMWKind::andi:
    return LLVM::AtomicBinOp::_and;
  case arith::AtomicRMWKind::ori:
    return LLVM::AtomicBinOp::_or;
  case arith::AtomicRMWKind::maxs:
    return LLVM::AtomicBinOp::max;
  case arith::AtomicRMWKind::mins:
    return LLVM::AtomicBinOp::min;
  case arith::AtomicRMWKind::maxu:
    return LLVM::AtomicBinOp::umax;
  case arith::AtomicRMWKind::minu:
    return LLVM::AtomicBinOp::umin;
  default:
    llvm_unreachable("the loop form has no other updates");
  }
}

void BodyEmitter::emitUpdate(memref::AtomicRMWOp op, Lanes lanes) {
  const KernelAccess &access = accesses.lookup(op);
  for (Lane &lane : lanes) {
    Value address = emitAddress(getPoint(access, lane)), value = lane.values.lookupOrDefault(op.getValue());
    LLVM::AtomicRMWOp::create(builder, loc, getAtomicOperation(op.getKind()), address, value,
                              LLVM::AtomicOrdering::monotonic, "device");
  }
  loaded.clear();
}

} // namespace npcc::cuda
