// Choosing elements.
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// One array of positions for each axis.
PyValue positions(FunctionImporter &importer, const PyValue &argument) {
  Value mask = importer.tensorOf(argument, importer.builder.getI1Type());
  if (!mask)
    return PyValue::poison();
  if (np::getRank(mask.getType()) == 0)
    return importer.fail("ValueError: Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.");
  std::vector<PyValue> arrays;
  for (Value along : importer.positionsOf(mask))
    arrays.push_back(importer.bound(PyValue::runtime(along)));
  return PyValue::sequence(std::move(arrays));
}
PyValue emitNonzero(FunctionImporter &importer, Arguments &args) { return positions(importer, args["a"]); }
PyValue emitFlatnonzero(FunctionImporter &importer, Arguments &args) {
  PyValue arrays = positions(importer, callNumpy(importer, "ravel", {args["a"]}));
  return arrays.isSequence() ? arrays->items[0] : arrays;
}

PyValue emitWhere(FunctionImporter &importer, Arguments &args) {
  if (args["x"].isNone() && args["y"].isNone())
    return positions(importer, args["condition"]);
  if (args["x"].isNone() || args["y"].isNone())
    return importer.fail("ValueError: either both or neither of x and y should be given");
  Type common = importer.resultType({args["x"], args["y"]});
  SmallVector<PyValue> choices{args["x"], args["y"]};
  if (!common) { // lists
    for (PyValue &choice : choices) {
      Value array = importer.asArray(choice);
      if (!array)
        return PyValue::poison();
      choice = PyValue::runtime(array);
    }
    common = importer.resultType(choices);
  }
  Value condition = importer.tensorOf(args["condition"], importer.builder.getI1Type());
  if (!common || !condition)
    return PyValue::poison();
  // Unlike the ufuncs it cuts a Python int that the dtype does not hold.
  auto choice = [&](const PyValue &value) {
    if (value.isObject() && importer.promotionKey(value))
      return importer.constant(common, value.object());
    Value plain = importer.valueOf(value);
    return plain ? importer.castTo(plain, common) : plain;
  };
  Value x = choice(choices[0]), y = choice(choices[1]);
  if (!x || !y)
    return PyValue::poison();
  // Of scalars too it is an array.
  Value result = importer.emitUfunc("where", {condition, x, y});
  return PyValue::runtime(np::getRank(result.getType()) ? result : importer.newArray(result));
}

/// a[indices] along an axis; of the flattened array without one.
PyValue emitTake(FunctionImporter &importer, Arguments &args) {
  Value source = importer.asArray(args["a"]);
  if (!source)
    return PyValue::poison();
  PyValue base = PyValue::runtime(source);
  int64_t axis = 0;
  if (args["axis"].isNone()) {
    base = callNumpy(importer, "ravel", {base});
  } else {
    std::optional<int64_t> given = importer.asAxis(args["axis"], np::getRank(source.getType()));
    if (!given)
      return PyValue::poison();
    axis = *given;
  }
  std::vector<PyValue> index;
  PyValue none = PyValue::object(py::none());
  for (int64_t k = 0; k < axis; ++k) {
    auto slice = std::make_shared<Composite>();
    slice->items = {none, none, none};
    index.push_back(PyValue::composite(PyValue::Kind::Slice, slice));
  }
  PyValue indices = args["indices"];
  if (indices.isSequence()) {
    Value array = importer.asArray(indices);
    if (!array)
      return PyValue::poison();
    indices = PyValue::runtime(array);
  }
  if (indices.rank() == 0) { // one index, hence more than none; an array of them may be empty itself
    Value extent = importer.dim(importer.asArray(base), axis);
    importer.check(importer.compareIndex(arith::CmpIPredicate::ne, extent, importer.index(0)), "IndexError",
                   "cannot do a non-empty take from an empty axes.");
  }
  index.push_back(indices);
  PyValue taken = importer.subscript(base, PyValue::sequence(std::move(index)));
  // A view, where one position was given: what is taken is a copy.
  return taken.arrayType() ? PyValue::runtime(importer.load(taken.ir())) : taken;
}

const FunctionRow rows[] = {
    {"numpy.where", "condition, x=None, y=None", emitWhere},
    {"numpy.nonzero", "a", emitNonzero},
    {"numpy.flatnonzero", "a", emitFlatnonzero},
    {"numpy.take", "a, indices, axis=None", emitTake},
};
} // namespace

ArrayRef<FunctionRow> indexingRows() { return rows; }

} // namespace npcc::frontend
