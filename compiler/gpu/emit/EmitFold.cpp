// Kernels that are a fold in order: a block takes a line, a tile of 256 U positions of it at a time.
//
//   thread t computes the elements at t, 256 + t, ... of the tile, and leaves them in shared memory
//   thread 0 combines them, one after the other, and leaves the totals there
//   thread t does what is done with the totals at t, 256 + t, ...
//
// So one thread does what only one can do, from memory that is near, and all threads load, compute and store the rest.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

// What a block has of shared memory without asking, but for what others need.
constexpr int64_t mostSharedBytes = 40 * 1024;

class FoldEmitter : public BodyEmitter {
public:
  using BodyEmitter::BodyEmitter;
  gpu::LaunchOp launch;
  Value thread;

protected:
  void emitFold(np::FoldOp op, Lanes lanes) override {
    fold = op;
    // Every thread stores at positions of its own.
    llvm::SaveAndRestore<Value> all(leader, Value());
    Lane &lane = lanes.front();
    IndexMath m = math();
    Operation *elements = op.getElement().front().getTerminator();
    int64_t bytes = 0;
    for (Type type : elements->getOperandTypes())
      bytes += ElementLayout(getSharedType(type)).bytes;
    for (Type type : op.getResultTypes())
      bytes += op.isRunning() ? ElementLayout(getSharedType(type)).bytes : 0;
    int64_t unroll = chooseUnroll(op.getElement().front(), 1, 4);
    while (unroll > 1 && unroll * threadsPerBlock * bytes > mostSharedBytes)
      unroll /= 2;
    int64_t tile = unroll * threadsPerBlock;
    SmallVector<Value> given, totals, last;
    for (Type type : elements->getOperandTypes())
      given.push_back(allocate(type, tile));
    for (Type type : op.getResultTypes()) {
      last.push_back(allocate(type, 1));
      if (op.isRunning())
        totals.push_back(allocate(type, tile));
    }

    Value extent = lane.values.lookupOrDefault(op.getExtent());
    SmallVector<Value> inits;
    for (Value init : op.getInitial())
      inits.push_back(lane.values.lookupOrDefault(init));
    forget();
    auto loop = scf::ForOp::create(builder, loc, m.constant(0), extent, m.constant(tile), inits);
    {
      OpBuilder::InsertionGuard guard(builder);
      if (!loop.getBody()->empty())
        loop.getBody()->back().erase();
      builder.setInsertionPointToStart(loop.getBody());
      Value start = loop.getInductionVar(), count = m.min(m.constant(tile), m.sub(extent, start));
      SmallVector<Lane> copies = makeLanes(lane, start, extent, unroll);
      emitBlock(op.getElement().front(), copies);
      for (auto [number, copy] : llvm::enumerate(copies))
        for (auto [memory, element] : llvm::zip_equal(given, elements->getOperands()))
          store(copy.values.lookupOrDefault(element), memory, getPlace(number));
      gpu::BarrierOp::create(builder, loc);
      emitCombining(lane, given, totals, last, count, loop.getRegionIterArgs());
      gpu::BarrierOp::create(builder, loc);
      forget();
      if (op.isRunning())
        for (auto [number, copy] : llvm::enumerate(copies))
          emitEach(copy, number, start, extent, totals);
      SmallVector<Value> next;
      for (auto [memory, type] : llvm::zip_equal(last, op.getResultTypes()))
        next.push_back(load(memory, m.constant(0), type));
      scf::YieldOp::create(builder, loc, next);
    }
    forget();
    lane.values.map(op.getResults(), loop.getResults());
  }

private:
  Type getSharedType(Type type) {
    return type.isInteger(1) ? builder.getI8Type() : type.isIndex() ? Type(builder.getI64Type()) : type;
  }

  Value allocate(Type type, int64_t count) {
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
    return launch.addWorkgroupAttribution(
        MemRefType::get({count}, getSharedType(type), MemRefLayoutAttrInterface(), space), loc);
  }
  void store(Value value, Value memory, Value place) {
    if (value.getType().isInteger(1))
      value = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
    else if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    memref::StoreOp::create(builder, loc, value, memory, place);
  }
  Value load(Value memory, Value place, Type type) {
    Value value = memref::LoadOp::create(builder, loc, memory, place);
    if (type.isInteger(1))
      return arith::TruncIOp::create(builder, loc, type, value);
    return type.isIndex() ? arith::IndexCastOp::create(builder, loc, type, value).getResult() : value;
  }

  Value getPlace(int64_t number) { return math().add(thread, number * threadsPerBlock); }

