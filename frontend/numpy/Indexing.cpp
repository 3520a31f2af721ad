// Choosing elements.
#include "dialects/Np/Values.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/numpy/OutputShapes.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// One array of positions for each axis.
PyValue positions(Interpreter &in, const PyValue &argument) {
  Value mask = tensorOf(in, argument, in.ir.getI1Type());
  if (!mask)
    return PyValue::poison();
  if (np::getRank(mask.getType()) == 0) {
    Type given = runtimeType(in, argument);
    bool isBool = given && np::getElementType(given).isInteger(1);
    return in.fail(
        std::string("ValueError: Calling nonzero on 0d arrays is not allowed. Use "
                    "np.atleast_1d(scalar).nonzero() instead.") +
        (isBool ? " If the context of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`." : ""));
  }
  std::vector<PyValue> arrays;
  for (Value along : in.ir.positionsOf(mask))
    arrays.push_back(in.env.bound(PyValue::runtime(along)));
  return PyValue::sequence(std::move(arrays));
}
PyValue emitNonzero(Interpreter &in, Arguments &args) { return positions(in, args["a"]); }
const Registered nonzeroRows{{"numpy.nonzero", "a", emitNonzero}};

PyValue emitFlatnonzero(Interpreter &in, Arguments &args) {
  PyValue arrays = positions(in, callNumpy(in, "ravel", {args["a"]}));
  return arrays.isSequence() ? arrays->items[0] : arrays;
}
const Registered flatnonzeroRows{{"numpy.flatnonzero", "a", emitFlatnonzero}};

PyValue emitWhere(Interpreter &in, Arguments &args) {
  if (args["x"].isNone() && args["y"].isNone())
    return positions(in, args["condition"]);
  if (args["x"].isNone() || args["y"].isNone())
    return in.fail("ValueError: either both or neither of x and y should be given");
  Type common = resultType(in, {args["x"], args["y"]});
  SmallVector<PyValue> choices{args["x"], args["y"]};
  if (!common) { // lists
    for (PyValue &choice : choices) {
      Value array = asArray(in, choice);
      if (!array)
        return PyValue::poison();
      choice = PyValue::runtime(array);
    }
    common = resultType(in, choices);
  }
  Value condition = tensorOf(in, args["condition"], in.ir.getI1Type());
  if (!common || !condition)
    return PyValue::poison();
  // Unlike the ufuncs it cuts a Python int that the dtype does not hold.
  auto choice = [&](const PyValue &value) {
    if (value.isObject() && promotionKey(in, value))
      return constant(in, common, value.object());
    Value plain = valueOf(in, value);
    return plain ? in.ir.castTo(plain, common) : plain;
  };
  Value x = choice(choices[0]), y = choice(choices[1]);
  if (!x || !y)
    return PyValue::poison();
  // Of scalars too it is an array.
  Value result = in.ir.emitUfunc("where", {condition, x, y});
  return PyValue::runtime(np::getRank(result.getType()) ? result : in.ir.newArray(result));
}
const Registered whereRows{{"numpy.where", "condition, x=None, y=None", emitWhere}};

/// A position along an axis that is not looked at where the array is empty before the axis: 0 there.
PyValue whereAnyBefore(Interpreter &in, const PyValue &base, int64_t axis, const PyValue &position) {
  std::vector<PyValue> extents;
  if (!asSequence(in, callNumpy(in, "shape", {base}), extents))
    return PyValue::poison();
  PyValue one = PyValue::object(py::integer(1)), any = extents[0];
  for (const PyValue &extent : ArrayRef(extents).slice(1, axis - 1))
    any = binary(in, "Mult", any, extent);
  // At most 1, so the position stays where anything is before the axis.
  return binary(in, "Mult", position, callNumpy(in, "minimum", {any, one}));
}

/// Of an axis without elements none can be taken, unless the result has none either.
void checkTaken(Interpreter &in, Value base, int64_t axis, const PyValue &indices) {
  SmallVector<Value> extents = in.ir.dims(base);
  Value zero = in.ir.index(0), isRight = in.ir.compareIndex(arith::CmpIPredicate::ne, extents[axis], zero);
  extents.erase(extents.begin() + axis);
  if (indices.rank() > 0)
    llvm::append_range(extents, in.ir.dims(indices.ir()));
  for (Value extent : extents)
    isRight = in.ir.createOrFold<arith::OrIOp>(isRight, in.ir.compareIndex(arith::CmpIPredicate::eq, extent, zero));
  in.ir.check(isRight, "IndexError", "cannot do a non-empty take from an empty axes.");
}

/// What is taken, as it is or in an output: NumPy may write a copy back, so that the output's dtype has to fit the
/// other way round.
PyValue storeTaken(Interpreter &in, const PyValue &taken, Type element, const PyValue &given) {
  PyValue out = outputOf(in, given);
  if (out.arrayType() && taken.isRuntime()) {
    if (!in.dtypes.canCast(out.elementType(), element, "safe"))
      return in.fail("TypeError: Cannot cast array data from " + py::repr(in.dtypes.dtype(out.elementType())) + " to " +
                     py::repr(in.dtypes.dtype(element)) + " according to the rule 'safe'");
    if (!in.ir.checkWritable(out.ir(), "WRITEBACKIFCOPY base is read-only"))
      return PyValue::poison();
  }
  return storeOut(in, taken, out, "unsafe", "take");
}

