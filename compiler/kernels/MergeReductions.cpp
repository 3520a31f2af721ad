// npcc-merge-reductions: a kernel that makes the elements that another one reduces, or that needs the same elements,
// becomes part of the reduction's loop. What both read is read once, and what the first one stores is not read again.
//
//   np.kernel (%i, %j) = (%n, %m) {                          np.kernel (%k) = (1) {
//     ... %x[%i, %j] ...                                       %s = scf.parallel (%i, %j) = (0, 0) to (%n, %m) {
//     store %v, %y[%i, %j] }                                     ... %x[%i, %j] ...
//   np.kernel (%k) = (1) {                             ->        store %v, %y[%i, %j]
//     %s = scf.parallel (%i, %j) = (0, 0) to (%n, %m) {          scf.reduce(%v)
//       scf.reduce(load %y[%i, %j]) }                          }
//     store %s, %sum[] }                                       store %s, %sum[] }
//
// The reduction may be one of all elements, of rows or of columns: each of the other kernel's positions is one of the
// reduction's own or of its loop's, in the order in which most of the elements that both touch are the same. Either may
// go over the inside of what the other one goes over, as stencils do: it is a branch at the positions of both then. As
// in npcc-merge-kernels, no position may need what another one stores, nor the reduction's result; the kernels may
// stand in either order, with others between them that touch nothing of the one that moves to the other. A kernel with
// loops of its own or with checks stays apart.
#include "compiler/kernels/HostBlocks.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/KernelMember.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "llvm/ADT/MapVector.h"

namespace npcc {
#define GEN_PASS_DEF_MERGEREDUCTIONS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Each is a stream of memory, and takes registers that the loads in flight need.
constexpr int64_t mostStores = 8;
// Kernels in a row that are looked at: one further away has seldom left anything in a cache.
constexpr int64_t mostBetween = 4;

/// How the positions of a reduction and of another kernel belong together.
struct Match {
  SmallVector<unsigned> axes;  // which of the other kernel's positions each of the reduction's is
  SmallVector<int64_t> shifts; // and by how much it is less
  int64_t common = 0;          // elements that both touch
};

class ReductionMerge {
public:
  ReductionMerge(KernelMember &reduction, KernelMember &map, bool mapIsFirst, bool general)
      : reduction(reduction), map(map), mapIsFirst(mapIsFirst), general(general) {}

  /// Whether both may be one kernel, and gain by it.
  bool isPossible() {
    if (!findMatch())
      return false;
    for (const KernelMember::Access &a : map.accesses)
      for (const KernelMember::Access &b : reduction.accesses)
        if ((a.isStore || b.isStore) && mayAlias(a.memory, b.memory, general) &&
            (b.isAside || !makePair(match).isOwnElement(mapIsFirst ? a : b, mapIsFirst ? b : a)))
          return false;
    if (int64_t(map.countStores(reduction.kernel) + reduction.countStores(map.kernel)) > mostStores)
      return false;
    pair.emplace(makePair(match));
    if (pair->canPass())
      return true;
    mapWaits = mapIsFirst && pair->canWait();
    return mapWaits;
  }

  /// Whether the reduction takes the place of a kernel before it; else the map's elements come to the reduction.
  bool movesReduction() const { return mapIsFirst && !mapWaits; }

