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
//
// A kernel of its own would write the value, and all others would read it. Next to that a GPU computes much: a division
// of two rows of a stencil is computed for each of them rather than kept. So on a GPU functions that cost something are
// no reason for an array by themselves, but the copies of all that is computed may be.
#include "compiler/kernels/Copies.h"
#include "compiler/kernels/MovedParts.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/target/Target.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;
using namespace npcc::np;

namespace npcc {
namespace {
// A few copies, or copies of little code, cost less than a kernel more and the memory between the two.
constexpr size_t fewCopies = 4, mostCode = 256;

// LLVM's time grows faster than the body of a loop. Behind this many operations on an element, storing and loading it
// again is nothing.
constexpr int64_t longestChain = 512;

// What a device with memory of its own computes of 8-byte numbers in the time in which it writes and reads a byte (an
// H200: 4.2 TB/s, and 64 of them in a cycle of each of 132 units, of which programs reach three quarters), and in the
// time that a kernel more takes. Of 4-byte floats it computes twice as many.
constexpr int64_t operationsOfByte = 6, operationsOfLaunch = 25'000'000, mostOperationsOfLaunch = 256;
// The caches give a quarter as many numbers a cycle as are computed.
constexpr int64_t operationsOfLoad = 4;

/// Operations of the machine for an element of its result, beside those for its operands.
int64_t countOperations(Operation *op) {
  if (isa<LoadOp>(op))
    return operationsOfLoad;
  if (auto insertion = dyn_cast<InsertOp>(op))
    return hasSteps(insertion) ? 12 : 1;
  auto function = dyn_cast<UfuncOp>(op);
  if (!function)
    return isa<CastOp, arith::SelectOp>(op) ? 1 : 0;
  int64_t number = isa<ComplexType>(getElementType(op->getResult(0).getType())) ? 4 : 1;
  if (getElementCost(op) == ElementCost::Cheap)
    return number;
  bool isShort = getElementBytes(getElementType(op->getResult(0).getType())) <= 4;
  switch (function.getName()) {
  case Ufunc::divide:
  case Ufunc::reciprocal:
  case Ufunc::sqrt:
    return (isShort ? 10 : 16) * number;
  default:
    return 30 * number;
  }
}

bool isComputed(Operation *op) { return isa<UfuncOp, CastOp, InsertOp, arith::SelectOp>(op); }

/// A position and a scope, by numbers. The elements that one kernel asks for at one position are one, in one arm of a
/// branch.
using Place = std::pair<int64_t, int64_t>;

class Copies {
public:
  Copies(func::FuncOp function, const llvm::DenseMap<Operation *, int64_t> &groupOf, ExtentOrigins &origins)
      : function(function), groupOf(groupOf), origins(origins),
        isDevice(getTargetProperties(function).launchesAreCostly) {}

  void count(Value value) {
    llvm::SmallSetVector<Place, 4> found;
    for (OpOperand &use : value.getUses())
      if (found.size() <= mostCode)
        visit(use, value, found);
    places[value] = found.takeVector();
  }

  bool isTooMuch(Value value) {
    size_t copies = places[value].size();
    if (copies > fewCopies && copies * getSize(value) > mostCode)
      return true;
    // What is put together of others is no smaller than these.
    if (copies == 1 || !isDevice || value.getDefiningOp<InsertOp>() ||
        !(moved.contains(value) || isExpensive(value, expensive)))
      return false;
    // Each copy of an array's element is a load.
    int64_t computed = countComputed(value);
    return (computed - 1) * getOperations(value) - computed * operationsOfLoad > getOperationsOfArray(value);
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
    if (InsertOp last = getLastOfMoved(user, origins)) {
      for (auto [position, scope] : places[last.getResult()])
        add(number(last, -1, position), number(last, 0, scope)); // one position, which is chosen
      moved.insert(value);
      return;
    }
    if (moved.contains(user->getResult(0)))
      moved.insert(value);
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
    Key key{{op, operand}, before};
    auto [known, isNew] = numbers.try_emplace(key, numbers.size() + 1);
    if (isNew)
      keys.push_back(key);
    return known->second;
  }

