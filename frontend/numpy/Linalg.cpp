// Products. Two matrices are np.matmul, which goes to a library; vectors are matrices of one row or column; two vectors
// are multiplied and summed.
#include "dialects/Np/Values.h"
#include "frontend/numpy/OutputShapes.h"
#include "frontend/numpy/UfuncKeywords.h"

#include "dialects/Np/NarrowFloats.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue runtime(Value value) { return value ? PyValue::runtime(value) : PyValue::poison(); }

/// Both operands as values of their common dtype. numpy.matmul has no loop for bfloat16 and computes in float32,
/// numpy.dot has one.
bool operands(Interpreter &in, const PyValue &a, const PyValue &b, bool isMatmul, Value &left, Value &right) {
  Value first = asArray(in, a), second = asArray(in, b);
  if (!first || !second)
    return false;
  Type common = resultType(in, {PyValue::runtime(first), PyValue::runtime(second)});
  if (!common) {
    in.fail("the operands have no common dtype");
    return false;
  }
  if (isMatmul && common.isBF16())
    common = in.ir.getF32Type();
  left = tensorOf(in, PyValue::runtime(first), common);
  right = tensorOf(in, PyValue::runtime(second), common);
  return left && right;
}

void checkInner(Interpreter &in, Value left, int64_t leftAxis, Value right, int64_t rightAxis, bool isMatmul) {
  Value k = in.ir.dim(left, leftAxis), other = in.ir.dim(right, rightAxis);
  if (k == other)
    return;
  Value equal = in.ir.compareIndex(arith::CmpIPredicate::eq, k, other);
  if (isMatmul) {
    in.ir.check(
        equal, "ValueError",
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
        "(size {0} is different from {1})",
        {other, k});
    return;
  }
  SmallVector<Value> extents;
  auto shape = [&](Value operand) {
    std::string text = "(";
    for (Value extent : in.ir.dims(operand)) {
      text += (text.size() > 1 ? ",{" : "{") + std::to_string(extents.size()) + "}";
      extents.push_back(extent);
    }
    return text + (np::getRank(operand.getType()) == 1 ? ",)" : ")");
  };
  auto extent = [](int64_t position, int64_t axis) {
    return "{" + std::to_string(position) + "} (dim " + std::to_string(axis) + ")";
  };
  std::string first = shape(left), second = shape(right);
  int64_t leftRank = np::getRank(left.getType());
  in.ir.check(equal, "ValueError",
              "shapes " + first + " and " + second + " not aligned: " + extent(leftAxis, leftAxis) +
                  " != " + extent(leftRank + rightAxis, rightAxis),
              extents);
}

Value matrixProduct(Interpreter &in, Value left, Value right) {
  SmallVector<int64_t> shape{np::getShape(left.getType())[0], np::getShape(right.getType())[1]};
  auto type = RankedTensorType::get(shape, np::getElementType(left.getType()));
  return np::MatmulOp::create(in.ir, type, left, right);
}

/// Sum of products along the last axis of the left and the `rightAxis` of the right operand.
Value innerProduct(Interpreter &in, Value left, Value right) {
  // Products of narrow floats are summed as float32, without being rounded themselves.
  if (Type narrow = np::getElementType(left.getType()); np::isNarrowFloat(narrow)) {
    Type wide = in.ir.getF32Type();
    return in.ir.castTo(innerProduct(in, in.ir.castTo(left, wide), in.ir.castTo(right, wide)), narrow);
  }
  Value products =
      in.ir.emitUfunc(np::getElementType(left.getType()).isInteger(1) ? "logical_and" : "multiply", {left, right});
  StringRef kind = np::getElementType(left.getType()).isInteger(1) ? "logical_or" : "add";
  Value sum = emitReduce(in, kind, products, {np::getRank(products.getType()) - 1}, false).ir();
  // Of a product, unlike of np.sum, the order is a library's.
  if (auto reduce = sum.getDefiningOp<np::ReduceOp>())
    reduce.setProduct(true);
  return sum;
}

