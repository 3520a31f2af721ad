// Products. Two matrices are np.matmul, which goes to a library; vectors are matrices of one row or column; two vectors are multiplied and summed.
#include "frontend/numpy/Table.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue runtime(Value value) { return value ? PyValue::runtime(value) : PyValue::poison(); }

/// Both operands as values of their common dtype.
bool operands(FunctionImporter &importer, const PyValue &a, const PyValue &b, Value &left, Value &right) {
  Value first = importer.asArray(a), second = importer.asArray(b);
  if (!first || !second)
    return false;
  Type common = importer.resultType({PyValue::runtime(first), PyValue::runtime(second)});
  if (!common) {
    importer.fail("the operands have no common dtype");
    return false;
  }
  left = importer.tensorOf(PyValue::runtime(first), common);
  right = importer.tensorOf(PyValue::runtime(second), common);
  return left && right;
}

void checkInner(FunctionImporter &importer, Value left, int64_t leftAxis, Value right, int64_t rightAxis, bool isMatmul) {
  Value k = importer.dim(left, leftAxis), other = importer.dim(right, rightAxis);
  if (k == other)
    return;
  Value equal = importer.compareIndex(arith::CmpIPredicate::eq, k, other);
  if (isMatmul) {
    importer.check(equal, "ValueError",
                   "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
                   "(size {0} is different from {1})",
                   {other, k});
    return;
  }
  SmallVector<Value> extents;
  auto shape = [&](Value operand) {
    std::string text = "(";
    for (Value extent : importer.dims(operand)) {
      text += (text.size() > 1 ? ",{" : "{") + std::to_string(extents.size()) + "}";
      extents.push_back(extent);
    }
    return text + (np::getRank(operand.getType()) == 1 ? ",)" : ")");
  };
  auto extent = [](int64_t position, int64_t axis) { return "{" + std::to_string(position) + "} (dim " + std::to_string(axis) + ")"; };
  std::string first = shape(left), second = shape(right);
  int64_t leftRank = np::getRank(left.getType());
  importer.check(equal, "ValueError",
                 "shapes " + first + " and " + second + " not aligned: " + extent(leftAxis, leftAxis) + " != " +
                     extent(leftRank + rightAxis, rightAxis),
                 extents);
}

Value matrixProduct(FunctionImporter &importer, Value left, Value right) {
  SmallVector<int64_t> shape{np::getShape(left.getType())[0], np::getShape(right.getType())[1]};
  auto type = RankedTensorType::get(shape, np::getElementType(left.getType()));
  return np::MatmulOp::create(importer.builder, importer.here(), type, left, right);
}

/// Sum of products along the last axis of the left and the `rightAxis` of the right operand.
Value innerProduct(FunctionImporter &importer, Value left, Value right) {
  Value products = importer.emitUfunc(np::getElementType(left.getType()).isInteger(1) ? "logical_and" : "multiply", {left, right});
  StringRef kind = np::getElementType(left.getType()).isInteger(1) ? "logical_or" : "add";
  return emitReduce(importer, kind, products, {np::getRank(products.getType()) - 1}, false).ir();
}

Value dropAxis(FunctionImporter &importer, Value matrix, int64_t axis) {
  using AxisIndex = FunctionImporter::AxisIndex;
  SmallVector<AxisIndex> axes;
  for (int64_t k = 0; k < np::getRank(matrix.getType()); ++k)
    axes.push_back({k == axis ? AxisIndex::Position : AxisIndex::Whole, k == axis ? importer.index(0) : Value(), {}, {}, {}});
  return importer.makeView(matrix, axes);
}

/// Sums over one axis of each operand; the other axes follow each other.
PyValue tensordot(FunctionImporter &importer, const PyValue &left, int64_t leftAxis, const PyValue &right, int64_t rightAxis) {
  auto axis = [](int64_t axis) { return PyValue::object(py::integer(axis)); };
  int64_t leftRank = left.rank(), rightRank = right.rank();
  checkInner(importer, left.ir(), leftRank + leftAxis, right.ir(), rightRank + rightAxis, false);
  return callNumpy(importer, "tensordot", {left, right, PyValue::sequence({axis(leftAxis), axis(rightAxis)})});
}

