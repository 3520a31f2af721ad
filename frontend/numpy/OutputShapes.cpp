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

bool checkCastToOutput(Interpreter &in, Type result, const PyValue &out, StringRef casting, StringRef function,
                       int64_t number) {
  if (in.dtypes.canCast(result, out.elementType(), casting.str().c_str()))
    return true;
  in.fail("UFuncTypeError: Cannot cast ufunc '" + function + "' output " +
          (number < 0 ? "" : std::to_string(number) + " ") + "from " + py::repr(in.dtypes.dtype(result)) + " to " +
          py::repr(in.dtypes.dtype(out.elementType())) + " with casting rule '" + casting + "'");
  return false;
}

bool checkOutputsOfUfunc(Interpreter &in, ArrayRef<PyValue> operands, ArrayRef<Type> results, UfuncOutputs &outputs) {
  for (auto [k, out] : llvm::enumerate(outputs.arrays))
    if (!out.isNone() && !checkCastToOutput(in, results[k], out, outputs.casting, outputs.name,
                                            results.size() > 1 ? int64_t(operands.size() + k) : -1))
      return false;
  SmallVector<Value> arrays, extents;
  std::string shapes;
  auto add = [&](Value array) {
    bool hasAxes = array && isa<ShapedType, np::ArrayType>(array.getType());
    shapes += (hasAxes ? shapeWords(in, array, extents) : "()") + " ";
    if (hasAxes)
      arrays.push_back(array);
  };
  for (const PyValue &operand : operands)
    add(operand.isRuntime() ? operand.ir() : operand.isSequence() ? asArray(in, operand) : Value());
  for (const PyValue &out : outputs.arrays)
    if (!out.isNone())
      add(out.ir());
  if (outputs.mask)
    add(outputs.mask);
  Value meet;
  SmallVector<Value> together = in.ir.broadcastExtents(arrays, meet);
  in.ir.check(meet, "ValueError", "operands could not be broadcast together with shapes " + shapes, extents);
  for (const PyValue &out : outputs.arrays) {
    if (out.isNone())
      continue;
    bool hasAxes = out.rank() >= int64_t(together.size());
    Value isWhole = in.ir.boolean(hasAxes);
    SmallVector<Value> given = in.ir.dims(out.ir()), numbers;
    for (auto [mine, other] : llvm::zip(llvm::reverse(given), llvm::reverse(together)))
      isWhole = both(in, isWhole, areEqual(in, mine, other));
    std::string from = shapeWords(in, out.ir(), numbers), into = in.ir.extentText(together, numbers);
    in.ir.check(isWhole, "ValueError",
                "non-broadcastable output operand with shape " + from + " doesn't match the broadcast shape " + into,
                numbers);
    if (!hasAxes) {
      outputs.areTooShort = true;
      return false;
    }
  }
  return true;
}