Value dropAxis(Interpreter &in, Value matrix, int64_t axis) {
  using AxisIndex = AxisIndex;
  SmallVector<AxisIndex> axes;
  for (int64_t k = 0; k < np::getRank(matrix.getType()); ++k)
    axes.push_back(
        {k == axis ? AxisIndex::Position : AxisIndex::Whole, k == axis ? in.ir.index(0) : Value(), {}, {}, {}});
  return in.ir.makeView(matrix, axes);
}

/// Sums over one axis of each operand; the other axes follow each other.
PyValue tensordot(Interpreter &in, const PyValue &left, int64_t leftAxis, const PyValue &right, int64_t rightAxis) {
  auto axis = [](int64_t axis) { return PyValue::object(py::integer(axis)); };
  int64_t leftRank = left.rank(), rightRank = right.rank();
  checkInner(in, left.ir(), leftRank + leftAxis, right.ir(), rightRank + rightAxis, false);
  return callNumpy(in, "tensordot", {left, right, PyValue::sequence({axis(leftAxis), axis(rightAxis)})});
}

PyValue multiplied(Interpreter &in, const PyValue &a, const PyValue &b, bool isMatmul) {
  Value left, right;
  if (!operands(in, a, b, isMatmul, left, right))
    return PyValue::poison();
  int64_t leftRank = np::getRank(left.getType()), rightRank = np::getRank(right.getType());
  if (leftRank == 0 || rightRank == 0) {
    if (isMatmul)
      return in.fail(
          "ValueError: matmul: Input operand " + Twine(leftRank == 0 ? 0 : 1) +
          " does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)");
    return applyUfunc(in, "multiply", {PyValue::runtime(left), PyValue::runtime(right)});
  }
  if (leftRank > 2 || rightRank > 2) {
    // Stacks of matrices: multiplied and summed in place (numpy.dot of more axes is another function).
    if (!isMatmul && rightRank > 1)
      return tensordot(in, PyValue::runtime(left), -1, PyValue::runtime(right), -2);
    if (rightRank == 1) {
      checkInner(in, left, leftRank - 1, right, 0, isMatmul);
      return runtime(innerProduct(in, left, right));
    }
    if (leftRank == 1) {
      left = in.ir.expandDims(left, {0});
      leftRank = 2;
    }
    checkInner(in, left, leftRank - 1, right, rightRank - 2, isMatmul);
    if (rightRank == 2) { // one matrix for all rows of the stack: one product
      SmallVector<Value> extents = in.ir.dims(left);
      SmallVector<int64_t> shape(np::getShape(left.getType()));
      Value inner = extents.back(), rows = in.ir.createOrFold<arith::ConstantIndexOp>(1);
      extents.back() = in.ir.dim(right, 1);
      shape.back() = np::getShape(right.getType())[1];
      for (Value extent : ArrayRef(extents).drop_back())
        rows = in.ir.createOrFold<arith::MulIOp>(rows, extent);
      // An array in memory is a matrix already.
      auto read = left.getDefiningOp<np::LoadOp>();
      bool isWhole = read && cast<np::ArrayType>(read.getArray().getType()).getContiguous();
      Value matrix = in.ir.reshape(isWhole ? read.getArray() : left, {rows, inner}, {});
      Value product = matrixProduct(in, isWhole ? in.ir.load(matrix) : matrix, right);
      return runtime(in.ir.reshape(product, extents, shape));
    }
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rightRank));
    std::swap(order[rightRank - 1], order[rightRank - 2]);
    Value columns = in.ir.permute(right, order);
    Value wideLeft = in.ir.expandDims(left, {leftRank - 1});      // (..., n, 1, k)
    Value wideRight = in.ir.expandDims(columns, {rightRank - 2}); // (..., 1, m, k)
    Value result = innerProduct(in, wideLeft, wideRight);
    return runtime(a.rank() == 1 ? dropAxis(in, result, np::getRank(result.getType()) - 2) : result);
  }
  checkInner(in, left, leftRank - 1, right, 0, isMatmul);
  if (leftRank == 1 && rightRank == 1)
    return runtime(innerProduct(in, left, right));
  if (np::getElementType(left.getType()).isInteger(1) ||
      rightRank == 1) // rows times a vector: one pass over the matrix
    if (leftRank == 2 && rightRank == 1)
      return runtime(innerProduct(in, left, right));
  if (leftRank == 1) {
    Value row = in.ir.expandDims(left, {0});
    return runtime(dropAxis(in, matrixProduct(in, row, right), 0));
  }
  return runtime(matrixProduct(in, left, right));
}

