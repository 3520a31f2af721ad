// How many copies of the code that computes a value the kernels hold.
//
// ElementEmitter computes an element once for each position that is asked for, in each arm of a branch that asks. So
//
//   y = x[1:] + x[:-1]      z = y[1:] + y[:-1]      w = z[1:] + z[:-1] ...
//
// asks for two elements of z, four of y, eight of x: the code doubles with each line, and so it does where both arms of
// numpy.where need what the where before them gave. Here the places that a value is asked for are counted, from the
// sinks up, without emitting anything. Where the copies of a value and of what it is made of are too much code, it
// becomes an array, and counting starts anew above it.
#include "compiler/kernels/Copies.h"
#include "compiler/kernels/Sinks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {
namespace {
// A few copies, or copies of little code, cost less than a kernel more and the memory between the two.
constexpr size_t fewCopies = 4, mostCode = 256;

// LLVM's time grows faster than the body of a loop. Behind this many operations on an element, storing and loading it
// again is nothing.
constexpr int64_t longestChain = 512;

bool isComputed(Operation *op) { return isa<UfuncOp, CastOp, InsertOp, arith::SelectOp>(op); }

/// A position and a scope, by numbers. The elements that one kernel asks for at one position are one, in one arm of a
/// branch.
using Place = std::pair<int64_t, int64_t>;

class Copies {
public:
  Copies(const llvm::DenseMap<Operation *, int64_t> &groupOf, ExtentOrigins &origins)
      : groupOf(groupOf), origins(origins) {}

  void count(Value value) {
    llvm::SmallSetVector<Place, 4> found;
    for (OpOperand &use : value.getUses())
      if (found.size() <= mostCode)
        visit(use, value, found);
    places[value] = found.takeVector();
  }

  bool isTooMuch(Value value) {
    size_t copies = places[value].size();
    return copies > fewCopies && copies * getSize(value) > mostCode;
  }

  void setComputedOnce(Value value) { places[value] = {{number(value.getDefiningOp(), -1, 0), 0}}; }

private:
  void visit(OpOperand &use, Value value, llvm::SmallSetVector<Place, 4> &found) {
    Operation *user = use.getOwner();
    unsigned operand = use.getOperandNumber();
    bool hasAxes = getRank(value.getType()) > 0;
    auto add = [&](int64_t position, int64_t scope) { found.insert({hasAxes ? position : 0, scope}); };
    if (isa<DimOp>(user))
      return;
    bool isStored = isSink(user) && operand == 0;
    if (isStored && user->getBlock() == value.getDefiningOp()->getBlock()) {
      auto group = groupOf.find(user);
      return add(group == groupOf.end() ? number(user, -1, 0) : -1 - group->second, 0);
    }
    if (user->getNumResults() != 1 || !places.contains(user->getResult(0)) || isOpaque(user))
      return add(number(user, operand, 0), 0); // a kernel of its own, or host code
    for (auto [position, scope] : places[user->getResult(0)]) {
      auto where = dyn_cast<UfuncOp>(user);
      InsertOp move = getMoveOf(user);
      if (move && (user == move || isMovedOnly(value)))
        add(number(move, -1, position), scope); // one position, which is chosen
      else if (where && operand > 0 && isBranch(where))
        add(position, number(user, operand, scope));
      else if (isa<UfuncOp, CastOp, arith::SelectOp>(user) || (isa<BroadcastOp>(user) && keepsPosition(use, origins)))
        add(position, scope);
      else if (isa<InsertOp>(user))
        add(operand == 0 ? number(user, -1, position) : position, number(user, operand, scope));
      else if (isa<ReduceOp>(user))
        add(number(user, -1, position), number(user, operand, scope));
      else
        add(number(user, -1, position), scope);
    }
  }

  /// The insertion of an array's own elements that the user is, or that it is the view for.
  static InsertOp getMoveOf(Operation *user) {
    auto insert = dyn_cast<InsertOp>(user);
    if (isa<ViewOp>(user) && !user->use_empty())
      insert = dyn_cast<InsertOp>(*user->user_begin());
    return insert && getMove(insert) ? insert : InsertOp();
  }

  /// Equal numbers for what is equal.
  int64_t number(Operation *op, int64_t operand, int64_t before) {
    return numbers.try_emplace({{op, operand}, before}, numbers.size() + 1).first->second;
  }

  /// How many operations compute an element, up to what is too much of a single copy.
  size_t getSize(Value value) {
    llvm::SmallDenseSet<Value> seen;
    SmallVector<Value> open{value};
    while (!open.empty() && seen.size() <= mostCode) {
      Value next = open.pop_back_val();
      Operation *producer = next.getDefiningOp();
      if (!producer || isa<LoadOp>(producer) || !seen.insert(next).second)
        continue;
      for (Value operand : producer->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          open.push_back(operand);
    }
    return seen.size();
  }

  const llvm::DenseMap<Operation *, int64_t> &groupOf;
  ExtentOrigins &origins;
  DenseMap<std::pair<std::pair<Operation *, int64_t>, int64_t>, int64_t> numbers;
  DenseMap<Value, SmallVector<Place, 4>> places;
};
} // namespace

void boundCopies(func::FuncOp function, const llvm::DenseMap<Operation *, int64_t> &groupOf, ExtentOrigins &origins,
                 llvm::function_ref<void(Value)> toArray) {
  SmallVector<Value> values;
  function.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) && !isa<LoadOp>(op))
      values.push_back(op->getResult(0));
  });
  Copies copies(groupOf, origins);
  for (Value value : llvm::reverse(values)) {
    copies.count(value);
    // What only moves elements is larger than what it moves, or no computation.
    if (!isComputed(value.getDefiningOp()) || !copies.isTooMuch(value))
      continue;
    toArray(value);
    copies.setComputedOnce(value);
  }
}

void boundChains(func::FuncOp function, llvm::function_ref<void(Value)> toArray) {
  DenseMap<Value, int64_t> lengths;
  SmallVector<Value> ends;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()) || isa<LoadOp>(op))
      return;
    Value value = op->getResult(0);
    int64_t length = isComputed(op) ? 1 : 0;
    for (Value operand : op->getOperands())
      length = std::max(length, lengths.lookup(operand) + isComputed(op));
    if (length >= longestChain && isComputed(op) && getRank(value.getType()) > 0) {
      ends.push_back(value);
      length = 0;
    }
    lengths[value] = length;
  });
  for (Value value : ends)
    toArray(value);
}

} // namespace npcc
