// npcc-raise-folds: the loop of a kernel of one iteration, which carries scalars, is a fold where what it computes
// beside them can be told apart.
//
//   %s = scf.for %i = %lo to %hi step %by iter_args(%t = %init) {
//     %x = memref.load %a[%i]
//     %u = arith.mulf %t, %half
//     %v = arith.addf %u, %x
//     memref.store %v, %y[%i]
//     scf.yield %v }
// becomes
//   %s = np.fold ordered %n init(%init) {
//   ^bb0(%k):     %i = %lo + %k * %by   %x = memref.load %a[%i]   np.yield %x
//   } combine {
//   ^bb0(%t, %x): %u = arith.mulf %t, %half   %v = arith.addf %u, %x   np.yield %v
//   } each {
//   ^bb0(%k, %v): memref.store %v, %y[%lo + %k * %by]   np.yield }
//
// Operations that need nothing of what is carried compute elements. What makes the next totals is scalar code. What is
// left needs the next totals, and stores; no position reads what another one stores. Where totals are exact in any
// grouping (sums of integers, the greatest of numbers) and nothing is stored, the fold is a reduction: an inner
// parallel loop.
#include "compiler/kernels/Folds.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/TripCounts.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_RAISEFOLDS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;

namespace {
// Threads hand over elements and totals in shared memory.
constexpr size_t mostValues = 8;

/// The same in any grouping, bit for bit.
bool isExact(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(op);
}

class LoopParts {
public:
  LoopParts(scf::ForOp loop, bool general, bool ignoresChecks = false)
      : loop(loop), general(general), ignoresChecks(ignoresChecks) {}

  bool find() {
    if (loop.getNumRegionIterArgs() == 0 || !llvm::all_of(loop.getResultTypes(), isScalar))
      return false;
    Block *body = loop.getBody();
    llvm::SmallDenseSet<Operation *> dependent;
    for (Operation &op : body->without_terminator()) {
      bool depends =
          op.walk([&](Operation *inside) {
              for (Value operand : inside->getOperands()) {
                Operation *top =
                    operand.getDefiningOp() ? body->findAncestorOpInBlock(*operand.getDefiningOp()) : nullptr;
                if (llvm::is_contained(loop.getRegionIterArgs(), operand) || (top && dependent.contains(top)))
                  return WalkResult::interrupt();
              }
              return WalkResult::advance();
            }).wasInterrupted();
      if (depends)
        dependent.insert(&op);
      else
        element.push_back(&op);
    }
    // From the next totals back.
    llvm::SetVector<Operation *> combining;
    SmallVector<Value> open(body->getTerminator()->getOperands());
    while (!open.empty()) {
      Operation *op = open.pop_back_val().getDefiningOp();
      op = op ? body->findAncestorOpInBlock(*op) : nullptr;
      if (!op || !dependent.contains(op) || !combining.insert(op))
        continue;
      op->walk([&](Operation *inside) { llvm::append_range(open, inside->getOperands()); });
    }
    for (Operation &op : body->without_terminator())
      if (dependent.contains(&op))
        (combining.contains(&op) ? combine : each).push_back(&op);
    return !combine.empty() && isElementCode() && isCombineCode() && isEachCode() && readsItsOwn() && collectValues();
  }

  /// Whether threads may share the loop and combine what each of them finds.
  bool isReduction() { return isGroupedInAnyWay() && each.empty(); }