/// numpy.dot casts and broadcasts no result: an output is what the product would be, or an error. Where one operand has
/// no axes, numbers that no BLAS multiplies, and arrays of more axes than it takes, are another matter: that is
/// numpy.multiply.
PyValue emitDot(Interpreter &in, Arguments &args) {
  PyValue result = multiplied(in, args["a"], args["b"], false), out = outputOf(in, args["out"]);
  if (!out.arrayType() || !result.isRuntime())
    return storeOut(in, result, args["out"], "no", "dot");
  Type element = result.elementType(),
       real = isa<ComplexType>(element) ? cast<ComplexType>(element).getElementType() : element;
  Value left = asArray(in, args["a"]), right = asArray(in, args["b"]);
  auto [least, most] = std::minmax({np::getRank(left.getType()), np::getRank(right.getType())});
  bool isBlas = (real.isF32() || real.isF64()) && most <= 2;
  if (least == 0 && !isBlas) {
    UfuncOutputs outputs{{out}, {}, "multiply", "same_kind"};
    if (!checkOutputsOfUfunc(in, {args["a"], args["b"]}, {element}, outputs))
      return outputs.areTooShort ? out : PyValue::poison();
    return storeOut(in, result, out, "same_kind", "multiply");
  }
  StringRef words =
      "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)";
  if (out.elementType() != result.elementType() || out.rank() != result.rank())
    return in.fail("ValueError: " + words);
  if (!in.ir.checkWritable(out.ir(), words))
    return PyValue::poison();
  in.ir.check(np::IsContiguousOp::create(in.ir, in.ir.getI1Type(), np::ElementOrder::C, out.ir()), "ValueError", words);
  checkShapeOfOutput(in, result.ir(), out.ir(), "output array has wrong dimensions");
  return storeOut(in, result, out, "no", "dot");
}
const Registered dotRows{{"numpy.dot", "a, b, out=None", emitDot}};
PyValue emitVdot(Interpreter &in, Arguments &args) {
  Type element = args["a"].isPoison() ? Type() : runtimeType(in, args["a"]);
  bool isReal = element && !isa<ComplexType>(np::getElementType(element)); // conj of bools is of int8
  PyValue left = callNumpy(in, "ravel", {isReal ? args["a"] : callNumpy(in, "conj", {args["a"]})});
  PyValue right = callNumpy(in, "ravel", {args["b"]});
  if (left.isPoison() || right.isPoison())
    return PyValue::poison();
  Value size = in.ir.dim(asArray(in, left), 0), other = in.ir.dim(asArray(in, right), 0);
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, size, other), "ValueError",
              "cannot reshape array of size {0} into shape ({1},)", {other, size});
  return multiplied(in, left, right, false);
}
const Registered vdotRows{{"numpy.vdot", "a, b", emitVdot}};
PyValue emitInner(Interpreter &in, Arguments &args) {
  Value left = asArray(in, args["a"]), right = asArray(in, args["b"]);
  if (!left || !right)
    return PyValue::poison();
  // Both last axes meet: the product with the last two axes of the other one exchanged, whose shape NumPy's error
  // names. With a scalar there is none to sum over.
  int64_t rank = np::getRank(right.getType());
  if (rank > 1 && np::getRank(left.getType())) {
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(order[rank - 1], order[rank - 2]);
    right = in.ir.permute(right, order);
  }
  return multiplied(in, PyValue::runtime(left), PyValue::runtime(right), false);
}
const Registered innerRows{{"numpy.inner", "a, b", emitInner}};

} // namespace

PyValue multiplyMatrices(Interpreter &in, const PyValue &a, const PyValue &b) {
  return multiplied(in, a, b, /*isMatmul=*/true);
}

} // namespace npcc::frontend