  void apply() {
    if (!mapWaits)
      pair->moveNeeded();
    if (movesReduction())
      reduction.kernel->moveBefore(map.kernel);
    Block *body = reduction.loop.getBody();
    if (reductionIsInside)
      widen();
    OpBuilder builder = mapIsFirst ? OpBuilder::atBlockBegin(body) : OpBuilder(body->getTerminator());
    Location loc = map.kernel.getLoc();
    SmallVector<Value> positions(map.space.size());
    Value isInside;
    for (auto [number, axis] : llvm::enumerate(match.axes)) {
      positions[axis] = reduction.space[number];
      if (mapIsInside)
        positions[axis] = shift(builder, loc, positions[axis], match.shifts[number]);
      if (mapIsInside && reduction.extents[number] != map.extents[axis])
        isInside = both(builder, loc, isInside, isWithin(builder, loc, positions[axis], map.extents[axis]));
    }
    Block *place = body;
    Block::iterator before = builder.getInsertionPoint();
    if (isInside) {
      auto branch = scf::IfOp::create(builder, loc, isInside, /*withElseRegion=*/false);
      place = branch.thenBlock();
      before = place->getTerminator()->getIterator();
    }
    inlineKernel(map.kernel, positions, place, before);
    sinkStores(body);
  }

private:
  KernelPair makePair(const Match &candidate) {
    if (mapIsFirst) {
      SmallVector<int64_t> less = llvm::map_to_vector(candidate.shifts, [](int64_t shift) { return -shift; });
      return KernelPair(map, reduction, candidate.axes, general, less);
    }
    SmallVector<unsigned> axes(candidate.axes.size());
    SmallVector<int64_t> shifts(candidate.axes.size());
    for (auto [number, axis] : llvm::enumerate(candidate.axes)) {
      axes[axis] = number;
      shifts[axis] = candidate.shifts[number];
    }
    return KernelPair(reduction, map, axes, general, shifts);
  }

  /// Of the ways to distribute the map's positions in their order among the reduction's and its loop's, and to shift
  /// them, the one by which both touch most elements in common.
  bool findMatch() {
    unsigned rank = map.space.size(), inner = reduction.loop.getNumLoops();
    if (rank != reduction.space.size() || rank > 8)
      return false;
    for (unsigned chosen = 0; chosen < 1u << rank; ++chosen) { // the map's axes that the loop goes over
      if (llvm::popcount(chosen) != int(inner))
        continue;
      Match candidate;
      candidate.axes.resize(rank);
      candidate.shifts.assign(rank, 0);
      unsigned outside = 0, inside = rank - inner;
      for (unsigned axis = 0; axis < rank; ++axis)
        candidate.axes[chosen >> axis & 1 ? inside++ : outside++] = axis;
      tryMatch(candidate);
    }
    return match.common > 0;
  }

  /// Takes the shifts that most pairs of accesses have in common.
  void tryMatch(Match candidate) {
    llvm::MapVector<SmallVector<int64_t>, int64_t> votes;
    KernelPair plain = makePair(candidate);
    for (const KernelMember::Access &a : map.accesses)
      for (const KernelMember::Access &b : reduction.accesses)
        if (!b.isAside && !a.positions.empty() && a.memory == b.memory)
          if (auto shifts = getShifts(plain, candidate, a, b))
            ++votes[*shifts];
    for (auto &[shifts, count] : votes) {
      candidate.shifts = shifts;
      candidate.common = count;
      bool isMapInside = false, isReductionInside = false;
      if (count > match.common && areNested(candidate, isMapInside, isReductionInside)) {
        match = candidate;
        mapIsInside = isMapInside;
        reductionIsInside = isReductionInside;
      }
    }
  }

  /// The shifts with which both accesses are to one element, where each axis of the array is along one of the space.
  std::optional<SmallVector<int64_t>> getShifts(KernelPair &plain, const Match &candidate,
                                                const KernelMember::Access &ofMap, const KernelMember::Access &other) {
    SmallVector<int64_t> shifts(map.space.size(), 0);
    for (const auto &[a, b] : llvm::zip_equal(ofMap.positions, other.positions)) {
      LinearForm difference = mapIsFirst ? plain.getDifference(a, b) : plain.getDifference(b, a);
      if (!difference.terms.empty())
        return std::nullopt;
      if (!difference.constant)
        continue;
      auto isOwn = [&](const Term &term) { return llvm::is_contained(reduction.space, term.leaf); };
      auto found = llvm::find_if(b.terms, isOwn);
      if (found == b.terms.end() || llvm::count_if(b.terms, isOwn) != 1 || found->scale || found->factor != 1)
        return std::nullopt;
      shifts[llvm::find(reduction.space, found->leaf) - reduction.space.begin()] =
          mapIsFirst ? difference.constant : -difference.constant;
    }
    return shifts;
  }