  void raise() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value lower = loop.getLowerBound(), step = loop.getStep();
    // Where the host knows the extent, it is the host's to compute.
    Operation *kernel = loop->getParentOfType<np::KernelOp>();
    if (llvm::all_of(ValueRange{lower, loop.getUpperBound(), step},
                     [&](Value bound) { return isInvariant(bound, kernel); }))
      builder.setInsertionPoint(kernel);
    Value span = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), lower);
    Value extent = builder.createOrFold<arith::CeilDivSIOp>(loc, span, step);
    if (!extent.getType().isIndex())
      extent = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), extent);
    extent = builder.createOrFold<arith::MaxSIOp>(loc, extent, arith::ConstantIndexOp::create(builder, loc, 0));
    builder.setInsertionPoint(loop);
    bool isAny = isGroupedInAnyWay();
    if (isAny && each.empty())
      return makeReduction(builder, extent);
    // Teams that group totals know the running ones alone.
    auto grouping = isAny && loop.use_empty() ? np::Grouping::any : np::Grouping::ordered;
    auto fold = np::FoldOp::create(builder, loc, loop.getResultTypes(), grouping, /*neutral=*/false, extent,
                                   loop.getInitArgs());
    auto fill = [&](Region &region, TypeRange takes, llvm::function_ref<void(Block &, IRMapping &)> prepare,
                    ArrayRef<Operation *> code, ValueRange gives) {
      Block *block = builder.createBlock(&region, region.end(), takes, SmallVector<Location>(takes.size(), loc));
      IRMapping mapping;
      prepare(*block, mapping);
      for (Operation *op : code)
        builder.clone(*op, mapping);
      SmallVector<Value> values;
      for (Value value : gives)
        values.push_back(mapping.lookupOrDefault(value));
      np::YieldOp::create(builder, loc, values);
    };
    auto mapPosition = [&](Block &block, IRMapping &mapping) {
      mapping.map(loop.getInductionVar(), emitPosition(builder, loop, block.getArgument(0)));
    };
    SmallVector<Type> totals(loop.getResultTypes()), both = totals, running{builder.getIndexType()};
    llvm::append_range(both, ValueRange(values.getArrayRef()).getTypes());
    llvm::append_range(running, totals);
    fill(fold.getElement(), builder.getIndexType(), mapPosition, element, values.getArrayRef());
    ValueRange next = loop.getBody()->getTerminator()->getOperands();
    fill(
        fold.getCombine(), both,
        [&](Block &block, IRMapping &mapping) {
          mapping.map(loop.getRegionIterArgs(), block.getArguments().take_front(totals.size()));
          mapping.map(values.getArrayRef(), block.getArguments().drop_front(totals.size()));
        },
        combine, next);
    SmallVector<Operation *> beside = getElementCodeOfEach();
    beside.append(each);
    fill(fold.getEach(), running,
         [&](Block &block, IRMapping &mapping) {
           mapPosition(block, mapping);
           mapping.map(next, block.getArguments().drop_front());
         },
         beside, {});
    loop.replaceAllUsesWith(fold.getResults());
    loop.erase();
  }

