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
// The numbers are the same where one draw gives what several give one after the other: of distributions whose numbers
// leave nothing behind but the generator's state. All that the loop draws has to come from one generator, by draws of
// one distribution with the same parameters and extents. A draw in which another iteration's numbers may be missing, as
// an exception leaves the loop before, must not have been made: so an iteration raises nothing, or nobody else has the
// generator. Iterations go in blocks, which bound the memory.
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_RAISEDRAWS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Numbers for a block of iterations.
constexpr int64_t mostNumbers = int64_t(1) << 24;

class Raiser {
public:
  explicit Raiser(scf::ForOp loop) : loop(loop), loc(loop.getLoc()), builder(loop) {}

  void run() {
    if (!countsByOne(loop) || !collect() || draws.empty() || !areAlike() || !canLeave())
      return;
    emit();
  }

private:
  /// Whether the array has no elements, so that a draw into it only looks at its parameters.
  static bool isEmpty(Value array) {
    auto empty = array.getDefiningOp<EmptyOp>();
    return empty && llvm::any_of(empty.getExtents(), [](Value extent) { return matchPattern(extent, m_Zero()); });
  }

  /// All draws of the loop; false where something else asks a generator, or may do so.
  bool collect() {
    WalkResult found = loop.getBody()->walk([&](Operation *op) {
      if (auto draw = dyn_cast<DrawOp>(op)) {
        if (isEmpty(draw.getOut()) && draw.getArrays().empty()) {
          looks.push_back(draw);
          return WalkResult::advance();
        }
        draws.push_back(draw);
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
        mayFail |= isa<Failure>(effect.getResource());
      }
      return draws ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !found.wasInterrupted();
  }

  /// Whether two draws give numbers of the same kind.
  static bool isSameDraw(DrawOp a, DrawOp b) {
    return a.getDistribution() == b.getDistribution() && a.getDtype() == b.getDtype() &&
           a.getGenerator() == b.getGenerator() && a.getScalars() == b.getScalars();
  }

  /// Whether one draw can take the place of all of them: what differs is where the numbers go.
  bool areAlike() {
    DrawOp first = draws.front();
    auto isAlike = [&](DrawOp draw) {
      auto out = draw.getOut().getDefiningOp<EmptyOp>();
      if (!out || out->getBlock() != loop.getBody() || !draw.getArrays().empty())
        return false;
      auto firstOut = first.getOut().getDefiningOp<EmptyOp>();
      bool isSame =
          isSameDraw(draw, first) && out.getType() == firstOut.getType() && out.getExtents() == firstOut.getExtents();
      return isSame && llvm::all_of(out->getUsers(), [&](Operation *user) {
               // Who loads elements before they are drawn loads others.
               auto load = dyn_cast<LoadOp>(user);
               Operation *here = load ? loop.getBody()->findAncestorOpInBlock(*load) : nullptr;
               return user == draw || isa<DimOp>(user) || (here && draw->isBeforeInBlock(here));
             });
    };
    auto isOutside = [&](Value value) { return loop.isDefinedOutsideOfLoop(value); };
    return isDrawnOneByOne(first.getDistribution(), first.getDtype()) && llvm::all_of(draws, isAlike) &&
           isOutside(first.getGenerator()) && llvm::all_of(first.getScalars(), isOutside) &&
           llvm::all_of(first.getOut().getDefiningOp<EmptyOp>().getExtents(), isOutside);
  }

  /// Whether nobody sees that the numbers of later iterations are drawn when an exception leaves the loop, the draw's
  /// own about its parameters among them.
  bool canLeave() {
    auto made = draws.front().getGenerator().getDefiningOp<NewGeneratorOp>();
    bool isOwn = made && made.getSeeding() != "share";
    bool isSound =
        llvm::all_of(draws.front().getScalars(), [](Value value) { return matchPattern(value, m_Constant()); });
    if (mayFail && !isOwn)
      return false;
    // Parameters that may be wrong are found before the loop has stored anything.
    return isSound || llvm::all_of(llvm::make_range(loop.getBody()->begin(), draws.front()->getIterator()),
                                   [](Operation &op) { return isMemoryEffectFree(&op) || isa<EmptyOp, LoadOp>(op); });
  }

  void emit() {
    auto out = draws.front().getOut().getDefiningOp<EmptyOp>();
    SmallVector<int64_t> shape{ShapedType::kDynamic, int64_t(draws.size())};
    llvm::append_range(shape, getShape(out.getType()));
    Value numbers = constant(draws.size());
    // A negative extent is an error that an iteration finds.
    SmallVector<Value> extents, mine;
    for (Value extent : out.getExtents())
      extents.push_back(extent.getDefiningOp<DimOp>() ? extent
                                                      : builder.createOrFold<arith::MaxSIOp>(loc, extent, constant(0)));
    for (auto [axis, known] : llvm::enumerate(getShape(out.getType())))
      mine.push_back(ShapedType::isDynamic(known) ? out.getExtents()[axis - countKnown(out, axis)] : constant(known));
    for (Value extent : mine)
      numbers = builder.createOrFold<arith::MulIOp>(loc, numbers, extent);
    numbers = builder.createOrFold<arith::MaxSIOp>(loc, numbers, constant(1));
    Value length = arith::DivSIOp::create(builder, loc, constant(mostNumbers), numbers);
    length = builder.createOrFold<arith::MaxSIOp>(loc, length, constant(1));
    LoopBlock block = splitIntoBlocks(loop, length, builder);
    extents.insert(extents.begin(), builder.createOrFold<arith::SubIOp>(loc, block.end, block.begin));
    auto type = ArrayType::get(builder.getContext(), shape, getElementType(out.getType()), /*contiguous=*/true);
    Value all = EmptyOp::create(builder, loc, type, extents);
    DrawOp first = draws.front();
    DrawOp::create(builder, loc, first.getDistributionAttr(), first.getDtypeAttr(), first.getGenerator(),
                   first.getScalars(), ValueRange(), all);
    for (DrawOp look : looks)
      if (isSameDraw(look, first))
        look.erase(); // the one draw looks at the parameters
    for (auto [number, draw] : llvm::enumerate(draws))
      replace(draw, all, block.begin, number, mine);
  }
  /// How many of the axes before this one have a known extent.
  static int64_t countKnown(EmptyOp out, int64_t axis) {
    return llvm::count_if(getShape(out.getType()).take_front(axis),
                          [](int64_t extent) { return !ShapedType::isDynamic(extent); });
  }

  /// Its numbers are those of this iteration among all.
  void replace(DrawOp draw, Value all, Value begin, int64_t number, ArrayRef<Value> extents) {
    auto out = draw.getOut().getDefiningOp<EmptyOp>();
    builder.setInsertionPoint(draw);
    SmallVector<Value> offsets(extents.size() + 2, constant(0)), steps(extents.size(), constant(1));
    offsets[0] = builder.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(), begin);
    offsets[1] = constant(number);
    auto axes = llvm::to_vector(llvm::seq<int64_t>(2, 2 + extents.size()));
    Value part = ViewOp::create(builder, loc, out.getType(), all, offsets, axes, extents, steps);
    draw.erase();
    out.getArray().replaceUsesWithIf(part, [](OpOperand &use) { return isa<LoadOp>(use.getOwner()); });
    if (out->use_empty())
      out.erase();
  }

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  SmallVector<DrawOp> draws, looks; // looks: into no elements
  bool mayFail = false;
};

struct RaiseDraws : impl::RaiseDrawsBase<RaiseDraws> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    for (scf::ForOp loop : getLoops(getOperation()))
      Raiser(loop).run();
  }
};
} // namespace
} // namespace npcc