  /// Whether the positions of the one are some of the other's.
  bool areNested(const Match &candidate, bool &isMapInside, bool &isReductionInside) {
    unsigned outer = reduction.space.size() - reduction.loop.getNumLoops();
    for (auto [number, axis] : llvm::enumerate(candidate.axes)) {
      Value ofReduction = reduction.extents[number], ofMap = map.extents[axis];
      int64_t shift = candidate.shifts[number];
      if (ofReduction == ofMap && shift == 0)
        continue;
      if (number < outer)
        return false;
      if (std::optional<int64_t> less = getLess(ofMap, ofReduction); less && shift >= 0 && shift <= *less)
        isReductionInside = true;
      else if (less = getLess(ofReduction, ofMap); less && shift <= 0 && -shift <= *less)
        isMapInside = true;
      else
        return false;
    }
    return !(isMapInside && isReductionInside);
  }

  /// By how much the second extent is less, if that is known.
  static std::optional<int64_t> getLess(Value extent, Value other) {
    std::optional<int64_t> a = getConstantIntValue(extent), b = getConstantIntValue(other);
    if (a && b)
      return *a - *b;
    auto sum = other.getDefiningOp<arith::AddIOp>();
    if (!sum || sum.getLhs() != extent)
      return std::nullopt;
    std::optional<int64_t> more = getConstantIntValue(sum.getRhs());
    return more ? std::optional(-*more) : std::nullopt;
  }

  static Value shift(OpBuilder &builder, Location loc, Value position, int64_t by) {
    if (!by)
      return position;
    return arith::AddIOp::create(builder, loc, position, arith::ConstantIndexOp::create(builder, loc, by));
  }
  static Value both(OpBuilder &builder, Location loc, Value a, Value b) {
    return a ? arith::AndIOp::create(builder, loc, a, b).getResult() : b;
  }
  /// Extents that are less than another one by a number may be negative: none of the positions is inside.
  static Value isWithin(OpBuilder &builder, Location loc, Value position, Value extent) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isMore = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, position, zero);
    return both(builder, loc, isMore, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, position, extent));
  }

  /// Lets the reduction's loop go over the map's positions. At those that are not its own it adds what it begins with,
  /// which changes nothing: each thread of a team begins with that.
  void widen() {
    scf::ParallelOp loop = reduction.loop;
    Location loc = loop.getLoc();
    Block *body = loop.getBody();
    Operation *end = body->getTerminator();
    SmallVector<Value> given(end->getOperands());
    OpBuilder builder = OpBuilder::atBlockBegin(body);
    unsigned outer = reduction.space.size() - loop.getNumLoops();
    Value isInside;
    SmallVector<std::pair<Value, Value>> moved;
    for (auto [axis, position] : llvm::enumerate(loop.getInductionVars())) {
      Value extent = reduction.extents[outer + axis], wide = map.extents[match.axes[outer + axis]];
      Value own = shift(builder, loc, position, -match.shifts[outer + axis]);
      if (own != position)
        moved.emplace_back(position, own);
      if (extent != wide)
        isInside = both(builder, loc, isInside, isWithin(builder, loc, own, extent));
      loop.getUpperBoundMutable()[axis].set(wide);
    }
    auto branch = scf::IfOp::create(builder, loc, ValueRange(given).getTypes(), isInside, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      block->clear();
    Block *then = branch.thenBlock();
    then->getOperations().splice(then->end(), body->getOperations(), std::next(branch->getIterator()),
                                 end->getIterator());
    for (auto [position, own] : moved)
      position.replaceUsesWithIf(own, [&](OpOperand &use) { return branch->isProperAncestor(use.getOwner()); });
    OpBuilder inside = OpBuilder::atBlockEnd(then), other = OpBuilder::atBlockEnd(branch.elseBlock());
    scf::YieldOp::create(inside, loc, given);
    scf::YieldOp::create(other, loc, loop.getInitVals());
    end->setOperands(branch.getResults());
    for (auto [number, axis] : llvm::enumerate(match.axes))
      reduction.extents[number] = map.extents[axis];
  }

  /// Puts stores at the end of the loop's body, where no load that follows may see them. A load of the element that was
  /// stored gives the stored value. So what is loaded more than once is known to be the same.
  void sinkStores(Block *body) {
    SmallVector<memref::StoreOp> stores(body->getOps<memref::StoreOp>());
    for (memref::StoreOp store : stores) {
      bool isFree = true;
      SmallVector<memref::LoadOp> same;
      for (Operation *op = store->getNextNode(); op; op = op->getNextNode())
        op->walk([&](Operation *inside) {
          if (auto other = dyn_cast<memref::StoreOp>(inside)) {
            isFree &= other->getBlock() == body && !mayAlias(other.getMemRef(), store.getMemRef(), general);
          } else if (auto load = dyn_cast<memref::LoadOp>(inside)) {
            if (load.getMemRef() == store.getMemRef() && load.getIndices() == store.getIndices())
              same.push_back(load);
            else
              isFree &= !mayAlias(load.getMemRef(), store.getMemRef(), general);
          }
        });
      if (!isFree)
        continue;
      for (memref::LoadOp load : same) {
        load.replaceAllUsesWith(store.getValue());
        load.erase();
      }
      store->moveBefore(body->getTerminator());
    }
  }

  KernelMember &reduction, &map;
  bool mapIsFirst, general;
  bool mapWaits = false;                               // until the reduction runs
  bool mapIsInside = false, reductionIsInside = false; // some positions of the other one are not its own
  Match match;
  std::optional<KernelPair> pair;
};