  /// One lane for each of the thread's positions in the tile; beyond the line it is the last position again.
  SmallVector<Lane> makeLanes(Lane &lane, Value start, Value extent, int64_t count) {
    IndexMath m = math();
    SmallVector<Lane> lanes;
    for (int64_t number = 0; number < count; ++number) {
      lanes.push_back(lane);
      Value position = m.min(m.add(start, getPlace(number)), m.sub(extent, 1));
      for (Value name : {fold.getPosition(), fold.getEachPosition()})
        setPosition(lanes.back(), name, position, 0);
    }
    return lanes;
  }

  void emitCombining(Lane &lane, ArrayRef<Value> given, ArrayRef<Value> totals, ArrayRef<Value> last, Value count,
                     ValueRange before) {
    IndexMath m = math();
    Value isFirst = m.compare(arith::CmpIPredicate::eq, thread, m.constant(0));
    auto alone = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(alone.thenYield());
    // The elements of several positions are on their way while the totals of one are made.
    int64_t unroll = chooseUnroll(fold.getCombine().front(), 1, 8);
    SmallVector<Value> carried(before);
    Value whole = m.constant(0);
    if (unroll > 1) {
      whole = m.mul(m.div(count, m.constant(unroll)), unroll);
      carried = emitInOrder(lane, given, totals, m.constant(0), whole, unroll, carried);
    }
    carried = emitInOrder(lane, given, totals, whole, count, 1, carried);
    for (auto [memory, total] : llvm::zip_equal(last, carried))
      store(total, memory, m.constant(0));
  }

  /// The next totals. What the code uses of the kernel's is the lane's.
  SmallVector<Value> combine(Lane &lane, ValueRange before, ValueRange elements) {
    IRMapping mapping = lane.values;
    Block &block = fold.getCombine().front();
    mapping.map(block.getArguments().take_front(before.size()), before);
    mapping.map(block.getArguments().drop_front(before.size()), elements);
    for (Operation &op : block.without_terminator())
      builder.clone(op, mapping);
    SmallVector<Value> next;
    for (Value value : block.getTerminator()->getOperands())
      next.push_back(mapping.lookupOrDefault(value));
    return next;
  }

  SmallVector<Value> emitInOrder(Lane &lane, ArrayRef<Value> given, ArrayRef<Value> totals, Value from, Value to,
                                 int64_t unroll, ValueRange before) {
    IndexMath m = math();
    auto loop = scf::ForOp::create(builder, loc, from, to, m.constant(unroll), before);
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<SmallVector<Value>> elements(unroll), made;
    for (int64_t number = 0; number < unroll; ++number)
      for (auto [memory, type] : llvm::zip_equal(given, fold.getElement().front().getTerminator()->getOperandTypes()))
        elements[number].push_back(load(memory, m.add(loop.getInductionVar(), number), type));
    SmallVector<Value> next(loop.getRegionIterArgs());
    for (int64_t number = 0; number < unroll; ++number)
      made.push_back(next = combine(lane, next, elements[number]));
    for (int64_t number = 0; number < unroll; ++number)
      for (auto [memory, total] : llvm::zip(totals, made[number]))
        store(total, memory, m.add(loop.getInductionVar(), number));
    scf::YieldOp::create(builder, loc, next);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  void emitEach(Lane &lane, int64_t number, Value start, Value extent, ArrayRef<Value> totals) {
    IndexMath m = math();
    Value place = getPlace(number), isInside = m.compare(arith::CmpIPredicate::slt, m.add(start, place), extent);
    auto inside = scf::IfOp::create(builder, loc, isInside, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(inside.thenYield());
    forget();
    for (auto [memory, total] : llvm::zip_equal(totals, fold.getEach().getArguments().drop_front()))
      lane.values.map(total, load(memory, place, total.getType()));
    emitBlock(fold.getEach().front(), lane);
    forget();
  }

  np::FoldOp fold;
};

} // namespace

void emitFold(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  FoldEmitter body(host, builder, loc);
  IndexMath h = host.math();
  Value lines = h.product(kernel.getExtents()), one = h.constant(1);
  auto launch = beginLaunch(host, builder, {lines, one, one}, {h.constant(threadsPerBlock), one, one}, "fold");
  IndexMath m = body.math();
  body.launch = launch;
  body.thread = launch.getThreadIds().x;
  body.leader = m.compare(arith::CmpIPredicate::eq, body.thread, m.constant(0));
  Lane lane;
  SmallVector<Value> positions = m.unravel(launch.getBlockIds().x, kernel.getExtents());
  for (auto [name, position] : llvm::zip_equal(kernel.getInductionVars(), positions))
    body.setPosition(lane, name, position, 0);
  body.emitBlock(*kernel.getBody(), lane);
}

} // namespace npcc::cuda
