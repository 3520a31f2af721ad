// npcc-reserve-lists: a list that grows by the same in each iteration of a loop gets room for all of it before.
//
//   scf.for %i = 0 to %n iter_args(%x = %empty) {             %x = np.empty(%n)
//     %y = np.make_room %x[%i] rows %i + 1              ->    scf.for %i = 0 to %n {
//     np.store %item, %y[%i]                                    np.store %item, %x[%i]
//     scf.yield %y }                                          }
//
// A loop without branches and without an array that may be another one in the next iteration can become a kernel, or
// run inside one. How many rows a loop needs is known if the position of the loop alone decides it and if it gets no
// less from iteration to iteration (npcc-count-iterations computes lengths from positions), and if the rows are as long
// in all iterations: their extents are computed before the loop of what it does not change. Loops inside others come
// first.
//
// Where both sides of a branch append one item each, room for it is made before the branch (CommonRooms.h).
//
// Any other list doubles when it is full, in a branch:
//
//   %y = np.make_room %x[%k] rows %k + 1       ->       %y = scf.if np.dim(%x, 0) < %k + 1 { a copy } else { %x }
#include "compiler/memory/Counts.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/PositionSums.h"
#include "compiler/np/Canonicalizer.h"
#include "compiler/np/CommonRooms.h"
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

namespace npcc {
#define GEN_PASS_DEF_RESERVELISTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
constexpr int64_t fewestRows = 16; // of an array that is made while the list grows

Value makeIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// The lists that one loop makes longer.
class GrowingLists {
public:
  GrowingLists(scf::ForOp loop, ExtentOrigins &origins) : loop(loop), origins(origins) {}

  void reserve() {
    for (unsigned k = 0; k < loop.getNumRegionIterArgs(); ++k)
      if (isa<ArrayType>(loop.getRegionIterArg(k).getType()))
        reserve(k);
  }

private:
  void reserve(unsigned k) {
    SmallVector<MakeRoomOp> rooms;
    Value inside = loop.getRegionIterArg(k), now = loop.getYieldedValues()[k];
    for (auto room = now.getDefiningOp<MakeRoomOp>(); room && room->getBlock() == loop.getBody();
         room = now.getDefiningOp<MakeRoomOp>()) {
      rooms.push_back(room);
      now = room.getArray();
    }
    if (rooms.empty() || now != inside)
      return;
    SmallVector<Value> extents;
    if (!getExtents(rooms, extents) ||
        !llvm::all_of(rooms, [&](MakeRoomOp room) { return grows(room.getRows()); }) || !grows(rooms.back().getLength()))
      return;
    if (!startsWhereItEnded(rooms.back().getLength(), rooms.front().getRows()) && isRead(inside))
      return;

    OpBuilder builder(loop);
    Location loc = rooms.back().getLoc();
    Value init = loop.getInitArgs()[k], lower = loop.getLowerBound(), upper = loop.getUpperBound();
    Value one = makeIndex(builder, loc, 1);
    Value last = arith::SubIOp::create(builder, loc, upper, one); // not before it, where the step is more than 1
    Value length = copy(rooms.back().getLength(), lower, builder), rows = length;
    for (MakeRoomOp room : rooms)
      rows = arith::MaxSIOp::create(builder, loc, rows, copy(room.getRows(), last, builder));
    checkRows(builder, loc, init, length, extents);
    // One that has items already may be in a loop itself, which would copy it for each run of this one.
    bool exactly = matchPattern(length, m_Zero());
    Value all = MakeRoomOp::create(builder, loc, inside.getType(), exactly, init, length, rows, extents);
    loop.getInitArgsMutable()[k].set(all);
    loop.getResult(k).replaceAllUsesWith(all);
    loop.getBody()->getTerminator()->setOperand(k, inside);
    takeExtents(inside, rooms.back().getExtents());
    for (MakeRoomOp room : rooms) {
      room.replaceAllUsesWith(inside);
      room.erase();
    }
  }

  /// The extents of a row as values from before the loop. False if they are not known there, or differ.
  bool getExtents(SmallVectorImpl<MakeRoomOp> &rooms, SmallVectorImpl<Value> &extents) {
    OpBuilder builder(loop);
    for (unsigned axis = 0; axis < rooms.front().getExtents().size(); ++axis) {
      ExtentOrigin origin = origins.ofIndex(rooms.front().getExtents()[axis]);
      if (llvm::any_of(rooms, [&](MakeRoomOp room) { return !(origins.ofIndex(room.getExtents()[axis]) == origin); }))
        return false;
      extents.push_back(getBefore(rooms.front().getExtents()[axis], builder));
      if (!extents.back())
        return false;
    }
    return true;
  }

