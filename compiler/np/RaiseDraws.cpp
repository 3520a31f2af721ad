// npcc-raise-draws: random numbers that a loop draws in each iteration are drawn for many iterations at once.
//
//   scf.for %i = %c0 to %n step %c1 {                          %all = np.empty(%n, %m)
//     %x = np.empty(%m)                                        np.draw "standard_normal" ... into %all
//     np.draw "standard_normal" ... into %x              ->    scf.for %i = %c0 to %n step %c1 {
//     ... np.load %x ...                                         ... np.load (row %i of %all) ...
//   }                                                          }
//
// A draw is several launches, and few numbers are drawn by the host, which then copies them. With one draw for all
// iterations a device has enough numbers to draw them itself, and the loop has nothing left that needs the host.
//
// One draw gives the numbers of several draws that follow each other if these are of one distribution with the same
// parameters, and its numbers leave nothing behind but the generator's state. Where an iteration draws others, too, or
// where that does not hold, the runtime goes through the draws of all iterations in turns:
//
//     np.draw "normal" ... into %x                               np.draw_in_turns ["normal", "random"] ...
//     np.draw "random" ... into %y                        ->         into %allX, %allY
//
// Uniform numbers of float64 take one word of the stream each, wherever they lie between: where all draws are of such
// numbers, one draw makes them all, and each draw has its part of an iteration's.
//
// A single number that an iteration draws (np.draw_scalar) is an array without axes. In a short loop inside of another
// one it stays what it is.
//
// All that the loop draws has to come from one generator, with parameters and extents that are the same in each
// iteration. A draw in which another iteration's numbers may be missing, as an exception leaves the loop before, must
// not have been made: so an iteration raises nothing, or nobody else has the generator. Iterations go in blocks, which
// bound the memory. Looks at parameters that are the same in all iterations (the scale of normal numbers whose means
// are an array) move before the loop.
#include "compiler/memory/FirstCall.h"
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_RAISEDRAWS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// Draws of an iteration that follow each other and that one draw makes, and the array of all iterations' numbers: its
/// axes are those of the iterations, of the draws if these are several, and of one draw's numbers.
struct Group {
  SmallVector<DrawOp> draws;
  SmallVector<Value> extents; // of one draw's numbers, as the program has them
  Value all;

  EmptyOp getOut() { return draws.front().getOut().getDefiningOp<EmptyOp>(); }
  int64_t countAxes() { return 1 + (draws.size() > 1) + getRank(getOut().getType()); }
};

/// Whether two draws give numbers of the same kind.
bool isSameDraw(DrawOp a, DrawOp b) {
  return a.getDistribution() == b.getDistribution() && a.getDtype() == b.getDtype() &&
         a.getGenerator() == b.getGenerator() && a.getScalars() == b.getScalars();
}

bool isOneByOne(DrawOp draw) { return isDrawnOneByOne(draw.getDistribution(), draw.getDtype()); }

class Raiser {
public:
  Raiser(scf::ForOp loop, int64_t mostAxes) : mostAxes(mostAxes), loop(loop), loc(loop.getLoc()), builder(loop) {}

  void run() {
    if (!countsByOne(loop) || !collect())
      return;
    giveArrays();
    if (isPossible())
      emit();
    else
      takeArrays();
  }

private:
  bool isPossible() {
    if (draws.empty() || !llvm::all_of(draws, [&](DrawOp draw) {
          return draw.getGenerator() == draws.front().getGenerator() && canRaise(draw);
        }))
      return false;
    group();
    bool hasRoom = llvm::all_of(groups, [&](Group &group) { return group.countAxes() <= mostAxes; });
    return hasRoom && canLeave();
  }

