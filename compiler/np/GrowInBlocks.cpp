// npcc-grow-in-blocks: a `while` whose iterations append to lists runs in blocks of iterations for which there is room.
//
//   scf.while (%k, %x) {                             scf.while (%k, %x) {
//     scf.condition(%goes) %k, %x                      scf.while (%k, %x) {
//   } do {                                               scf.condition(%goes and %k + 2 <= dim(%x)) %k, %x
//     %y = np.make_room %x[%k] rows %k + 1             } do {
//     np.store %item, %y[%k]                   ->        np.store %item, %x[%k]
//     scf.yield %k + 1, %y                               scf.yield %k + 1, %x
//   }                                                  }
//                                                      scf.condition(%goes) %k, %x
//                                                    } do {
//                                                      %y = np.make_room %x[%k] rows %k + 2
//                                                      scf.yield %k, %y
//                                                    }
//
// How often such a loop goes round nobody knows before: that is what solvers are that note the error of each step. With
// room to be made in an iteration the host has to run the loop. The loop inside makes none, so that one kernel can run
// it (npcc-enclose-steps); as the room doubles, it begins anew a few times only.
//
// An iteration may append a few items to several lists, in branches too, as long as it is known how many at most. Lists
// that the loop reads are left alone. Each block begins with room for two iterations: one that has begun is finished.
// Where the condition only looks, it is asked once more when there is room. Where it has the iteration itself
// (npcc-rotate-loops), what comes behind it is there twice. Where launches are costly only.
#include "compiler/np/CarriedNames.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_GROWINBLOCKS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
constexpr int64_t mostTwice = 64; // operations behind the condition

/// A list that a loop hands on.
struct GrowingList {
  unsigned index;  // among what the loop is given
  unsigned length; // the same, of its length
  int64_t need;    // rows that an iteration appends at most
  SmallVector<MakeRoomOp> rooms;
  SmallVector<Value> extents; // of a row
};

/// Finds the lists of one loop.
class Finder {
public:
  explicit Finder(scf::WhileOp loop) : loop(loop) {}

  std::optional<GrowingList> find(unsigned index) {
    CarriedNames names(loop, index);
    if (!isa<ArrayType>(loop.getInits()[index].getType()) || !names.takePassing(names.getGiven()))
      return std::nullopt;
    GrowingList list{index, 0, 0, {}, {}};
    for (size_t k = 0; k < names.getValues().size(); k++) {
      Value value = names.getValues()[k];
      auto isRoom = [&](Operation *op) {
        auto room = dyn_cast<MakeRoomOp>(op);
        if (!room || room->getParentOfType<LoopLikeOpInterface>() != loop.getOperation())
          return false;
        names.insert(room.getArray());
        list.rooms.push_back(room);
        return true;
      };
      if (!names.takeSources(value, isRoom))
        return std::nullopt;
      if (!names.isLeft(value))
        for (OpOperand &use : value.getUses())
          if (isa<MakeRoomOp>(use.getOwner()))
            names.insert(use.getOwner()->getResult(0));
          else if (!names.takePassing(use) && !isAppended(use.getOwner()))
            return std::nullopt;
    }
    if (list.rooms.empty() || !names.hasOneOfEach() || !findLength(list))
      return std::nullopt;
    list.extents = SmallVector<Value>(list.rooms.front().getExtents());
    bool areKnown =
        llvm::all_of(list.rooms, [&](MakeRoomOp room) { return room.getExtents() == ValueRange(list.extents); }) &&
        llvm::all_of(list.extents, [&](Value extent) { return loop.isDefinedOutsideOfLoop(extent); });
    return areKnown ? std::optional(list) : std::nullopt;
  }

private:
  /// Whether a list is used to store an item, or asked for its extents. One that iterations read is the host's.
  static bool isAppended(Operation *user) {
    return isa<DimOp>(user) || (isa<ViewOp>(user) && llvm::all_of(user->getUses(), [](OpOperand &use) {
                                  auto store = dyn_cast<StoreOp>(use.getOwner());
                                  return store && use.get() == store.getArray();
                                }));
  }