  /// The same number before the loop: what the loop does not change, and what is computed from such numbers. Where two
  /// extents do not agree, the first iteration fails, and the number is never asked for. Null if the loop changes it.
  Value getBefore(Value extent, OpBuilder &builder) {
    if (extent.getType().isIndex()) {
      ExtentOrigin origin = origins.ofIndex(extent);
      if (origin.constant >= 0 || loop.isDefinedOutsideOfLoop(origin.value))
        return materializeExtent(builder, extent.getLoc(), origin);
    } else if (loop.isDefinedOutsideOfLoop(extent)) {
      return extent;
    }
    Operation *op = extent.getDefiningOp();
    auto agreed = dyn_cast_if_present<BroadcastExtentOp>(op);
    if (!op || !(agreed || isArithmetic(op)))
      return Value();
    SmallVector<Value> operands(op->getOperands());
    if (agreed)
      operands = {agreed.getLhs(), agreed.getRhs()};
    IRMapping mapping;
    for (Value operand : operands) {
      Value before = getBefore(operand, builder);
      if (!before)
        return Value();
      mapping.map(operand, before);
    }
    if (!agreed)
      return builder.clone(*op, mapping)->getResult(0);
    Location loc = op->getLoc();
    Value lhs = mapping.lookup(agreed.getLhs()), rhs = mapping.lookup(agreed.getRhs());
    if (!agreed.isMutual())
      return rhs;
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs, makeIndex(builder, loc, 1));
    return arith::SelectOp::create(builder, loc, isOne, rhs, lhs);
  }

  /// Inside the loop, the rows of the list are as long as the next one will be.
  void takeExtents(Value array, ValueRange extents) {
    for (OpOperand &use : llvm::make_early_inc_range(array.getUses())) {
      auto dim = dyn_cast<DimOp>(use.getOwner());
      if (!dim || dim.getAxis() == 0 || !loop->isProperAncestor(dim))
        continue;
      Value extent = extents[dim.getAxis() - 1];
      Operation *maker = extent.getDefiningOp(), *there = loop.getBody()->findAncestorOpInBlock(*dim);
      if (!maker || maker->getBlock() != loop.getBody() || maker->isBeforeInBlock(there))
        dim.replaceAllUsesWith(extent);
    }
  }

  /// The rows that the list has already are as long as those that come.
  static void checkRows(OpBuilder &builder, Location loc, Value array, Value length, ValueRange extents) {
    if (matchPattern(length, m_Zero()))
      return;
    Value isEmpty =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, length, makeIndex(builder, loc, 0));
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      Value mine = getExtent(builder, loc, array, axis + 1);
      Value isEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, extent, mine);
      AssertOp::create(builder, loc, arith::OrIOp::create(builder, loc, isEmpty, isEqual), "ValueError",
                       "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
                       "1 dimensions.",
                       ValueRange());
    }
  }

  /// Whether the value is a position in the loop, or numbers that do not change and such positions, and gets no less
  /// from iteration to iteration.
  bool grows(Value value) {
    if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (isa<arith::AddIOp>(op))
      return grows(op->getOperand(0)) && grows(op->getOperand(1));
    if (isa<arith::SubIOp>(op))
      return grows(op->getOperand(0)) && loop.isDefinedOutsideOfLoop(op->getOperand(1));
    if (isa<arith::IndexCastOp>(op))
      return grows(op->getOperand(0));
    if (isa<arith::MulIOp>(op))
      return (grows(op->getOperand(0)) && isSameCount(op->getOperand(1))) ||
             (isSameCount(op->getOperand(0)) && grows(op->getOperand(1)));
    if (isa<arith::DivUIOp, arith::DivSIOp>(op)) { // how many steps a position is from where the loop began
      APInt divisor;
      return grows(op->getOperand(0)) && matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) &&
             divisor.isStrictlyPositive();
    }
    return false;
  }

  /// Whether each iteration finds the list as long as the one before has left it: `length` is what the first
  /// room adds to, `rows` what there is behind the last one. Else the loop takes items out of the list, too, and the
  /// room does not tell how many there were.
  bool startsWhereItEnded(Value length, Value rows) {
    if (length == rows)
      return true;
    OpBuilder builder(loop);
    Location loc = length.getLoc();
    Value now = loop.getInductionVar();
    builder.setInsertionPointToStart(loop.getBody());
    Value next = arith::AddIOp::create(builder, loc, now, loop.getStep());
    std::optional<PositionSum> difference = getDifference(copy(length, next, builder), copy(rows, now, builder));
    return difference && difference->constant == 0 && difference->factors.empty();
  }

  /// Whether the loop looks at more of a list than at its extents, before it makes it longer.
  static bool isRead(Value list) {
    return llvm::any_of(list.getUsers(), [](Operation *user) { return !isa<DimOp, MakeRoomOp>(user); });
  }

  bool isSameCount(Value value) { return loop.isDefinedOutsideOfLoop(value) && isCount(value); }

  /// What the value is where the loop is at `position`.
  Value copy(Value value, Value position, OpBuilder &builder) {
    if (value == loop.getInductionVar())
      return position;
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    Operation *op = value.getDefiningOp();
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, copy(operand, position, builder));
    return builder.clone(*op, mapping)->getResult(0);
  }

  scf::ForOp loop;
  ExtentOrigins &origins;
};

