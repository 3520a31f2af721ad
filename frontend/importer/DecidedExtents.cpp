#include "frontend/importer/DecidedExtents.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Names.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Recursion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// On a condition that was decided: what it was taken to be, and its place in the source.
constexpr StringRef mark = "np.decided";
/// Operations that one question looks at, at most.
constexpr unsigned longest = 400;

class Extents {
public:
  std::optional<int64_t> number(Value value) {
    APInt known;
    if (matchPattern(value, m_ConstantInt(&known)))
      return known.getBitWidth() == 1 ? known.getZExtValue() : known.getSExtValue();
    Operation *op = value.getDefiningOp();
    if (!op || ++steps > longest)
      return std::nullopt;
    if (auto dim = dyn_cast<np::DimOp>(op))
      return extent(dim.getSource(), dim.getAxis());
    if (auto broadcast = dyn_cast<np::BroadcastExtentOp>(op))
      return broadcastOf(broadcast);
    if (!value.getType().isIntOrIndex() || op->getNumResults() != 1 || !isMemoryEffectFree(op))
      return std::nullopt;
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> one = operand.getType().isIntOrIndex() ? number(operand) : std::nullopt;
      if (one == itself)
        return one;
      operands.push_back(one ? IntegerAttr::get(operand.getType(), *one) : IntegerAttr());
    }
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.size() != 1)
      return std::nullopt;
    if (auto result = dyn_cast<Value>(results[0]))
      return result == value ? std::nullopt : number(result);
    auto folded = dyn_cast<IntegerAttr>(cast<Attribute>(results[0]));
    if (!folded)
      return std::nullopt;
    return folded.getType().isInteger(1) ? int64_t(!folded.getValue().isZero()) : folded.getInt();
  }

private:
  /// What follows from itself: what else the slot is set to says how large it is.
  static constexpr int64_t itself = std::numeric_limits<int64_t>::min();

  std::optional<int64_t> broadcastOf(np::BroadcastExtentOp op) {
    int64_t result = 1;
    for (Value extent : {op.getLhs(), op.getRhs()}) { // the others are what an error shows
      std::optional<int64_t> one = number(extent);
      if (!one || *one == itself)
        return one;
      if (*one != 1)
        result = *one;
    }
    return result;
  }

  std::optional<int64_t> extent(Value shaped, int64_t axis) {
    ArrayRef<int64_t> shape = np::getShape(shaped.getType());
    if (!ShapedType::isDynamic(shape[axis]))
      return shape[axis];
    Operation *op = shaped.getDefiningOp();
    if (!op || ++steps > longest)
      return std::nullopt;
    if (isa<np::LoadOp, np::NewOp>(op))
      return extent(op->getOperand(0), axis);
    if (auto empty = dyn_cast<np::EmptyOp>(op))
      return number(empty.getExtents()[llvm::count(shape.take_front(axis), ShapedType::kDynamic)]);
    if (auto room = dyn_cast<np::MakeRoomOp>(op))
      return axis == 0 ? std::nullopt : number(room.getExtents()[axis - 1]);
    if (auto get = dyn_cast<np::GetOp>(op))
      return extentOfSlot(get.getSlot(), axis);
    auto shapes = dyn_cast<ReifyRankedShapedTypeOpInterface>(op);
    if (!shapes)
      return std::nullopt;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op); // an extent that is data is asked of the value itself
    ReifiedRankedShapedTypeDims extents;
    if (failed(shapes.reifyResultShapes(builder, extents)))
      return std::nullopt;
    OpFoldResult found = extents[cast<OpResult>(shaped).getResultNumber()][axis];
    if (std::optional<int64_t> known = getConstantIntValue(found))
      return known;
    auto value = dyn_cast<Value>(found);
    auto own = value ? value.getDefiningOp<np::DimOp>() : np::DimOp();
    return own && own.getSource() == shaped ? std::nullopt : number(value);
  }

  std::optional<int64_t> extentOfSlot(Value slot, int64_t axis) {
    std::pair<Value, int64_t> key{slot, axis};
    if (auto open = taken.find(key); open != taken.end())
      return open->second;
    // What it is set to is asked for twice: then with what the first answers were.
    int64_t before = itself;
    std::optional<int64_t> result;
    for (int round = 0; round < 2; ++round) {
      taken[key] = before;
      result = itself;
      for (Operation *user : slot.getUsers()) {
        auto set = dyn_cast<np::SetOp>(user);
        std::optional<int64_t> one = set ? extent(set.getValue(), axis) : itself;
        if (one == itself)
          continue;
        if (!one || (result != itself && result != one)) {
          taken.erase(key);
          return std::nullopt;
        }
        result = one;
      }
      if (round > 0 && result != before) {
        taken.erase(key);
        return std::nullopt;
      }
      before = *result;
    }
    taken.erase(key);
    return result;
  }

  llvm::DenseMap<std::pair<Value, int64_t>, int64_t> taken; // of the slots that are being asked for
  unsigned steps = 0;
};

} // namespace

std::optional<bool> decide(Interpreter &in, Value condition) {
  Operation *op = condition.getDefiningOp();
  std::string site = siteOf(in, in.currentNode);
  if (!op || !in.outlines || in.outlines->undecided.count(site))
    return std::nullopt;
  std::optional<int64_t> known = Extents().number(condition);
  if (!known || (*known != 0 && *known != 1))
    return std::nullopt;
  op->setAttr(mark, in.ir.getStringAttr((*known ? "1" : "0") + site));
  return *known != 0;
}

void checkDecided(Interpreter &in) {
  SmallVector<Operation *> conditions;
  in.ir.function.walk([&](Operation *op) {
    if (op->hasAttr(mark))
      conditions.push_back(op);
  });
  for (Operation *op : conditions) {
    std::optional<int64_t> known = Extents().number(op->getResult(0));
    StringRef decided = cast<StringAttr>(op->removeAttr(mark)).getValue();
    if (!known || (decided[0] == '1') != (*known != 0))
      in.outlines->foundMore |= in.outlines->undecided.insert(decided.drop_front().str()).second;
  }
}

} // namespace npcc::frontend
