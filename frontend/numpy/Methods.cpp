// Methods of arrays and NumPy scalars that are not functions of NumPy too (those are in Table.cpp, functionOfMethod).
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue emitAstype(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], Type());
  if (!element)
    return args["dtype"].isNone() ? importer.fail("TypeError: astype() needs a dtype") : PyValue::poison();
  if (!args["copy"].isObject() || !args["casting"].isObject())
    return importer.fail("astype() needs to know 'copy' and 'casting' at compile time");
  std::string rule = py::text(args["casting"].object());
  Type own = args["a"].elementType();
  static const std::set<std::string> rules = {"no", "equiv", "safe", "same_kind", "unsafe"};
  if (!rules.count(rule))
    return importer.fail("ValueError: casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '" +
                         rule + "')");
  if (!importer.dtypes.canCast(own, element, rule.c_str()))
    return importer.fail("TypeError: Cannot cast array data from dtype('" + importer.dtypes.name(own) +
                         "') to dtype('" + importer.dtypes.name(element) + "') according to the rule '" + rule + "'");
  using Order = FunctionImporter::Order;
  Value array = importer.asArray(args["a"]);
  std::optional<Order> order = array ? importer.asOrder(args["order"], Order::K) : std::nullopt;
  if (!order)
    return PyValue::poison();
  bool copies = py::isTrue(args["copy"].object());
  if (!copies && args["a"].arrayType() && own == element) {
    PyValue none = PyValue::object(py::none());
    return *order == Order::C || *order == Order::F ? callNumpy(importer, "asarray", {args["a"], none, args["order"]})
                                                    : args["a"];
  }
  std::optional<bool> fortran = importer.isFortranLike(args["order"], array, Order::K);
  if (!fortran)
    return PyValue::poison();
  Value value = importer.castTo(isa<np::ArrayType>(array.getType()) ? importer.load(array) : array, element);
  if (*fortran && *order != Order::K && np::getRank(value.getType()) > 1)
    return PyValue::runtime(importer.newArrayIn(value, true));
  return args["a"].arrayType() ? importer.asNewArray(value) : PyValue::runtime(value);
}

PyValue emitToList(FunctionImporter &importer, Arguments &args) {
  Value value = importer.valueOf(args["a"]);
  if (!value)
    return PyValue::poison();
  if (np::getRank(value.getType()) == 0)
    return PyValue::runtime(isa<RankedTensorType>(value.getType()) ? importer.item(value) : value);
  // Python has no smaller types.
  Type element = np::getElementType(value.getType()), python = element;
  if (isa<IntegerType>(element) && !element.isInteger(1) && !element.isUnsignedInteger(64))
    python = importer.builder.getI64Type();
  else if (isa<FloatType>(element))
    python = importer.builder.getF64Type();
  else if (isa<ComplexType>(element))
    python = ComplexType::get(importer.builder.getF64Type());
  return PyValue::list(PyValue::runtime(importer.newArray(importer.castTo(value, python))), np::getRank(value.getType()), true);
}

/// A NumPy scalar's copy is a scalar, unlike what the function gives.
PyValue emitCopy(FunctionImporter &importer, Arguments &args) {
  return args["a"].isNumpyScalar() ? args["a"] : callNumpy(importer, "copy", {args["a"], args["order"]});
}

/// Unlike the function, which copies (and makes int8 of bools): what is real is given back as it is.
PyValue emitConj(FunctionImporter &importer, Arguments &args) {
  if ((args["a"].arrayType() || args["a"].isNumpyScalar()) && !isa<ComplexType>(args["a"].elementType()))
    return args["a"];
  return callNumpy(importer, "conjugate", {args["a"]});
}

PyValue emitFill(FunctionImporter &importer, Arguments &args) {
  if (args["value"].rank() > 0)
    return importer.fail(args["a"].isRuntime() && isa<ComplexType>(args["a"].elementType())
                             ? "TypeError: only 0-dimensional arrays can be converted to Python scalars"
                             : "ValueError: setting an array element with a sequence.");
  if (args["a"].isNumpyScalar()) // NumPy fills an array of no axes, and forgets it
    return importer.itemAs(args["value"], args["a"].elementType(), /*isItem=*/true) ? PyValue::object(py::none())
                                                                                    : PyValue::poison();
  if (!args["a"].arrayType())
    return importer.fail("fill() of a temporary changes nothing");
  Value value = importer.itemAs(args["value"], args["a"].elementType(), /*isItem=*/true);
  if (!value)
    return PyValue::poison();
  importer.storeWhole(args["a"].ir(), PyValue::runtime(value));
  return PyValue::object(py::none());
}

PyValue emitItem(FunctionImporter &importer, Arguments &args) {
  PyValue base = args["a"];
  const std::vector<PyValue> &positions = args["args"]->items;
  if (!positions.empty()) {
    PyValue index = positions.size() == 1 ? positions[0] : PyValue::sequence(positions);
    if (positions.size() == 1 && base.rank() > 1)
      base = callNumpy(importer, "ravel", {base});
    base = importer.subscript(base, index);
  }
  Value value = importer.valueOf(base);
  if (!value)
    return PyValue::poison();
  if (int64_t rank = np::getRank(value.getType())) {
    Value one = importer.index(1);
    for (int64_t axis = 0; axis < rank; ++axis)
      importer.check(importer.compareIndex(arith::CmpIPredicate::eq, importer.dim(value, axis), one), "ValueError",
                     "can only convert an array of size 1 to a Python scalar");
    using AxisIndex = FunctionImporter::AxisIndex;
    SmallVector<AxisIndex> first(rank, AxisIndex{AxisIndex::Position, importer.index(0), {}, {}, {}});
    value = importer.makeView(value, first);
  }
  Type element = np::getElementType(value.getType());
  // Python's types: int, float, bool, complex.
  OpBuilder &b = importer.builder;
  Type python = element.isInteger(1)      ? element
                : element.isInteger()     ? Type(b.getI64Type())
                : isa<FloatType>(element) ? Type(b.getF64Type())
                                          : Type(ComplexType::get(b.getF64Type()));
  Value scalar = isa<RankedTensorType>(value.getType()) ? importer.item(value) : value;
  return PyValue::runtime(python == b.getI64Type() ? importer.wholeNumber(scalar) : importer.castTo(scalar, python));
}

/// The condition comes first in the function.
PyValue emitCompress(FunctionImporter &importer, Arguments &args) {
  return callNumpy(importer, "compress", {args["condition"], args["a"], args["axis"], args["out"]});
}

PyValue emitView(FunctionImporter &importer, Arguments &args) {
  Type element = importer.asDtype(args["dtype"], args["a"].elementType());
  if (!element)
    return PyValue::poison();
  if (element != args["a"].elementType())
    return importer.fail("ndarray.view() with another dtype cannot be compiled", "use astype(), which converts");
  return args["a"];
}

const FunctionRow rows[] = {
    {"ndarray.tolist", "a", emitToList},
    {"ndarray.astype", "a, dtype, order='K', casting='unsafe', subok=True, copy=True", emitAstype},
    {"ndarray.conj", "a", emitConj},
    {"ndarray.conjugate", "a", emitConj},
    {"ndarray.compress", "a, condition, axis=None, out=None", emitCompress},
    {"ndarray.copy", "a, order='C'", emitCopy},
    {"ndarray.fill", "a, value", emitFill},
    {"ndarray.item", "a, *args", emitItem},
    {"ndarray.view", "a, dtype=None", emitView},
};
} // namespace

ArrayRef<FunctionRow> methodRows() { return rows; }

} // namespace npcc::frontend
