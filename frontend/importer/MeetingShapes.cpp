// Shapes that do not fit show when the arrays meet, which is when the program runs. Where a clause of the program would
// take that error, they are compared before, so that it is a branch to the clause.
#include "frontend/importer/NpBuilder.h"

using namespace mlir;

namespace npcc::frontend {

std::string NpBuilder::shapeText(Value of, SmallVectorImpl<Value> &extents) { return extentText(dims(of), extents); }

std::string NpBuilder::extentText(ValueRange of, SmallVectorImpl<Value> &extents) {
  std::string text;
  for (Value extent : of) {
    text += (text.empty() ? "{" : ",{") + std::to_string(extents.size()) + "}";
    extents.push_back(extent);
  }
  return "(" + text + (of.size() == 1 ? ",)" : ")");
}

static Value isOne(NpBuilder &builder, Value extent) {
  return builder.compareIndex(arith::CmpIPredicate::eq, extent, builder.index(1));
}

SmallVector<Value> NpBuilder::broadcastExtents(ArrayRef<Value> arrays, Value &doFit) {
  std::vector<SmallVector<Value>> shapes;
  for (Value array : arrays)
    shapes.push_back(dims(array));
  return broadcastShapes(SmallVector<ArrayRef<Value>>(shapes.begin(), shapes.end()), doFit);
}

SmallVector<Value> NpBuilder::broadcastShapes(ArrayRef<ArrayRef<Value>> shapes, Value &doFit) {
  SmallVector<Value> together; // from the last axis on
  doFit = boolean(true);
  for (ArrayRef<Value> extents : shapes)
    for (auto [axis, extent] : llvm::enumerate(llvm::reverse(extents))) {
      if (axis == together.size()) {
        together.push_back(extent);
        continue;
      }
      Value others = together[axis], othersAreOne = isOne(*this, others);
      if (others == extent)
        continue;
      Value fits = createOrFold<arith::OrIOp>(compareIndex(arith::CmpIPredicate::eq, extent, others),
                                              createOrFold<arith::OrIOp>(isOne(*this, extent), othersAreOne));
      doFit = createOrFold<arith::AndIOp>(doFit, fits);
      together[axis] = createOrFold<arith::SelectOp>(othersAreOne, extent, others);
    }
  std::reverse(together.begin(), together.end());
  return together;
}

void NpBuilder::checkMeeting(ArrayRef<Value> operands) {
  SmallVector<Value> arrays;
  for (Value operand : operands)
    if (isa<np::ArrayType, RankedTensorType>(operand.getType()) && np::getRank(operand.getType()) > 0)
      arrays.push_back(operand);
  if (!isCaught || arrays.size() < 2 || llvm::all_equal(arrays) || !isCaught("ValueError", ""))
    return;
  Value doFit;
  broadcastExtents(arrays, doFit);
  std::string shapes;
  SmallVector<Value> extents;
  for (Value operand : operands)
    shapes += isa<np::ArrayType, RankedTensorType>(operand.getType()) ? shapeText(operand, extents) + " " : "() ";
  if (output)
    shapes += shapeText(output, extents) + " ";
  check(doFit, "ValueError", "operands could not be broadcast together with shapes " + shapes, extents);
}

void NpBuilder::checkStored(Value stored, Value array, bool isOutput) {
  if (!isCaught || stored == array || np::getRank(stored.getType()) == 0 || !isCaught("ValueError", ""))
    return;
  Value doFit = boolean(true);
  SmallVector<Value> given = dims(stored), rooms = dims(array);
  for (auto [extent, room] : llvm::zip(llvm::reverse(given), llvm::reverse(rooms))) {
    if (extent == room)
      continue;
    Value isSame = compareIndex(arith::CmpIPredicate::eq, extent, room);
    doFit = createOrFold<arith::AndIOp>(doFit, createOrFold<arith::OrIOp>(isSame, isOne(*this, extent)));
  }
  SmallVector<Value> extents;
  std::string from = shapeText(isOutput ? array : stored, extents),
              into = shapeText(isOutput ? stored : array, extents);
  check(doFit, "ValueError",
        isOutput ? "non-broadcastable output operand with shape " + from + " doesn't match the broadcast shape " + into
                 : "could not broadcast input array from shape " + from + " into shape " + into,
        extents);
}

} // namespace npcc::frontend