  /// What is carried as the list's length when an iteration begins, and how many rows more it asks for.
  bool findLength(GrowingList &list) {
    std::optional<unsigned> number = findNumber(list.rooms.front().getLength());
    if (!number)
      return false;
    list.length = *number;
    base = loop.getBeforeArguments()[*number];
    for (MakeRoomOp room : list.rooms) {
      std::optional<int64_t> rows = getDistance(room.getRows());
      if (!rows)
        return false;
      list.need = std::max(list.need, *rows);
    }
    return list.need > 0;
  }

  /// The carried number that the value is made of.
  std::optional<unsigned> findNumber(Value value) {
    for (int64_t steps = 0; steps < mostTwice; steps++) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == loop.getBeforeBody())
          return argument.getArgNumber();
        if (argument.getOwner() != loop.getAfterBody())
          return std::nullopt;
        value = loop.getConditionOp().getArgs()[argument.getArgNumber()];
      } else if (Operation *op = value.getDefiningOp(); isa<arith::IndexCastOp, arith::AddIOp, arith::SubIOp>(op)) {
        value = op->getOperand(0);
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        value = branch.thenYield().getOperand(cast<OpResult>(value).getResultNumber());
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// How much more than the length at the beginning of the iteration the number is at most.
  std::optional<int64_t> getDistance(Value value) {
    if (value == base)
      return 0;
    auto most = [&](Value one, Value other) -> std::optional<int64_t> {
      std::optional<int64_t> x = getDistance(one), y = getDistance(other);
      return x && y ? std::optional(std::max(*x, *y)) : std::nullopt;
    };
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getAfterBody())
        return std::nullopt;
      return getDistance(loop.getConditionOp().getArgs()[argument.getArgNumber()]);
    }
    Operation *op = value.getDefiningOp();
    APInt constant;
    if (isa<arith::IndexCastOp>(op))
      return getDistance(op->getOperand(0));
    if (isa<arith::AddIOp, arith::SubIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
      if (std::optional<int64_t> distance = getDistance(op->getOperand(0)))
        return *distance + (isa<arith::AddIOp>(op) ? 1 : -1) * constant.getSExtValue();
    if (isa<arith::SelectOp>(op))
      return most(op->getOperand(1), op->getOperand(2));
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      return most(branch.thenYield().getOperand(number), branch.elseYield().getOperand(number));
    }
    return std::nullopt;
  }

  scf::WhileOp loop;
  Value base;
};

class Blocks {
public:
  explicit Blocks(scf::WhileOp loop) : loop(loop), loc(loop.getLoc()) {
    Finder finder(loop);
    for (unsigned k = 0; k < loop.getInits().size(); k++)
      if (std::optional<GrowingList> list = finder.find(k))
        lists.push_back(*list);
    asksAgain = llvm::all_of(loop.getBeforeBody()->without_terminator(), onlyLooks);
  }

  bool isPossible() {
    // All that makes room would keep the loop with the host.
    int64_t rooms = 0, found = 0, behind = 0;
    loop->walk([&](MakeRoomOp) { rooms++; });
    for (GrowingList &list : lists)
      found += list.rooms.size();
    loop.getAfterBody()->walk([&](Operation *) { behind++; });
    return found > 0 && found == rooms && (asksAgain || behind <= mostTwice);
  }