PyValue multiplied(FunctionImporter &importer, const PyValue &a, const PyValue &b, bool isMatmul) {
  Value left, right;
  if (!operands(importer, a, b, left, right))
    return PyValue::poison();
  int64_t leftRank = np::getRank(left.getType()), rightRank = np::getRank(right.getType());
  if (leftRank == 0 || rightRank == 0) {
    if (isMatmul)
      return importer.fail("ValueError: matmul: Input operand " + Twine(leftRank == 0 ? 0 : 1) +
                           " does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)");
    return importer.applyUfunc("multiply", {PyValue::runtime(left), PyValue::runtime(right)});
  }
  if (leftRank > 2 || rightRank > 2) {
    // Stacks of matrices: multiplied and summed in place (numpy.dot of more axes is another function).
    if (!isMatmul && rightRank > 1)
      return tensordot(importer, PyValue::runtime(left), -1, PyValue::runtime(right), -2);
    if (rightRank == 1) {
      checkInner(importer, left, leftRank - 1, right, 0, isMatmul);
      return runtime(innerProduct(importer, left, right));
    }
    if (leftRank == 1) {
      left = importer.expandDims(left, {0});
      leftRank = 2;
    }
    checkInner(importer, left, leftRank - 1, right, rightRank - 2, isMatmul);
    if (rightRank == 2) { // one matrix for all rows of the stack: one product
      SmallVector<Value> extents = importer.dims(left);
      SmallVector<int64_t> shape(np::getShape(left.getType()));
      Value inner = extents.back(), rows = importer.builder.createOrFold<arith::ConstantIndexOp>(importer.here(), 1);
      extents.back() = importer.dim(right, 1);
      shape.back() = np::getShape(right.getType())[1];
      for (Value extent : ArrayRef(extents).drop_back())
        rows = importer.builder.createOrFold<arith::MulIOp>(importer.here(), rows, extent);
      // An array in memory is a matrix already.
      auto read = left.getDefiningOp<np::LoadOp>();
      bool isWhole = read && cast<np::ArrayType>(read.getArray().getType()).getContiguous();
      Value matrix = importer.reshape(isWhole ? read.getArray() : left, {rows, inner}, {});
      Value product = matrixProduct(importer, isWhole ? importer.load(matrix) : matrix, right);
      return runtime(importer.reshape(product, extents, shape));
    }
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rightRank));
    std::swap(order[rightRank - 1], order[rightRank - 2]);
    Value columns = importer.permute(right, order);
    Value wideLeft = importer.expandDims(left, {leftRank - 1}); // (..., n, 1, k)
    Value wideRight = importer.expandDims(columns, {rightRank - 2}); // (..., 1, m, k)
    Value result = innerProduct(importer, wideLeft, wideRight);
    return runtime(a.rank() == 1 ? dropAxis(importer, result, np::getRank(result.getType()) - 2) : result);
  }
  checkInner(importer, left, leftRank - 1, right, 0, isMatmul);
  if (leftRank == 1 && rightRank == 1)
    return runtime(innerProduct(importer, left, right));
  if (np::getElementType(left.getType()).isInteger(1) || rightRank == 1) // rows times a vector: one pass over the matrix
    if (leftRank == 2 && rightRank == 1)
      return runtime(innerProduct(importer, left, right));
  if (leftRank == 1) {
    Value row = importer.expandDims(left, {0});
    return runtime(dropAxis(importer, matrixProduct(importer, row, right), 0));
  }
  return runtime(matrixProduct(importer, left, right));
}