/// The output's extents at the operand's axes, as NumPy's iterators say them: those in front that it has not are left
/// out. `ownsAll`: it has those axes, but they are not gone over.
static std::string remappedWords(Interpreter &in, Value out, int64_t rank, ArrayRef<int64_t> missing,
                                 SmallVectorImpl<Value> &extents, bool ownsAll = false) {
  SmallVector<Value> dims = in.ir.dims(out);
  std::string text;
  for (int64_t axis = 0, at = 0; axis < rank; ++axis) {
    if (llvm::is_contained(missing, axis)) {
      text += text.empty() ? "" : ",newaxis";
      at += ownsAll;
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
  // Along an axis that is reduced and kept the output meets the operand, and then it may have one element only.
  Value meet;
  in.ir.broadcastExtents({keepdims ? operand : result, out}, meet);
  SmallVector<Value> extents, given = in.ir.dims(out), wanted = in.ir.dims(result);
  std::string from = shapeWords(in, out, extents),
              to = remappedWords(in, out, rank, keepdims ? ArrayRef<int64_t>() : axes, extents),
              of = shapeWords(in, operand, extents);
  in.ir.check(meet, "ValueError",
              "operands could not be broadcast together with remapped shapes [original->remapped]: " + from + "->" +
                  to + " " + of + " ",
              extents);
  if (keepdims)
    for (int64_t axis = int64_t(given.size()) - 1; axis >= 0; --axis)
      if (llvm::is_contained(axes, axis))
        in.ir.check(areEqual(in, given[axis], wanted[axis]), "ValueError",
                    "operand was set up as a reduction along axis " + Twine(axis) +
                        ", but the length of the axis is {0} (it has to be 1)",
                    {given[axis]});
  for (int64_t axis = int64_t(given.size()) - 1; axis >= 0; --axis)
    in.ir.check(either(in, areEqual(in, given[axis], wanted[axis]), isOne(in, wanted[axis])), "ValueError",
                "output operand requires a reduction along dimension " + Twine(axis) +
                    ", but the reduction is not enabled. The dimension size of 1 does not match the expected output "
                    "shape.");
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
  return checkExtentsOfOutput(in, in.ir.dims(result), out, words, extents);
}

bool checkExtentsOfOutput(Interpreter &in, ArrayRef<Value> wanted, Value out, const Twine &words, ValueRange extents) {
  SmallVector<Value> given = in.ir.dims(out);
  Value areSame = in.ir.boolean(wanted.size() == given.size());
  for (auto [mine, other] : llvm::zip(wanted, given))
    areSame = both(in, areSame, areEqual(in, mine, other));
  in.ir.check(areSame, "ValueError", words, extents);
  return wanted.size() == given.size();
}

/// NumPy's iterator takes an axis of an output that it has not: the first one in front that is missing.
static std::string missingAxisWords(int64_t rank, int64_t given) {
  return "Iterator input op_axes[0][" + std::to_string(rank - 1 - given) + "] (==" + std::to_string(given) +
         ") is not a valid axis of op[0], which has " + std::to_string(given) + " dimensions ";
}

/// An output of as many axes that meets the result is at least as wide as the result.
static void checkNotStretched(Interpreter &in, ArrayRef<Value> result, Value out) {
  Value isWhole = in.ir.boolean(true), meet;
  SmallVector<Value> given = in.ir.dims(out), numbers, reversed(llvm::reverse(given)),
                     together = in.ir.broadcastShapes({result, ArrayRef<Value>(given)}, meet);
  for (auto [mine, other] : llvm::zip(given, together))
    isWhole = both(in, isWhole, areEqual(in, mine, other));
  std::string from = shapeWords(in, out, numbers), remapped = in.ir.extentText(reversed, numbers),
              into = in.ir.extentText(together, numbers);
  in.ir.check(isWhole, "ValueError",
              "non-broadcastable output operand with shape " + from + " [remapped to " + remapped +
                  "] doesn't match the broadcast shape " + into,
              numbers);
}

bool checkOutputOfScan(Interpreter &in, Value result, Value out) {
  int64_t rank = np::getRank(result.getType()), given = np::getRank(out.getType());
  // NumPy has an iterator where it casts, or has more lines than one.
  bool hasIterator = rank > 1 || np::getElementType(result.getType()) != np::getElementType(out.getType());
  if (!hasIterator || given != rank)
    return checkShapeOfOutput(in, result, out,
                              given < rank ? missingAxisWords(rank, given)
                                           : "provided out is the wrong size for the accumulation.");
  SmallVector<Value> extents;
  Value meet;
  in.ir.broadcastExtents(ArrayRef<Value>{result, out}, meet);
  std::string words = "operands could not be broadcast together with remapped shapes [original->remapped]:";
  for (Value array : {out, out, result, result})
    words += (extents.size() / rank % 2 ? "->" : " ") + shapeWords(in, array, extents);
  in.ir.check(meet, "ValueError", words + " ", extents);
  checkNotStretched(in, in.ir.dims(result), out);
  return checkShapeOfOutput(in, result, out, words + " ", extents);
}

bool checkOutputOfReduceat(Interpreter &in, Value operand, Value count, int64_t axis, Value out) {
  int64_t rank = np::getRank(operand.getType()), given = np::getRank(out.getType());
  if (given < rank) {
    in.fail("ValueError: " + missingAxisWords(rank, given));
    return false;
  }
  SmallVector<Value> wanted = in.ir.dims(operand), extents;
  wanted[axis] = count;
  SmallVector<Value> front = in.ir.dims(out);
  front.truncate(rank);
  Value meet;
  in.ir.broadcastShapes({ArrayRef<Value>(wanted), ArrayRef<Value>(front)}, meet);
  std::string words = "operands could not be broadcast together with remapped shapes [original->remapped]: " +
                      shapeWords(in, out, extents);
  words += "->" + in.ir.extentText(front, extents) + " " + shapeWords(in, operand, extents);
  words += "->" + remappedWords(in, operand, rank, {axis}, extents, /*ownsAll=*/true) + " ({" +
           std::to_string(extents.size()) + "},)->";
  SmallVector<Value> counted = {count, count};
  words += "({" + std::to_string(extents.size() + 1) + "}";
  llvm::append_range(extents, counted);
  for (int64_t k = axis + 1; k < rank; ++k)
    words += ",newaxis";
  words += rank == 1 ? ",) " : ") ";
  in.ir.check(meet, "ValueError", words, extents);
  if (given > rank)
    return checkShapeOfOutput(in, operand, out, words, extents);
  checkNotStretched(in, wanted, out);
  Value areSame = in.ir.boolean(true);
  for (auto [mine, other] : llvm::zip(wanted, front))
    areSame = both(in, areSame, areEqual(in, mine, other));
  in.ir.check(areSame, "ValueError", words, extents);
  return true;
}

} // namespace npcc::frontend