  /// Numbers that are drawn one by one are drawn into arrays without axes.
  void giveArrays() {
    for (Operation *op : found) {
      auto draw = dyn_cast<DrawScalarOp>(op);
      if (!draw) {
        draws.push_back(cast<DrawOp>(op));
        continue;
      }
      OpBuilder at(draw);
      auto type = ArrayType::get(at.getContext(), {}, draw.getType(), /*contiguous=*/true);
      Value out = EmptyOp::create(at, draw.getLoc(), type, ValueRange());
      draws.push_back(DrawOp::create(at, draw.getLoc(), draw.getDistribution(), draw.getDtype(), draw.getGenerator(),
                                     draw.getScalars(), ValueRange(), out));
      Value load = LoadOp::create(at, draw.getLoc(), out);
      auto item = ItemOp::create(at, draw.getLoc(), draw.getType(), load);
      draw.replaceAllUsesWith(item.getResult());
      draw.erase();
      given.push_back({draws.back(), item});
    }
  }

  /// The reverse, where the draws stay in the loop.
  void takeArrays() {
    for (auto [draw, item] : given) {
      OpBuilder at(draw);
      Value number = DrawScalarOp::create(at, draw.getLoc(), item.getType(), draw.getDistributionAttr(),
                                          draw.getDtypeAttr(), draw.getGenerator(), draw.getScalars());
      item.replaceAllUsesWith(number);
      Operation *load = item.getValue().getDefiningOp(), *out = draw.getOut().getDefiningOp();
      for (Operation *op : {item.getOperation(), load, draw.getOperation(), out})
        op->erase();
    }
  }

  /// Whether the draw gives nothing but an exception where a parameter is out of its bounds.
  static bool isLook(Operation *op) {
    auto draw = dyn_cast<DrawOp>(op);
    auto empty = draw ? draw.getOut().getDefiningOp<EmptyOp>() : EmptyOp();
    return empty && draw.getArrays().empty() &&
           llvm::any_of(empty.getExtents(), [](Value extent) { return matchPattern(extent, m_Zero()); });
  }

  /// Whether the number has all bits that an array of the dtype holds.
  static bool isWhole(DrawScalarOp draw) { return draw.getDtype() == "float64" || draw.getDtype() == "int64"; }

  /// Whether an array for the numbers of all iterations is worth its making, each time that the program comes here.
  bool isLong() {
    constexpr int64_t longEnough = 1024;
    if (!loop->getParentOfType<LoopLikeOpInterface>())
      return true;
    FirstCall first(loop->getParentOfType<func::FuncOp>());
    IntegerAttr begin = first.evaluate(loop.getLowerBound()), end = first.evaluate(loop.getUpperBound());
    return begin && end && end.getInt() - begin.getInt() >= longEnough;
  }