/// What stands among positions and is no number: int() does not take it. None where all are numbers or arrays.
const PyValue *findNoPosition(const PyValue &positions) {
  if (positions.is(PyValue::Kind::Slice) || positions.isNone() || isEllipsis(positions))
    return &positions;
  if (positions.isSequence())
    for (const PyValue &item : positions->items)
      if (const PyValue *found = findNoPosition(item))
        return found;
  return nullptr;
}

/// A number that is no integer, or a string that may show one.
bool isNoInteger(Interpreter &in, const PyValue &value) {
  if (isString(value))
    return true;
  if (value.isPythonScalar() || value.isNumpyScalar())
    return !isa<IndexType>(value.elementType()) &&
           (!isa<IntegerType>(value.elementType()) || value.elementType().isInteger(1));
  if (!value.isObject() || !promotionKey(in, value))
    return false;
  Type type = runtimeType(in, value);
  return type && (!isa<IntegerType>(np::getElementType(type)) || np::getElementType(type).isInteger(1));
}

/// a[indices] along an axis; of the flattened array without one.
PyValue emitTake(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["a"]);
  if (!source)
    return PyValue::poison();
  PyValue base = PyValue::runtime(source);
  int64_t axis = 0;
  int64_t rank = np::getRank(source.getType());
  if (args["axis"].isNone() || rank == 0) // a number has one axis of one element here
    base = callNumpy(in, "ravel", {base});
  if (!args["axis"].isNone()) {
    std::optional<int64_t> given = asAxis(in, args["axis"], std::max<int64_t>(rank, 1));
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
  if (const PyValue *found = findNoPosition(indices))
    return in.fail("TypeError: int() argument must be a string, a bytes-like object or a real number, not " +
                   nameOfType(in, *found));
  if (isNoInteger(in, indices)) { // NumPy asks int() for the position
    indices = callBuiltin(in, "int", {indices});
    if (indices.isPoison())
      return indices;
  }
  bool isList = indices.isSequence();
  if (isList) {
    Value array = asArray(in, indices);
    if (!array)
      return PyValue::poison();
    indices = PyValue::runtime(array);
  }
  if (Type element = indices.isRuntime() ? indices.elementType() : Type();
      element && indices.isArray() && !isa<IndexType>(element) &&
      (!isa<IntegerType>(element) || element.isInteger(1))) {
    // NumPy casts what it makes of a list.
    if (!isList && !in.dtypes.canCast(element, in.ir.getI64Type(), "same_kind"))
      return in.fail("TypeError: Cannot cast array data from " + py::repr(in.dtypes.dtype(element)) +
                     " to dtype('int64') according to the rule 'same_kind'");
    indices = PyValue::runtime(tensorOf(in, indices, in.ir.getI64Type()));
  }
  if (!args["mode"].isObject())
    return in.fail("take() needs to know 'mode' at compile time");
  std::string mode = py::text(args["mode"].object());
  if (mode != "raise" && mode != "wrap" && mode != "clip")
    return in.fail("ValueError: clipmode must be one of 'clip', 'raise', or 'wrap' (got '" + mode + "')");
  if (PyValue out = outputOf(in, args["out"]); out.arrayType()) { // before anything is taken
    SmallVector<Value> wanted = in.ir.dims(asArray(in, base)), places;
    if (indices.rank() > 0)
      places = in.ir.dims(indices.ir());
    wanted.erase(wanted.begin() + axis);
    wanted.insert(wanted.begin() + axis, places.begin(), places.end());
    if (!checkExtentsOfOutput(in, wanted, out.ir(), "output array does not match result of ndarray.take"))
      return out;
  }
  checkTaken(in, asArray(in, base), axis, indices);
  if (mode != "raise") {
    std::vector<PyValue> extents;
    if (!asSequence(in, callNumpy(in, "shape", {base}), extents))
      return PyValue::poison();
    PyValue last = binary(in, "Sub", extents[axis], PyValue::object(py::integer(1)));
    indices = mode == "wrap" ? callNumpy(in, "remainder", {indices, extents[axis]})
                             : callNumpy(in, "clip", {indices, PyValue::object(py::integer(0)), last});
    if (indices.isPoison())
      return indices;
  }
  // A position that the program writes as a number stays one: views and sorts of few elements are made for it.
  if (mode == "raise" && axis > 0 && indices.rank() == 0 && indices.isRuntime()) {
    indices = whereAnyBefore(in, base, axis, indices);
    if (indices.isPoison())
      return indices;
  }
  index.push_back(indices);
  PyValue taken = subscript(in, base, PyValue::sequence(std::move(index)));
  if (axis > 0 && taken.isRuntime()) // NumPy looks at positions for each element before the axis
    if (auto gather = taken.ir().getDefiningOp<np::GatherOp>())
      gather.setAsTaken(true);
  // A view, where one position was given: what is taken is a copy.
  if (taken.arrayType())
    taken = PyValue::runtime(in.ir.load(taken.ir()));
  return args.given("out") ? storeTaken(in, taken, np::getElementType(source.getType()), args["out"]) : taken;
}
const Registered takeRows{{"numpy.take", "a, indices, axis=None, out=None, mode='raise'", emitTake}};
} // namespace

} // namespace npcc::frontend