/// A copy of the rows that there are, where there is no room.
void expand(MakeRoomOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value array = op.getArray(), length = op.getLength(), rows = op.getRows();
  ValueRange extents = op.getExtents();
  Value capacity = getExtent(builder, loc, array, 0);
  Value isFull = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, capacity, rows);
  for (auto [axis, extent] : llvm::enumerate(extents)) { // only a list without items has others
    Value mine = getExtent(builder, loc, array, axis + 1);
    Value differs = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, mine, extent);
    isFull = arith::OrIOp::create(builder, loc, isFull, differs);
  }
  auto make = [&](Value count) {
    SmallVector<Value> shape{count};
    llvm::append_range(shape, extents);
    auto type = cast<ArrayType>(op.getType());
    SmallVector<Value> dynamic;
    for (auto [extent, known] : llvm::zip_equal(shape, type.getShape()))
      if (ShapedType::isDynamic(known))
        dynamic.push_back(extent);
    return EmptyOp::create(builder, loc, type, dynamic).getResult();
  };
  bool isEmpty = matchPattern(length, m_Zero());
  if (isEmpty && op.getExactly()) { // a new array holds nothing less than the one that there is
    op.replaceAllUsesWith(make(rows));
    op.erase();
    return;
  }
  auto branch = scf::IfOp::create(builder, loc, op.getType(), isFull, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value count = rows;
  if (!op.getExactly()) {
    Value twice = arith::MulIOp::create(builder, loc, capacity, makeIndex(builder, loc, 2));
    count = arith::MaxSIOp::create(builder, loc, twice, makeIndex(builder, loc, fewestRows));
    count = arith::MaxSIOp::create(builder, loc, count, rows);
  }
  Value larger = make(count);
  if (!isEmpty) {
    Value zero = makeIndex(builder, loc, 0), one = makeIndex(builder, loc, 1);
    int64_t rank = extents.size() + 1;
    SmallVector<Value> offsets(rank, zero), steps(rank, one), kept{length};
    llvm::append_range(kept, extents);
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(rank));
    auto part = [&](Value whole) {
      auto type = cast<ArrayType>(whole.getType());
      auto view = ArrayType::get(op.getContext(), SmallVector<int64_t>(rank, ShapedType::kDynamic),
                                 type.getElementType(), /*contiguous=*/false);
      return ViewOp::create(builder, loc, view, whole, offsets, axes, kept, steps).getResult();
    };
    Value old = part(array);
    auto value = RankedTensorType::get(cast<ArrayType>(old.getType()).getShape(), getElementType(old.getType()));
    Value items = LoadOp::create(builder, loc, value, old);
    StoreOp::create(builder, loc, items, part(larger));
  }
  scf::YieldOp::create(builder, loc, larger);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, array);
  op.replaceAllUsesWith(branch.getResult(0));
  op.erase();
}

struct ReserveLists : impl::ReserveListsBase<ReserveLists> {
  using ReserveListsBase::ReserveListsBase;
  void runOnOperation() override {
    if (hoistCommonRooms(getOperation())) {
      OpPassManager cleanup(func::FuncOp::getOperationName()); // lengths that no branch decides now are counted
      cleanup.addPass(createSafeCanonicalizer());
      cleanup.addPass(createCountIterations());
      addCleanup(cleanup);
      if (failed(runPipeline(cleanup, getOperation())))
        return signalPassFailure();
    }
    SmallVector<scf::ForOp> loops; // that make lists longer
    bool hasRooms = false;
    getOperation().walk([&](Operation *op) {
      hasRooms |= isa<MakeRoomOp>(op);
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop && !loop.getBody()->getOps<MakeRoomOp>().empty())
        loops.push_back(loop);
    });
    if (!hasRooms)
      return markAllAnalysesPreserved();
    for (scf::ForOp loop : loops) {
      auto &origins = getAnalysis<ExtentOrigins>();
      GrowingLists(loop, origins).reserve();
      origins.forget(); // what the loop before had made longer
    }
    getOperation().walk([&](MakeRoomOp op) {
      if (!keepOthers || op.getExactly())
        expand(op);
    });
  }
};
} // namespace
} // namespace npcc