struct MergeReductions : impl::MergeReductionsBase<MergeReductions> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || !getTargetProperties(function).launchesAreCostly)
      return;
    bool general = function->hasAttr("np.general");
    for (Block *block : getHostBlocks(function)) {
      SmallVector<KernelOp> kernels(block->getOps<KernelOp>());
      for (size_t number = 0; number < kernels.size(); ++number)
        if (KernelMember(kernels[number]).collectReduction())
          takeNeighbours(kernels, number, general);
    }
  }

  /// Merges the reduction with kernels before it and behind it, nearest first.
  static void takeNeighbours(SmallVector<KernelOp> &kernels, size_t &number, bool general) {
    for (int64_t distance = 1; distance <= mostBetween;) {
      int64_t before = int64_t(number) - distance, behind = int64_t(number) + distance;
      Merged merged = before >= 0 ? tryMerge(kernels[number], kernels[before], /*isBefore=*/true, general) : none;
      if (merged == atOther) {
        kernels[before] = kernels[number];
        kernels.erase(kernels.begin() + number);
        number = before;
      } else if (merged == atReduction) {
        kernels.erase(kernels.begin() + before);
        --number;
      } else if (behind < int64_t(kernels.size()) &&
                 tryMerge(kernels[number], kernels[behind], /*isBefore=*/false, general)) {
        kernels.erase(kernels.begin() + behind);
      } else {
        ++distance;
        continue;
      }
      distance = 1;
    }
  }

  /// Whether two kernels are one now, and where it stands.
  enum Merged { none, atOther, atReduction };

  static Merged tryMerge(KernelOp reducing, KernelOp other, bool isBefore, bool general) {
    KernelMember reduction(reducing), map(other);
    if (!reduction.collectReduction() || !map.collect() || map.hasChecks || map.hasLoops || map.kernel.isUnit())
      return none;
    ReductionMerge merge(reduction, map, isBefore, general);
    if (!merge.isPossible())
      return none;
    merge.apply();
    return merge.movesReduction() ? atOther : atReduction;
  }
};
} // namespace
} // namespace npcc
