#include "frontend/numpy/OutputShapes.h"
#include "frontend/importer/Assignment.h"

using namespace mlir;

namespace npcc::frontend {

PyValue outputOf(Interpreter &in, PyValue out) {
  std::vector<PyValue> items;
  if (asSequence(in, out, items) && items.size() == 1)
    out = items[0];
  return in.env.bound(out);
}

static Value both(Interpreter &in, Value a, Value b) { return in.ir.createOrFold<arith::AndIOp>(a, b); }
static Value either(Interpreter &in, Value a, Value b) { return in.ir.createOrFold<arith::OrIOp>(a, b); }
static Value areEqual(Interpreter &in, Value a, Value b) {
  return a == b ? in.ir.boolean(true) : in.ir.compareIndex(arith::CmpIPredicate::eq, a, b);
}
static Value isOne(Interpreter &in, Value extent) { return areEqual(in, extent, in.ir.index(1)); }

/// For each of the last axes that both have: whether NumPy could make the extents one by repeating, and whether the
/// output would not be what is repeated.
static void compareAxes(Interpreter &in, Value result, Value out, Value &meet, Value &keepOutput) {
  meet = keepOutput = in.ir.boolean(true);
  SmallVector<Value> given = in.ir.dims(out), wanted = in.ir.dims(result);
  for (size_t axis = 1; axis <= std::min(given.size(), wanted.size()); ++axis) {
    Value mine = given[given.size() - axis], other = wanted[wanted.size() - axis], equal = areEqual(in, mine, other);
    meet = both(in, meet, either(in, equal, either(in, isOne(in, mine), isOne(in, other))));
    keepOutput = both(in, keepOutput, either(in, equal, isOne(in, other)));
  }
}

/// What the result and the output broadcast to, as NumPy writes it.
static std::string broadcastWords(Interpreter &in, Value result, Value out, SmallVectorImpl<Value> &extents) {
  SmallVector<Value> longer = in.ir.dims(result), shorter = in.ir.dims(out);
  if (longer.size() < shorter.size())
    std::swap(longer, shorter);
  size_t added = longer.size() - shorter.size();
  for (size_t axis = added; axis < longer.size(); ++axis)
    longer[axis] = in.ir.createOrFold<arith::SelectOp>(isOne(in, longer[axis]), shorter[axis - added], longer[axis]);
  return in.ir.extentText(longer, extents);
}

bool checkOutputOfUfunc(Interpreter &in, ArrayRef<PyValue> operands, const PyValue &result, const PyValue &out) {
  Value meet, keepOutput;
  compareAxes(in, result.ir(), out.ir(), meet, keepOutput);
  SmallVector<Value> extents;
  std::string shapes;
  for (const PyValue &operand : operands) {
    Value array = operand.isRuntime() ? operand.ir() : operand.isSequence() ? asArray(in, operand) : Value();
    bool hasAxes = array && isa<ShapedType, np::ArrayType>(array.getType());
    shapes += (hasAxes ? shapeWords(in, array, extents) : "()") + " ";
  }
  shapes += shapeWords(in, out.ir(), extents) + " ";
  in.ir.check(meet, "ValueError", "operands could not be broadcast together with shapes " + shapes, extents);
  bool hasAxes = out.rank() >= result.rank();
  extents.clear();
  std::string given = shapeWords(in, out.ir(), extents), wanted = broadcastWords(in, result.ir(), out.ir(), extents);
  in.ir.check(hasAxes ? keepOutput : in.ir.boolean(false), "ValueError",
              "non-broadcastable output operand with shape " + given + " doesn't match the broadcast shape " + wanted,
              extents);
  return hasAxes;
}

/// The output's extents at the operand's axes, as NumPy's iterators say them: those in front that it has not are left
/// out.
static std::string remappedWords(Interpreter &in, Value out, int64_t rank, ArrayRef<int64_t> missing,
                                 SmallVectorImpl<Value> &extents) {
  SmallVector<Value> dims = in.ir.dims(out);
  std::string text;
  for (int64_t axis = 0, at = 0; axis < rank; ++axis) {
    if (llvm::is_contained(missing, axis)) {
      text += text.empty() ? "" : ",newaxis";
      continue;
    }
    text += (text.empty() ? "{" : ",{") + std::to_string(extents.size()) + "}";
    extents.push_back(dims[at++]);
  }
  return "(" + text + (rank == 1 && !text.empty() ? ",)" : ")");
}

void checkOutputOfReduction(Interpreter &in, Value operand, ArrayRef<int64_t> axes, bool keepdims, Value result,
                            Value out) {
  int64_t rank = np::getRank(operand.getType());
  Value meet, keepOutput;
  compareAxes(in, result, out, meet, keepOutput);
  SmallVector<Value> extents, given = in.ir.dims(out), wanted = in.ir.dims(result);
  std::string from = shapeWords(in, out, extents),
              to = remappedWords(in, out, rank, keepdims ? ArrayRef<int64_t>() : axes, extents),
              of = shapeWords(in, operand, extents);
  in.ir.check(meet, "ValueError",
              "operands could not be broadcast together with remapped shapes [original->remapped]: " + from + "->" +
                  to + " " + of + " ",
              extents);
  for (size_t axis = 0; axis < given.size(); ++axis) {
    Value equal = areEqual(in, given[axis], wanted[axis]);
    in.ir.check(either(in, equal, isOne(in, wanted[axis])), "ValueError",
                "output operand requires a reduction along dimension " + Twine(axis) +
                    ", but the reduction is not enabled. The dimension size of 1 does not match the expected output "
                    "shape.");
    if (keepdims && llvm::is_contained(axes, int64_t(axis)))
      in.ir.check(equal, "ValueError",
                  "operand was set up as a reduction along axis " + Twine(axis) +
                      ", but the length of the axis is {0} (it has to be 1)",
                  {given[axis]});
  }
  // What is left are axes of one element of the operand, which no output repeats.
  SmallVector<Value> numbers, stretched = in.ir.dims(operand);
  std::string narrow = shapeWords(in, operand, numbers), wide;
  for (int64_t axis = 0, at = 0; axis < rank; ++axis) {
    bool isReduced = llvm::is_contained(axes, axis);
    wide += (axis ? ",{" : "{") + std::to_string(numbers.size()) + "}";
    numbers.push_back(isReduced ? stretched[axis] : given[at]);
    at += keepdims || !isReduced;
  }
  Value areSame = in.ir.boolean(true);
  for (auto [mine, other] : llvm::zip(given, wanted))
    areSame = both(in, areSame, areEqual(in, mine, other));
  in.ir.check(areSame, "ValueError",
              "non-broadcastable operand with shape " + narrow + " doesn't match the broadcast shape (" + wide +
                  (rank == 1 ? ",)" : ")"),
              numbers);
}

bool checkShapeOfOutput(Interpreter &in, Value result, Value out, const Twine &words, ValueRange extents) {
  Value areSame = in.ir.boolean(np::getRank(result.getType()) == np::getRank(out.getType()));
  for (auto [mine, other] : llvm::zip(in.ir.dims(result), in.ir.dims(out)))
    areSame = both(in, areSame, areEqual(in, mine, other));
  in.ir.check(areSame, "ValueError", words, extents);
  return np::getRank(result.getType()) == np::getRank(out.getType());
}

bool checkOutputOfScan(Interpreter &in, Value result, Value out) {
  int64_t rank = np::getRank(result.getType()), given = np::getRank(out.getType());
  // NumPy has an iterator where it casts, or has more lines than one.
  bool hasIterator = rank > 1 || np::getElementType(result.getType()) != np::getElementType(out.getType());
  if (!hasIterator || given != rank)
    return checkShapeOfOutput(in, result, out,
                              given < rank
                                  ? "Iterator input op_axes[0][0] (==" + Twine(rank - 1) +
                                        ") is not a valid axis of op[0], which has " + Twine(given) + " dimensions "
                                  : Twine("provided out is the wrong size for the accumulation."));
  SmallVector<Value> extents;
  std::string words = "operands could not be broadcast together with remapped shapes [original->remapped]:";
  for (Value array : {out, out, result, result})
    words += (extents.size() / rank % 2 ? "->" : " ") + shapeWords(in, array, extents);
  return checkShapeOfOutput(in, result, out, words + " ", extents);
}

} // namespace npcc::frontend
