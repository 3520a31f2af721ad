// a.flat: the elements of an array in C order, as one axis. Reading it copies; a store goes to the array, wherever its elements lie.
#include "frontend/importer/FunctionImporter.h"

using namespace mlir;

namespace npcc::frontend {

PyValue FunctionImporter::flat(const PyValue &base) {
  Value array = base.arrayType() ? base.ir() : newArray(base.ir());
  PyValue result = PyValue::runtime(reshape(array, {size(array)}, {ShapedType::kDynamic}));
  result.flatOf = array;
  return result;
}

/// The element at a position of a.flat, as a view of no axes: null if the index is no position.
static Value elementAt(FunctionImporter &importer, Value array, const PyValue &indexValue) {
  bool isPosition = importer.asInteger(indexValue) || (indexValue.isRuntime() && indexValue.rank() == 0 && isa<IntegerType>(indexValue.elementType()) &&
                                                       !indexValue.elementType().isInteger(1));
  if (!isPosition)
    return {};
  Value given = importer.toIndex(indexValue);
  if (!given)
    return {};
  OpBuilder &b = importer.builder;
  Location loc = importer.here();
  Value size = importer.size(array), zero = importer.index(0);
  Value isNegative = importer.compareIndex(arith::CmpIPredicate::slt, given, zero);
  Value rest = b.createOrFold<arith::SelectOp>(loc, isNegative, b.createOrFold<arith::AddIOp>(loc, given, size), given);
  // Unsigned, so that what is still negative is out of bounds too.
  importer.check(importer.compareIndex(arith::CmpIPredicate::ult, rest, size), "IndexError", "index {0} is out of bounds for size {1}", {given, size});
  SmallVector<FunctionImporter::AxisIndex> axes;
  SmallVector<Value> extents = importer.dims(array);
  for (size_t axis = extents.size(); axis-- > 0;) {
    Value position = axis ? b.createOrFold<arith::RemUIOp>(loc, rest, extents[axis]) : rest;
    axes.insert(axes.begin(), {FunctionImporter::AxisIndex::Position, position, {}, {}, {}});
    if (axis)
      rest = b.createOrFold<arith::DivUIOp>(loc, rest, extents[axis]);
  }
  return importer.makeView(array, axes);
}

static PyValue plainOf(const PyValue &flat) { return PyValue::runtime(flat.ir()); }

PyValue FunctionImporter::flatRead(const PyValue &flat, const PyValue &indexValue) {
  if (Value element = elementAt(*this, flat.flatOf, indexValue))
    return PyValue::runtime(load(element));
  PyValue result = subscript(plainOf(flat), indexValue);
  return result.arrayType() ? PyValue::runtime(newArray(load(result.ir()))) : result;
}

void FunctionImporter::flatStore(const PyValue &flat, const PyValue &indexValue, const PyValue &value) {
  Value array = flat.flatOf;
  if (Value element = elementAt(*this, array, indexValue))
    return storeWhole(element, value);
  if (value.rank() > 1) {
    PyValue line = PyValue::runtime(reshape(valueOf(value), {size(value.ir())}, {ShapedType::kDynamic}));
    return flatStore(flat, indexValue, line);
  }
  if (cast<np::ArrayType>(array.getType()).getContiguous())
    return storeTo(plainOf(flat), indexValue, value);
  // Its elements lie apart: all of them are stored again.
  Value line = newArray(load(flat.ir()));
  storeTo(PyValue::runtime(line), indexValue, value);
  Value whole = reshape(load(line), dims(array), np::getShape(array.getType()));
  storeWhole(array, PyValue::runtime(whole));
}

} // namespace npcc::frontend
