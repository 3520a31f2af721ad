// npcc-privatize-arrays: a small array that each iteration of a loop fills before it reads it is each iteration's own.
//
//   %w = np.alloc(9)                                       scf.for %i {
//   scf.for %i {                                             %w = np.alloc(9)
//     scf.for %k = 0 to 9 { store ..., %w[%k] }      ->      scf.for %k = 0 to 9 { store ..., %w[%k] }
//     ... %w[0], %w[4] ... }                                 ... %w[0], %w[4] ... }
//
// Programs make such arrays once, because making them takes time in Python. Nothing that an iteration reads comes from
// another one then, so that iterations may be independent (npcc-parallelize-loops). That all elements are stored is
// seen from stores at constant positions, and from loops with constant bounds, whose positions are counted out. Behind
// the loop nobody reads the array. For targets where a loop in one thread is slow.
//
// An array of one axis whose extent is not known is filled if the elements that an iteration stores are a range that
// grows (FilledFirst.h). It is each iteration's own where the iterations are independent then.
#include "compiler/kernels/FilledFirst.h"
#include "compiler/kernels/LoopTest.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Accesses.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace npcc {
#define GEN_PASS_DEF_PRIVATIZEARRAYS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Elements of an array that each iteration has for itself.
constexpr int64_t mostElements = 64;

class Privatization {
public:
  explicit Privatization(AllocOp array) : array(array) {}

  /// The innermost loop whose iterations may each have the array for themselves.
  scf::ForOp findLoop() {
    // What it holds before the loop is no matter.
    SmallVector<Operation *> users;
    for (Operation *user : array->getUsers()) {
      if (!isa<memref::LoadOp, memref::StoreOp>(user))
        return nullptr;
      auto store = dyn_cast<memref::StoreOp>(user);
      if (store && store.getValueToStore() == array.getResult())
        return nullptr;
      auto kernel = user->getParentOfType<KernelOp>();
      bool isFill = store && kernel && kernel->getBlock() == array->getBlock();
      if (!isFill)
        users.push_back(user);
    }
    scf::ForOp loop = findAround(users);
    return loop && (isSmall() ? fillsFirst(loop) : isFilledFirst(array, loop)) ? loop : scf::ForOp();
  }

  /// Whether it has few elements, as is known when the program is compiled.
  bool isSmall() {
    shape.clear();
    int64_t count = 1;
    for (Value extent : array.getExtents()) {
      IntegerAttr known;
      if (!matchPattern(extent, m_Constant(&known)))
        return false;
      shape.push_back(known.getInt());
      count *= std::max<int64_t>(known.getInt(), 0);
    }
    if (shape.size() != size_t(array.getType().getRank()) || count == 0 || count > mostElements)
      return false;
    stored.clear();
    stored.resize(count);
    return true;
  }

private:
  /// The innermost loop that holds all of them.
  scf::ForOp findAround(ArrayRef<Operation *> users) {
    if (users.empty())
      return nullptr;
    auto loop = users.front()->getParentOfType<scf::ForOp>();
    while (loop && !llvm::all_of(users, [&](Operation *user) { return loop->isProperAncestor(user); }))
      loop = loop->getParentOfType<scf::ForOp>();
    return loop && !loop->isAncestor(array) ? loop : scf::ForOp();
  }

  /// Whether an iteration has stored all elements when it loads the first one.
  bool fillsFirst(scf::ForOp loop) {
    for (Operation &op : loop.getBody()->without_terminator()) {
      bool loads = op.walk([&](memref::LoadOp load) {
                       return load.getMemRef() == array.getResult() ? WalkResult::interrupt() : WalkResult::advance();
                     }).wasInterrupted();
      if (loads)
        return stored.all();
      SmallVector<scf::ForOp> nest;
      addStores(op, nest);
    }
    return false; // nobody reads it
  }