private:
  static bool isScalar(Type type) { return type.isIntOrIndexOrFloat() || isa<ComplexType>(type); }

  static bool holds(Operation *op, llvm::function_ref<bool(Operation *)> what) {
    return op->walk([&](Operation *inside) { return what(inside) ? WalkResult::interrupt() : WalkResult::advance(); })
        .wasInterrupted();
  }

  /// Loads and scalar code. A check is that where nothing is stored: what came before it cannot be seen then.
  bool isElementCode() {
    return llvm::none_of(element, [&](Operation *op) {
      return holds(op, [&](Operation *inside) {
        bool isCheck = isa<np::CheckIndexOp, np::AssertOp>(inside) && (each.empty() || ignoresChecks);
        return inside->getNumRegions() == 0 && !isCheck && !isa<memref::LoadOp>(inside) && !isMemoryEffectFree(inside);
      });
    });
  }
  bool isCombineCode() {
    return llvm::none_of(combine, [&](Operation *op) {
      return holds(op, [&](Operation *inside) {
        return isa<scf::ParallelOp>(inside) || (inside->getNumRegions() == 0 && !isMemoryEffectFree(inside));
      });
    });
  }
  /// Stores, and scalar code, of the next totals.
  bool isEachCode() {
    Block *body = loop.getBody();
    ValueRange next = body->getTerminator()->getOperands();
    return llvm::none_of(each, [&](Operation *op) {
      return holds(op, [&](Operation *inside) {
        for (Value operand : inside->getOperands()) {
          Operation *top = operand.getDefiningOp() ? body->findAncestorOpInBlock(*operand.getDefiningOp()) : nullptr;
          bool isOld = llvm::is_contained(loop.getRegionIterArgs(), operand);
          if (isOld || (top && llvm::is_contained(combine, top) && !llvm::is_contained(next, operand)))
            return true;
        }
        return inside->getNumRegions() == 0 && !isa<memref::StoreOp>(inside) && !isMemoryEffectFree(inside);
      });
    });
  }

  /// An axis with the loop's position, moved by what is the same for all iterations: no other iteration is there.
  bool isOfOneIteration(const Stream &stream) {
    return llvm::any_of(stream.terms, [&](ArrayRef<Term> terms) {
      auto isPosition = [&](const Term &term) { return term.leaf == loop.getInductionVar() && !term.scale; };
      return llvm::count_if(terms, isPosition) == 1 && llvm::all_of(terms, [&](const Term &term) {
               return isPosition(term) || loop.isDefinedOutsideOfLoop(term.leaf);
             });
    });
  }

  /// What is stored no other iteration stores, and it is read at the position that is stored alone.
  bool readsItsOwn() {
    KernelAccesses accesses(loop);
    for (Operation *op : accesses.getOps()) {
      const KernelAccess &store = accesses.lookup(op);
      if (!store.isStore)
        continue;
      if (!isOfOneIteration(*store.stream))
        return false;
      for (Operation *other : accesses.getOps()) {
        const KernelAccess &access = accesses.lookup(other);
        if (other == op || !mayAlias(access.stream->memref, store.stream->memref, general))
          continue;
        if (access.stream != store.stream || access.constants != store.constants)
          return false;
      }
    }
    return !accesses.getUnsupported();
  }

  /// The elements: what the combining code uses of the loop's body that is none of it.
  bool collectValues() {
    Block *body = loop.getBody();
    auto collect = [&](Value value) {
      Operation *op = value.getDefiningOp();
      Operation *top = op ? body->findAncestorOpInBlock(*op) : nullptr;
      if (value == loop.getInductionVar() || (top && llvm::is_contained(element, top)))
        values.insert(value);
    };
    for (Operation *op : combine)
      op->walk([&](Operation *inside) { llvm::for_each(inside->getOperands(), collect); });
    llvm::for_each(body->getTerminator()->getOperands(), collect);
    return values.size() + loop.getNumResults() <= mostValues &&
           llvm::all_of(values, [](Value value) { return isScalar(value.getType()); });
  }

  /// Positions and other scalar code are computed again beside the totals; what was loaded would have to be handed
  /// over.
  SmallVector<Operation *> getElementCodeOfEach() {
    llvm::SetVector<Operation *> slice;
    SmallVector<Operation *> open(each);
    while (!open.empty())
      open.pop_back_val()->walk([&](Operation *inside) {
        for (Value operand : inside->getOperands())
          for (Operation *op : element)
            if (operand.getDefiningOp() && op->isAncestor(operand.getDefiningOp()) && slice.insert(op))
              open.push_back(op);
      });
    SmallVector<Operation *> ordered;
    for (Operation *op : element)
      if (slice.contains(op))
        ordered.push_back(op);
    return ordered;
  }

  bool isGroupedInAnyWay() {
    if (combine.size() != loop.getNumResults() || values.size() != combine.size())
      return false;
    for (auto [total, next] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands())) {
      Operation *op = next.getDefiningOp();
      if (!op || !isExact(op) || !total.hasOneUse() || *total.user_begin() != op ||
          llvm::none_of(op->getOperands(), [&](Value operand) { return values.contains(operand); }))
        return false;
    }
    // The k-th element goes to the k-th total.
    SmallVector<Value> ordered;
    for (auto [total, next] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getBody()->getTerminator()->getOperands())) {
      Operation *op = next.getDefiningOp();
      ordered.push_back(op->getOperand(op->getOperand(0) == total));
    }
    if (llvm::SmallDenseSet<Value>(ordered.begin(), ordered.end()).size() != ordered.size())
      return false;
    values = llvm::SetVector<Value>(ordered.begin(), ordered.end());
    return true;
  }

  /// What leaves every number as it is.
  static Value emitNeutral(OpBuilder &builder, Location loc, Operation *combine) {
    Type type = combine->getResult(0).getType();
    std::optional<TypedAttr> neutral = arith::getNeutralElement(combine);
    if (!neutral && isa<arith::MaximumFOp, arith::MinimumFOp>(combine)) {
      auto number =
          APFloat::getInf(cast<FloatType>(type).getFloatSemantics(), /*Negative=*/isa<arith::MaximumFOp>(combine));
      neutral = FloatAttr::get(type, number);
    }
    return neutral ? Value(arith::ConstantOp::create(builder, loc, *neutral)) : Value();
  }

  void makeReduction(OpBuilder &builder, Value extent) {
    Location loc = loop.getLoc();
    SmallVector<Operation *> combiners;
    SmallVector<Value> neutral;
    for (Value next : loop.getBody()->getTerminator()->getOperands()) {
      combiners.push_back(next.getDefiningOp());
      neutral.push_back(emitNeutral(builder, loc, combiners.back()));
    }
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto all = scf::ParallelOp::create(builder, loc, zero, extent, one, neutral);
    SmallVector<Value> totals;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(all.getBody());
      IRMapping mapping;
      mapping.map(loop.getInductionVar(), emitPosition(builder, loop, all.getInductionVars()[0]));
      for (Operation *op : element)
        builder.clone(*op, mapping);
      SmallVector<Value> reduced;
      for (Value value : values)
        reduced.push_back(mapping.lookupOrDefault(value));
      auto reduce = scf::ReduceOp::create(builder, loc, reduced);
      for (auto [region, combiner] : llvm::zip_equal(reduce.getReductions(), combiners)) {
        Block &block = region.front();
        builder.setInsertionPointToStart(&block);
        scf::ReduceReturnOp::create(builder, loc,
                                    emitPair(builder, combiner, block.getArgument(0), block.getArgument(1)));
      }
    }
    for (auto [combiner, init, result] : llvm::zip_equal(combiners, loop.getInitArgs(), all.getResults()))
      totals.push_back(emitPair(builder, combiner, init, result));
    loop.replaceAllUsesWith(totals);
    loop.erase();
  }
  Value emitPair(OpBuilder &builder, Operation *combiner, Value total, Value other) {
    IRMapping mapping;
    for (Value operand : combiner->getOperands())
      mapping.map(operand, llvm::is_contained(loop.getRegionIterArgs(), operand) ? total : other);
    return builder.clone(*combiner, mapping)->getResult(0);
  }

  scf::ForOp loop;
  bool general, ignoresChecks;
  SmallVector<Operation *> element, combine, each;
  llvm::SetVector<Value> values;
};

} // namespace

bool isFold(scf::ForOp loop, bool general, bool ignoresChecks) {
  return LoopParts(loop, general, ignoresChecks).find();
}

bool isReduction(scf::ForOp loop, bool general) {
  LoopParts parts(loop, general);
  return parts.find() && parts.isReduction();
}

void raiseReduction(scf::ForOp loop, bool general) {
  LoopParts parts(loop, general);
  if (parts.find() && parts.isReduction())
    parts.raise();
}

namespace {
struct RaiseFolds : impl::RaiseFoldsBase<RaiseFolds> {
  void runOnOperation() override {
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](np::KernelOp kernel) {
      if (kernel.isUnit())
        llvm::append_range(loops, kernel.getBody()->getOps<scf::ForOp>());
    });
    for (scf::ForOp loop : loops) {
      LoopParts parts(loop, general);
      if (parts.find())
        parts.raise();
    }
  }
};
} // namespace
} // namespace npcc