  /// Of the copies in the arms of a branch, those in one of them are computed.
  int64_t countComputed(Value value) {
    std::map<int64_t, int64_t> computed; // in a scope; scopes within others have larger numbers
    for (auto [position, scope] : places[value])
      ++computed[scope];
    DenseMap<std::pair<Operation *, int64_t>, int64_t> branches; // the most of its arms, by the scope that it is in
    while (computed.rbegin()->first != 0) {
      auto [scope, count] = *computed.rbegin();
      auto [arm, outer] = keys[scope - 1];
      int64_t &most = branches[{arm.first, outer}];
      // Threads side by side take all arms where these are for every other element.
      auto insertion = dyn_cast<InsertOp>(arm.first);
      bool isMixed = insertion && hasSteps(insertion);
      computed[outer] += isMixed ? count : std::max<int64_t>(count - most, 0);
      most = std::max(most, count);
      computed.erase(scope);
    }
    return computed[0];
  }

  /// What computes an element and is read for it, up to what is too much of a single copy.
  llvm::SmallSetVector<Operation *, 8> getMakers(Value value) {
    llvm::SmallSetVector<Operation *, 8> makers;
    SmallVector<Value> open{value};
    while (!open.empty() && makers.size() <= mostCode) {
      Operation *producer = open.pop_back_val().getDefiningOp();
      if (!producer || !makers.insert(producer) || isa<LoadOp>(producer))
        continue;
      for (Value operand : producer->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          open.push_back(operand);
    }
    return makers;
  }

  size_t getSize(Value value) {
    return llvm::count_if(getMakers(value), [](Operation *op) { return !isa<LoadOp>(op); });
  }

  int64_t getOperations(Value value) {
    int64_t operations = 0;
    for (Operation *op : getMakers(value))
      operations += countOperations(op);
    return operations;
  }

  /// So many operations on an element take as long as to keep it: what is known of the first call says how many
  /// elements share a launch.
  int64_t getOperationsOfArray(Value value) {
    int64_t elements = 1;
    for (int64_t axis = 0; axis < getRank(value.getType()); ++axis) {
      std::optional<int64_t> extent = getInFirstCall(function, origins.of(value, axis));
      if (!extent) {
        elements = operationsOfLaunch;
        break;
      }
      elements *= std::max<int64_t>(*extent, 1);
    }
    Type element = getElementType(value.getType());
    int64_t bytes = getElementBytes(element), pace = isa<FloatType>(element) && bytes <= 4 ? 2 : 1;
    return pace * (operationsOfByte * bytes + std::min(operationsOfLaunch / elements, mostOperationsOfLaunch));
  }

  func::FuncOp function;
  const llvm::DenseMap<Operation *, int64_t> &groupOf;
  ExtentOrigins &origins;
  bool isDevice;
  DenseMap<Value, bool> expensive;
  llvm::DenseSet<Value> moved; // those of which others hold elements in other places
  using Key = std::pair<std::pair<Operation *, int64_t>, int64_t>;
  DenseMap<Key, int64_t> numbers;
  std::vector<Key> keys; // by number
  DenseMap<Value, SmallVector<Place, 4>> places;
};
} // namespace

bool isMadeOfElements(Value value, llvm::DenseMap<Value, bool> &known) {
  Operation *producer = value.getDefiningOp();
  if (!producer || isa<LoadOp>(producer))
    return true;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  bool isElement =
      getElementCost(producer) <= ElementCost::Costly && llvm::all_of(producer->getOperands(), [&](Value operand) {
        return !isa<RankedTensorType>(operand.getType()) || isMadeOfElements(operand, known);
      });
  known[value] = isElement;
  return isElement;
}

void boundCopies(func::FuncOp function, const llvm::DenseMap<Operation *, int64_t> &groupOf, ExtentOrigins &origins,
                 llvm::function_ref<void(Value)> toArray) {
  SmallVector<Value> values;
  function.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) && !isa<LoadOp>(op))
      values.push_back(op->getResult(0));
  });
  Copies copies(function, groupOf, origins);
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