  void addStores(Operation &op, SmallVectorImpl<scf::ForOp> &nest) {
    if (auto store = dyn_cast<memref::StoreOp>(op); store && store.getMemRef() == array.getResult())
      countOut(store, nest, 0, llvm::SmallDenseMap<Value, int64_t>());
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !loop.getStaticTripCount() || loop.getStaticTripCount()->ugt(mostElements) ||
        !getConstantIntValue(loop.getLowerBound()) || !getConstantIntValue(loop.getStep()))
      return;
    nest.push_back(loop);
    for (Operation &inside : loop.getBody()->without_terminator())
      addStores(inside, nest);
    nest.pop_back();
  }

  /// Marks the elements that a store in a nest of loops stores, in all iterations.
  void countOut(memref::StoreOp store, ArrayRef<scf::ForOp> nest, size_t depth,
                llvm::SmallDenseMap<Value, int64_t> at) {
    if (depth < nest.size()) {
      scf::ForOp loop = nest[depth];
      int64_t position = *getConstantIntValue(loop.getLowerBound()), step = *getConstantIntValue(loop.getStep());
      for (uint64_t k = 0, count = loop.getStaticTripCount()->getZExtValue(); k < count; ++k, position += step) {
        at[loop.getInductionVar()] = position;
        countOut(store, nest, depth + 1, at);
      }
      return;
    }
    int64_t number = 0;
    for (auto [index, extent] : llvm::zip_equal(store.getIndices(), shape)) {
      std::optional<int64_t> position = evaluate(index, at);
      if (!position || *position < 0 || *position >= extent)
        return;
      number = number * extent + *position;
    }
    stored.set(number);
  }

  static std::optional<int64_t> evaluate(Value value, const llvm::SmallDenseMap<Value, int64_t> &at) {
    if (auto place = at.find(value); place != at.end())
      return place->second;
    if (std::optional<int64_t> known = getConstantIntValue(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (auto cast = dyn_cast_or_null<arith::IndexCastOp>(op))
      return evaluate(cast.getIn(), at);
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return std::nullopt;
    std::optional<int64_t> lhs = evaluate(op->getOperand(0), at), rhs = evaluate(op->getOperand(1), at);
    if (!lhs || !rhs)
      return std::nullopt;
    return isa<arith::AddIOp>(op) ? *lhs + *rhs : isa<arith::SubIOp>(op) ? *lhs - *rhs : *lhs * *rhs;
  }

  AllocOp array;
  SmallVector<int64_t> shape;
  llvm::BitVector stored; // elements, in row-major order
};

struct PrivatizeArrays : impl::PrivatizeArraysBase<PrivatizeArrays> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || getTargetProperties(function).hostSharesMemory)
      return;
    bool general = function->hasAttr("np.general");
    SmallVector<AllocOp> arrays;
    function.walk([&](AllocOp array) { arrays.push_back(array); });
    llvm::MapVector<Operation *, SmallVector<AllocOp>> large; // by loop
    for (AllocOp array : arrays) {
      Privatization privatization(array);
      scf::ForOp loop = privatization.findLoop();
      if (loop && privatization.isSmall())
        moveInto(array, loop);
      else if (loop)
        large[loop].push_back(array);
    }
    // Others take memory for each iteration: only where that is all that keeps them apart.
    for (auto &[op, ofLoop] : large) {
      auto loop = cast<scf::ForOp>(op);
      SmallVector<std::pair<AllocOp, AllocOp>> moved;
      for (AllocOp array : ofLoop)
        moved.emplace_back(array, copyInto(array, loop));
      bool isIndependent = LoopTest(loop, loop, general).isIndependent();
      for (auto [array, own] : moved) {
        if (!isIndependent)
          own.getResult().replaceAllUsesWith(array.getResult());
        AllocOp unused = isIndependent ? array : own;
        if (isIndependent)
          dropFills(array);
        if (unused.use_empty())
          unused.erase();
      }
    }
  }

  /// The loop's iterations use an array of their own.
  static AllocOp copyInto(AllocOp array, scf::ForOp loop) {
    OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
    auto own = cast<AllocOp>(builder.clone(*array));
    array.getResult().replaceUsesWithIf(own.getResult(),
                                        [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); });
    return own;
  }

  static void moveInto(AllocOp array, scf::ForOp loop) {
    copyInto(array, loop);
    if (array.use_empty())
      array.erase();
  }

  /// What is stored to an array that nobody reads any more.
  static void dropFills(AllocOp array) {
    for (Operation *user : llvm::make_early_inc_range(array->getUsers()))
      user->erase();
  }
};
} // namespace
} // namespace npcc
