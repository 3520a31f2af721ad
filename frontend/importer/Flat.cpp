// a.flat: the elements of an array in C order, as one axis. Reading it copies; a store goes to the array, wherever its
// elements lie.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

PyValue flat(Interpreter &in, const PyValue &base) {
  Value array = base.arrayType() ? base.ir() : in.ir.newArray(base.ir());
  PyValue result = PyValue::runtime(in.ir.reshape(array, {in.ir.size(array)}, {ShapedType::kDynamic}));
  result.flatOf = array;
  return result;
}

/// The element at a position of a.flat, as a view of no axes: null if the index is no position.
static Value elementAt(Interpreter &in, Value array, const PyValue &indexValue) {
  bool isPosition = asInteger(in, indexValue) ||
                    (indexValue.isRuntime() && indexValue.rank() == 0 && isa<IntegerType>(indexValue.elementType()) &&
                     !indexValue.elementType().isInteger(1));
  if (!isPosition)
    return {};
  Value given = toIndex(in, indexValue);
  if (!given)
    return {};
  NpBuilder &b = in.ir;
  Value size = in.ir.size(array), zero = in.ir.index(0);
  Value isNegative = in.ir.compareIndex(arith::CmpIPredicate::slt, given, zero);
  Value rest = b.createOrFold<arith::SelectOp>(isNegative, b.createOrFold<arith::AddIOp>(given, size), given);
  // Unsigned, so that what is still negative is out of bounds too.
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ult, rest, size), "IndexError",
              "index {0} is out of bounds for size {1}", {given, size});
  SmallVector<AxisIndex> axes;
  SmallVector<Value> extents = in.ir.dims(array);
  for (size_t axis = extents.size(); axis-- > 0;) {
    Value position = axis ? b.createOrFold<arith::RemUIOp>(rest, extents[axis]) : rest;
    axes.insert(axes.begin(), {AxisIndex::Position, position, {}, {}, {}});
    if (axis)
      rest = b.createOrFold<arith::DivUIOp>(rest, extents[axis]);
  }
  return in.ir.makeView(array, axes);
}

static PyValue plainOf(const PyValue &flat) { return PyValue::runtime(flat.ir()); }

PyValue flatRead(Interpreter &in, const PyValue &flat, const PyValue &indexValue) {
  if (Value element = elementAt(in, flat.flatOf, indexValue))
    return PyValue::runtime(in.ir.load(element));
  PyValue result = subscript(in, plainOf(flat), indexValue);
  return result.arrayType() ? PyValue::runtime(in.ir.newArray(in.ir.load(result.ir()))) : result;
}

void flatStore(Interpreter &in, const PyValue &flat, const PyValue &indexValue, const PyValue &value) {
  Value array = flat.flatOf;
  if (Value element = elementAt(in, array, indexValue))
    return storeWhole(in, element, value);
  if (value.rank() > 1) {
    PyValue line =
        PyValue::runtime(in.ir.reshape(valueOf(in, value), {in.ir.size(value.ir())}, {ShapedType::kDynamic}));
    return flatStore(in, flat, indexValue, line);
  }
  if (cast<np::ArrayType>(array.getType()).getContiguous())
    return storeTo(in, plainOf(flat), indexValue, value);
  // Its elements lie apart: all of them are stored again.
  Value line = in.ir.newArray(in.ir.load(flat.ir()));
  storeTo(in, PyValue::runtime(line), indexValue, value);
  Value whole = in.ir.reshape(in.ir.load(line), in.ir.dims(array), np::getShape(array.getType()));
  storeWhole(in, array, PyValue::runtime(whole));
}

} // namespace npcc::frontend