  void make() {
    OpBuilder builder(loop);
    SmallVector<Value> inits(loop.getInits());
    SmallVector<Type> given(ValueRange(loop.getBeforeArguments()).getTypes()), left(loop.getResultTypes());
    growAll(builder, inits);
    // What the loop inside leaves: what it left, what an iteration would begin with, and whether it would.
    SmallVector<Type> leftInside(left);
    if (asksAgain)
      llvm::append_range(leftInside, given);
    auto outer = scf::WhileOp::create(builder, loc, leftInside, inits);
    leftInside.push_back(builder.getI1Type());
    Block *before = addBlock(builder, outer.getBefore(), given),
          *after = addBlock(builder, outer.getAfter(), outer.getResultTypes());

    for (GrowingList &list : lists)
      for (MakeRoomOp room : list.rooms) {
        room.replaceAllUsesWith(room.getArray());
        room.erase();
      }
    builder.setInsertionPointToEnd(after);
    SmallVector<Value> next = asksAgain ? SmallVector<Value>(after->getArguments().drop_front(left.size()))
                                        : emitRest(builder, after->getArguments());
    growAll(builder, next);
    scf::YieldOp::create(builder, loc, next);

    builder.setInsertionPointToEnd(before);
    auto inner = scf::WhileOp::create(builder, loc, leftInside, before->getArguments());
    inner.getBefore().takeBody(loop.getBefore());
    inner.getAfter().takeBody(loop.getAfter());
    for (Type type : ArrayRef(leftInside).drop_front(left.size()))
      inner.getAfterBody()->addArgument(type, loc);
    askForRoom(inner);
    builder.setInsertionPointToEnd(before);
    scf::ConditionOp::create(builder, loc, inner.getResults().back(), inner.getResults().drop_back());

    loop->replaceAllUsesWith(outer.getResults().take_front(left.size()));
    loop->erase();
  }

private:
  /// Whether an operation of the condition may run twice.
  static bool onlyLooks(Operation &op) {
    auto effects = getEffectsRecursively(&op);
    return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
             return isa<MemoryEffects::Read>(effect.getEffect());
           });
  }

  Block *addBlock(OpBuilder &builder, Region &region, TypeRange arguments) {
    OpBuilder::InsertionGuard guard(builder);
    return builder.createBlock(&region, region.end(), arguments, SmallVector<Location>(arguments.size(), loc));
  }

  /// What comes behind the condition. Gives what the next iteration begins with.
  SmallVector<Value> emitRest(OpBuilder &builder, ValueRange given) {
    IRMapping mapping;
    mapping.map(loop.getAfterArguments(), given);
    for (Operation &op : loop.getAfterBody()->without_terminator())
      builder.clone(op, mapping);
    return llvm::map_to_vector(loop.getYieldOp().getResults(),
                               [&](Value value) { return mapping.lookupOrDefault(value); });
  }

  static Value emitIndex(OpBuilder &builder, Location loc, Value number) {
    return builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), number);
  }
  /// The rows that a list of so many must have before an iteration begins.
  Value emitRows(OpBuilder &builder, const GrowingList &list, Value length) {
    Value more = arith::ConstantIndexOp::create(builder, loc, 2 * list.need);
    return arith::AddIOp::create(builder, loc, length, more);
  }

  /// Makes room in the lists among what a loop is given.
  void growAll(OpBuilder &builder, MutableArrayRef<Value> given) {
    for (const GrowingList &list : lists) {
      Value array = given[list.index], length = emitIndex(builder, loc, given[list.length]);
      given[list.index] = MakeRoomOp::create(builder, loc, array.getType(), /*exactly=*/false, array, length,
                                             emitRows(builder, list, length), list.extents);
    }
  }

  /// Ends the loop where there is no room for another iteration, and makes it give whether there would be one.
  void askForRoom(scf::WhileOp inner) {
    scf::ConditionOp condition = inner.getConditionOp();
    OpBuilder builder(condition);
    Value goes = condition.getCondition(), goesOn = goes;
    for (const GrowingList &list : lists) {
      Value length = emitIndex(builder, loc, inner.getBeforeArguments()[list.length]);
      Value room = getExtent(builder, loc, inner.getBeforeArguments()[list.index], 0);
      Value hasRoom =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, emitRows(builder, list, length), room);
      goesOn = arith::AndIOp::create(builder, loc, goesOn, hasRoom);
    }
    condition.getConditionMutable().assign(goesOn);
    if (asksAgain)
      condition.getArgsMutable().append(inner.getBeforeArguments());
    condition.getArgsMutable().append(goes);
  }

  scf::WhileOp loop;
  Location loc;
  SmallVector<GrowingList> lists;
  bool asksAgain;
};
struct GrowInBlocks : impl::GrowInBlocksBase<GrowInBlocks> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops; // those inside come first
    if (getTargetProperties(getOperation()).launchesAreCostly)
      getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    bool hasChanged = false;
    for (scf::WhileOp loop : loops) {
      Blocks blocks(loop);
      if (!blocks.isPossible())
        continue;
      blocks.make();
      hasChanged = true;
    }
    if (!hasChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace npcc