  /// All draws of the loop; false where something else asks a generator, or may do so.
  bool collect() {
    WalkResult end = loop.getBody()->walk([&](Operation *op) {
      if (auto draw = dyn_cast<DrawOp>(op)) {
        if (isLook(op)) {
          looks.push_back(draw);
          return WalkResult::advance();
        }
        found.push_back(draw);
        return draw->getBlock() == loop.getBody() ? WalkResult::advance() : WalkResult::interrupt();
      }
      if (auto draw = dyn_cast<DrawScalarOp>(op); draw && isWhole(draw) && isLong()) {
        found.push_back(draw);
        return draw->getBlock() == loop.getBody() ? WalkResult::advance() : WalkResult::interrupt();
      }
      auto interface = dyn_cast<MemoryEffectOpInterface>(op);
      if (!interface)
        return isPure(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ? WalkResult::advance()
                                                                                : WalkResult::interrupt();
      SmallVector<MemoryEffects::EffectInstance> effects;
      interface.getEffects(effects);
      bool draws = false;
      for (MemoryEffects::EffectInstance &effect : effects) {
        draws |= isa<np::Random, Output>(effect.getResource());
        if (isa<Failure>(effect.getResource()))
          failing.push_back(op);
      }
      return draws ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !end.wasInterrupted();
  }

  /// Whether a draw before the loop can take its place: only where the numbers go differs from iteration to iteration.
  bool canRaise(DrawOp draw) {
    auto out = draw.getOut().getDefiningOp<EmptyOp>();
    auto isOutside = [&](Value value) { return loop.isDefinedOutsideOfLoop(value); };
    if (!out || out->getBlock() != loop.getBody() || !draw.getArrays().empty() || !isOutside(draw.getGenerator()) ||
        !llvm::all_of(draw.getScalars(), isOutside) || !llvm::all_of(out.getExtents(), isOutside))
      return false;
    return llvm::all_of(out->getUsers(), [&](Operation *user) {
      // Who loads elements before they are drawn loads others.
      auto load = dyn_cast<LoadOp>(user);
      Operation *here = load ? loop.getBody()->findAncestorOpInBlock(*load) : nullptr;
      return user == draw || isa<DimOp>(user) || (here && draw->isBeforeInBlock(here));
    });
  }

  void group() {
    for (DrawOp draw : draws) {
      DrawOp last = groups.empty() ? DrawOp() : groups.back().draws.front();
      auto out = draw.getOut().getDefiningOp<EmptyOp>();
      bool joins = last && isSameDraw(draw, last) && isOneByOne(draw) &&
                   out.getType() == groups.back().getOut().getType() &&
                   out.getExtents() == groups.back().getOut().getExtents() && getRank(out.getType()) + 2 <= mostAxes;
      if (!joins)
        groups.emplace_back();
      groups.back().draws.push_back(draw);
    }
  }

  bool isLookOfDraw(DrawOp look) {
    return llvm::any_of(draws, [&](DrawOp draw) { return isSameDraw(look, draw); });
  }

  /// Whether nobody sees that the numbers of later iterations are drawn when an exception leaves the loop, the draws'
  /// own about their parameters among them.
  bool canLeave() {
    auto made = draws.front().getGenerator().getDefiningOp<NewGeneratorOp>();
    bool isOwn = made && made.getSeeding() != "share";
    findFirst();
    bool areLooksFirst =
        llvm::all_of(looks, [&](DrawOp look) { return isLookOfDraw(look) || first.contains(getStatement(look)); });
    bool areChecksFirst = llvm::all_of(failing, [&](Operation *op) { return first.contains(op); });
    if (!(areLooksFirst && areChecksFirst) && !isOwn)
      return false;
    // Parameters that may be wrong are found before the loop has stored anything.
    auto mayBeWrong = [](DrawOp draw) {
      return !llvm::all_of(draw.getScalars(), [](Value value) { return matchPattern(value, m_Constant()); });
    };
    auto last = llvm::find_if(llvm::reverse(draws), mayBeWrong);
    auto storesNothing = [](Operation &op) {
      return isMemoryEffectFree(&op) || isa<EmptyOp, LoadOp, NewOp, DrawOp>(op) || onlyLooks(op);
    };
    return last == draws.rend() ||
           llvm::all_of(llvm::make_range(loop.getBody()->begin(), (*last)->getIterator()), storesNothing);
  }
  /// The loop's statement that a look is part of.
  Operation *getStatement(DrawOp look) { return loop.getBody()->findAncestorOpInBlock(*look); }

  /// Checks and looks that may stand before the loop: all iterations see the same, and the first iteration does nothing
  /// before them that anybody sees.
  void findFirst() {
    for (Operation &op : *loop.getBody())
      if (onlyLooks(op) || onlyFails(op)) {
        if (!seesTheSame(op))
          return;
        first.insert(&op);
      } else if (!isMemoryEffectFree(&op) && !isa<EmptyOp, LoadOp, NewOp>(op)) {
        return;
      }
  }
  /// Whether it uses nothing of an iteration.
  bool seesTheSame(Operation &statement) {
    WalkResult end = statement.walk([&](Operation *op) {
      bool isSame = llvm::all_of(op->getOperands(), [&](Value operand) {
        return loop.isDefinedOutsideOfLoop(operand) || statement.isAncestor(operand.getParentBlock()->getParentOp());
      });
      return isSame ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !end.wasInterrupted();
  }
  static bool onlyFails(Operation &op) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    SmallVector<MemoryEffects::EffectInstance> effects;
    if (interface)
      interface.getEffects(effects);
    return !effects.empty() && llvm::all_of(effects, [](auto &effect) { return isa<Failure>(effect.getResource()); });
  }
  static bool onlyLooks(Operation &op) {
    auto branch = dyn_cast<scf::IfOp>(op);
    return branch && llvm::all_of(branch->getRegions(), [](Region &region) {
             return llvm::all_of(region.getOps(), [](Operation &inside) {
               return isa<EmptyOp>(inside) || isLook(&inside) || isMemoryEffectFree(&inside);
             });
           });
  }

  void emit() {
    Value numbers = constant(0);
    for (Group &group : groups) {
      group.extents = np::getExtents(builder, loc, group.getOut());
      Value mine = constant(group.draws.size());
      for (Value extent : group.extents)
        mine = builder.createOrFold<arith::MulIOp>(loc, mine, emitCount(extent));
      numbers = builder.createOrFold<arith::AddIOp>(loc, numbers, mine);
    }
    LoopBlock block = splitByElements(loop, numbers, getMostAtOnce(), builder);
    Value count = builder.createOrFold<arith::SubIOp>(loc, block.end, block.begin);
    for (DrawOp look : looks) // the draws before the loop look at the parameters
      if (isLookOfDraw(look) && !first.contains(getStatement(look)))
        look.erase();
    for (Operation *statement : first)
      statement->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
    if (groups.size() > 1 && areUniform())
      return emitUniform(count, numbers, block.begin);
    for (Group &group : groups)
      group.all = makeArray(group, count);
    emitDraws();
    for (Group &group : groups)
      for (auto [number, draw] : llvm::enumerate(group.draws)) {
        builder.setInsertionPoint(draw);
        SmallVector<Value> position{emitRow(block.begin)};
        if (group.draws.size() > 1)
          position.push_back(constant(number));
        replace(draw, emitPartOfAll(builder, loc, group.all, draw.getOut().getType(), position, group.extents));
      }
  }

  /// How many numbers are drawn at once. The host draws no more than its caches hold, or, for a device, than what its
  /// allocator keeps for the next block: new pages for each would cost as much as the draws.
  int64_t getMostAtOnce() {
    if (getTargetProperties(loop).hostSharesMemory)
      return mostOfBlock >> 7;
    return groups.size() > 1 && !areUniform() ? mostOfBlock >> 3 : mostOfBlock;
  }

  /// A negative extent is an error that an iteration finds.
  Value emitCount(Value extent) {
    bool isExtent = extent.getDefiningOp<DimOp>();
    return isExtent ? extent : builder.createOrFold<arith::MaxSIOp>(loc, extent, constant(0));
  }
  Value emitRow(Value begin) { return builder.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(), begin); }

  bool areUniform() {
    return llvm::all_of(draws, [](DrawOp draw) {
      bool isUniform = llvm::is_contained({"random", "uniform", "legacy_uniform"}, draw.getDistribution());
      return isUniform && draw.getDtype() == "float64" && getRank(draw.getOut().getType()) == 1;
    });
  }

  /// Numbers from 0 to 1, of which those between other bounds are made where they are read, as NumPy makes them.
  void emitUniform(Value count, Value numbers, Value begin) {
    DrawOp first = draws.front();
    SmallVector<int64_t> shape(2, ShapedType::kDynamic);
    auto type = ArrayType::get(builder.getContext(), shape, builder.getF64Type(), /*contiguous=*/true);
    Value all = EmptyOp::create(builder, loc, type, ValueRange{count, numbers}), offset = constant(0);
    DrawOp::create(builder, loc, "random", "float64", first.getGenerator(), ValueRange(), ValueRange(), all);
    for (Group &group : groups)
      for (DrawOp draw : group.draws) {
        SmallVector<Value> scalars(draw.getScalars());
        Value extent = group.extents[0], mine = emitCount(extent), after = emitSum(offset, mine);
        OpBuilder at(draw);
        Value row = at.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(), begin);
        Value one = arith::ConstantIndexOp::create(at, loc, 1);
        Value part = ViewOp::create(at, loc, draw.getOut().getType(), all, ValueRange{row, offset},
                                    ArrayRef<int64_t>{1}, extent, one);
        replace(draw, part);
        for (Operation *load : llvm::to_vector(part.getUsers())) {
          if (scalars.empty())
            break;
          at.setInsertionPointAfter(load);
          Value scaled = UfuncOp::create(at, loc, Ufunc::multiply, ValueRange{load->getResult(0), scalars[1]});
          Value shifted = UfuncOp::create(at, loc, Ufunc::add, ValueRange{scaled, scalars[0]});
          load->getResult(0).replaceAllUsesExcept(shifted, scaled.getDefiningOp());
        }
        offset = after;
      }
  }
  Value emitSum(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }

  Value makeArray(Group &group, Value count) {
    Type one = group.getOut().getType();
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    SmallVector<Value> extents{count};
    if (group.draws.size() > 1)
      shape.push_back(group.draws.size());
    for (auto [known, extent] : llvm::zip_equal(getShape(one), group.extents)) {
      shape.push_back(known);
      if (ShapedType::isDynamic(known))
        extents.push_back(emitCount(extent));
    }
    auto type = ArrayType::get(builder.getContext(), shape, getElementType(one), /*contiguous=*/true);
    return EmptyOp::create(builder, loc, type, extents);
  }

  void emitDraws() {
    DrawOp first = draws.front();
    if (groups.size() == 1 && isOneByOne(first)) {
      DrawOp::create(builder, loc, first.getDistributionAttr(), first.getDtypeAttr(), first.getGenerator(),
                     first.getScalars(), ValueRange(), groups[0].all);
      return;
    }
    SmallVector<Attribute> distributions, dtypes;
    SmallVector<int32_t> scalarCounts;
    SmallVector<Value> scalars, outs;
    for (Group &group : groups) {
      DrawOp draw = group.draws.front();
      distributions.push_back(draw.getDistributionAttr());
      dtypes.push_back(draw.getDtypeAttr());
      scalarCounts.push_back(draw.getScalars().size());
      llvm::append_range(scalars, draw.getScalars());
      outs.push_back(group.all);
    }
    DrawInTurnsOp::create(builder, loc, builder.getArrayAttr(distributions), builder.getArrayAttr(dtypes),
                          builder.getDenseI32ArrayAttr(scalarCounts), first.getGenerator(), scalars, outs);
  }

  /// Its numbers are the iteration's part of all.
  void replace(DrawOp draw, Value part) {
    auto out = draw.getOut().getDefiningOp<EmptyOp>();
    draw.erase();
    out.getArray().replaceUsesWithIf(part, [](OpOperand &use) { return isa<LoadOp>(use.getOwner()); });
    if (out->use_empty())
      out.erase();
  }

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  int64_t mostAxes;
  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  SmallVector<Operation *> found;               // np.draw and np.draw_scalar
  SmallVector<DrawOp> draws, looks;             // looks: into no elements
  SmallVector<std::pair<DrawOp, ItemOp>> given; // draws that gave a number
  SmallVector<Group> groups;
  SmallVector<Operation *> failing;
  llvm::SmallSetVector<Operation *, 4> first; // what may stand before the loop
};

struct RaiseDraws : impl::RaiseDrawsBase<RaiseDraws> {
  using RaiseDrawsBase::RaiseDrawsBase;

  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    for (scf::ForOp loop : getLoops(getOperation()))
      Raiser(loop, mostAxes).run();
  }
};
} // namespace
} // namespace npcc