PyValue emitMatmul(FunctionImporter &importer, Arguments &args) {
  return storeOut(importer, multiplied(importer, args["x1"], args["x2"], true), args["out"], "same_kind", "matmul");
}
PyValue emitDot(FunctionImporter &importer, Arguments &args) {
  return storeOut(importer, multiplied(importer, args["a"], args["b"], false), args["out"], "no", "dot");
}
PyValue emitVdot(FunctionImporter &importer, Arguments &args) {
  Type element = args["a"].isPoison() ? Type() : importer.runtimeType(args["a"]);
  bool isReal = element && !isa<ComplexType>(np::getElementType(element)); // conj of bools is of int8
  PyValue left = callNumpy(importer, "ravel", {isReal ? args["a"] : callNumpy(importer, "conj", {args["a"]})});
  PyValue right = callNumpy(importer, "ravel", {args["b"]});
  if (left.isPoison() || right.isPoison())
    return PyValue::poison();
  Value size = importer.dim(importer.asArray(left), 0), other = importer.dim(importer.asArray(right), 0);
  importer.check(importer.compareIndex(arith::CmpIPredicate::eq, size, other), "ValueError", "cannot reshape array of size {0} into shape ({1},)",
                 {other, size});
  return multiplied(importer, left, right, false);
}
PyValue emitInner(FunctionImporter &importer, Arguments &args) {
  Value left = importer.asArray(args["a"]), right = importer.asArray(args["b"]);
  if (!left || !right)
    return PyValue::poison();
  // Both last axes meet; with a scalar there is none to sum over.
  if (np::getRank(right.getType()) > 2 && np::getRank(left.getType())) {
    Value first, second;
    return operands(importer, args["a"], args["b"], first, second) ? tensordot(importer, PyValue::runtime(first), -1, PyValue::runtime(second), -1)
                                                                     : PyValue::poison();
  }
  if (np::getRank(right.getType()) == 2 && np::getRank(left.getType()))
    right = importer.permute(right, {1, 0});
  return multiplied(importer, PyValue::runtime(left), PyValue::runtime(right), false);
}

/// The main diagonal by positions: element (i, i + offset).
PyValue emitTrace(FunctionImporter &importer, Arguments &args) {
  Value source = importer.valueOf(args["a"]);
  if (!source)
    return PyValue::poison();
  if (np::getRank(source.getType()) < 2)
    return importer.fail("ValueError: diag requires an array of at least two dimensions");
  if (np::getRank(source.getType()) > 2)
    return importer.fail("numpy.trace of other than two axes cannot be compiled");
  PyValue matrix = PyValue::runtime(source);
  PyValue ones = callNumpy(importer, "eye", {importer.fromIndex(importer.dim(source, 0)), importer.fromIndex(importer.dim(source, 1)), args["offset"],
                                             PyValue::object(importer.dtypes.dtype(importer.builder.getI1Type()))});
  if (ones.isPoison())
    return ones;
  Value zero = importer.full(importer.constantInteger(np::getElementType(source.getType()), 0), importer.dims(source));
  Value diagonal = importer.emitUfunc("where", {ones.ir(), source, zero});
  return callNumpy(importer, "sum", {PyValue::runtime(diagonal)});
}

/// A routine of the runtime's library on new arrays, in place: what numpy.linalg's functions in npcc/library are made of.
PyValue emitRoutine(FunctionImporter &importer, Arguments &args) {
  SmallVector<Value> operands;
  for (const PyValue &array : args["arrays"]->items) {
    if (array.isPoison())
      return array;
    operands.push_back(array.ir());
  }
  Value failed = np::LinearAlgebraOp::create(importer.builder, importer.here(), importer.builder.getI64Type(),
                                             importer.builder.getStringAttr(args["name"].object() ? py::toString(args["name"].object().get()) : ""),
                                             operands);
  importer.clobber();
  return PyValue::runtime(failed);
}

const FunctionRow rows[] = {
    {"npcc.library.routines.routine", "name, *arrays", emitRoutine},
    {"numpy.matmul", "x1, x2, out=None", emitMatmul}, {"numpy.dot", "a, b, out=None", emitDot},
    {"numpy.vdot", "a, b", emitVdot},                 {"numpy.inner", "a, b", emitInner},
    {"numpy.trace", "a, offset=0", emitTrace},
};
} // namespace

ArrayRef<FunctionRow> linalgRows() { return rows; }

} // namespace npcc::frontend
