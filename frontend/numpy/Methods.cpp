// Methods of arrays and NumPy scalars that are not functions of NumPy too (those are in Table.cpp, functionOfMethod).
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Tables.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue emitAstype(Interpreter &in, Arguments &args) {
  Type element = asDtype(in, args["dtype"], Type());
  if (!element)
    return args["dtype"].isNone() ? in.fail("TypeError: astype() needs a dtype") : PyValue::poison();
  if (!args["copy"].isObject() || !args["casting"].isObject())
    return in.fail("astype() needs to know 'copy' and 'casting' at compile time");
  std::string rule = py::text(args["casting"].object());
  Type own = args["a"].elementType();
  static const std::set<std::string> rules = {"no", "equiv", "safe", "same_kind", "unsafe"};
  if (rule == "same_value")
    return in.fail("astype() with casting='same_value' cannot be compiled",
                   "compare the result with what was converted");
  if (!rules.count(rule))
    return in.fail("ValueError: casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '" + rule +
                   "')");
  if (!in.dtypes.canCast(own, element, rule.c_str()))
    return in.fail("TypeError: Cannot cast array data from " + py::repr(in.dtypes.dtype(own)) + " to " +
                   py::repr(in.dtypes.dtype(element)) + " according to the rule '" + rule + "'");
  using Order = Order;
  Value array = asArray(in, args["a"]);
  std::optional<Order> order = array ? asOrder(in, args["order"], Order::K) : std::nullopt;
  if (!order)
    return PyValue::poison();
  bool copies = py::isTrue(args["copy"].object());
  if (!copies && args["a"].arrayType() && own == element) {
    PyValue none = PyValue::object(py::none());
    return *order == Order::C || *order == Order::F ? callNumpy(in, "asarray", {args["a"], none, args["order"]})
                                                    : args["a"];
  }
  std::optional<bool> fortran = isFortranLike(in, args["order"], array, Order::K);
  if (!fortran)
    return PyValue::poison();
  Value value = in.ir.castTo(isa<np::ArrayType>(array.getType()) ? in.ir.load(array) : array, element);
  if (*fortran && *order != Order::K && np::getRank(value.getType()) > 1)
    return PyValue::runtime(newArrayIn(in, value, true));
  return args["a"].arrayType() ? asNewArray(in, value) : PyValue::runtime(value);
}
const Registered astypeRows{
    {"ndarray.astype", "a, dtype, order='K', casting='unsafe', subok=True, copy=True", emitAstype}};

PyValue emitToList(Interpreter &in, Arguments &args) {
  Value value = valueOf(in, args["a"]);
  if (!value)
    return PyValue::poison();
  if (np::getRank(value.getType()) == 0)
    return PyValue::runtime(isa<RankedTensorType>(value.getType()) ? in.ir.item(value) : value);
  // Python has no smaller types.
  Type element = np::getElementType(value.getType()), python = element;
  if (isa<IntegerType>(element) && !element.isInteger(1) && !element.isUnsignedInteger(64))
    python = in.ir.getI64Type();
  else if (isa<FloatType>(element))
    python = in.ir.getF64Type();
  else if (isa<ComplexType>(element))
    python = ComplexType::get(in.ir.getF64Type());
  int64_t levels = np::getRank(value.getType());
  PyValue list = PyValue::list(PyValue::runtime(in.ir.newArray(in.ir.castTo(value, python))), levels, true);
  if (levels == 1 || !in.currentNode)
    return list;
  // Lists in a list are the rows of an array until one of them is found to become another list, or to change its
  // length: then each is a list of its own.
  list->itemSite = siteOf(in, in.currentNode) + " rows";
  bool areLists = in.outlines && canBeTabled(in, listItem(in, list, in.ir.index(0))) &&
                  isTabledTuple(in, listItem(in, list, in.ir.index(0)));
  return areLists ? callInLibrary(in, "tables.lists_of_rows", {args["a"]}) : list;
}
const Registered toListRows{{"ndarray.tolist", "a", emitToList}};

/// A NumPy scalar's copy is a scalar, unlike what the function gives.
PyValue emitCopy(Interpreter &in, Arguments &args) {
  return args["a"].isNumpyScalar() ? args["a"] : callNumpy(in, "copy", {args["a"], args["order"]});
}
const Registered copyRows{{"ndarray.copy", "a, order='C'", emitCopy}};

/// Unlike the function, which copies (and makes int8 of bools): what is real is given back as it is.
PyValue emitConj(Interpreter &in, Arguments &args) {
  if ((args["a"].arrayType() || args["a"].isNumpyScalar()) && !isa<ComplexType>(args["a"].elementType()))
    return args["a"];
  return callNumpy(in, "conjugate", {args["a"]});
}
const Registered conjRows{
    {"ndarray.conj", "a", emitConj},
    {"ndarray.conjugate", "a", emitConj},
};

/// None and lists are no elements, or what their kind of element has for them: NumPy is asked, of an array without
/// axes.
PyValue elementForOther(Interpreter &in, const PyValue &value, Type element) {
  py::Object other = py::none();
  if (value.isSequence()) {
    std::vector<py::Object> items(value->items.size(), py::none()); // how many there are decides, at most
    other = value->isList ? py::list(items) : py::tuple(items);
  }
  std::string errorType, message;
  py::Object array = py::call(in.dtypes.numpy["zeros"], {py::tuple({}), in.dtypes.dtype(element)});
  if (!py::tryCall(array["fill"], {other}, {}, errorType, message))
    return in.fail(errorType + ": " + message);
  return PyValue::object(py::call(array["item"], {}));
}

PyValue emitFill(Interpreter &in, Arguments &args) {
  if (args["value"].isNone() || args["value"].isSequence()) {
    args["value"] = elementForOther(in, args["value"], args["a"].elementType());
    if (args["value"].isPoison())
      return args["value"];
  }
  if (args["value"].rank() > 0)
    return in.fail(args["a"].isRuntime() && isa<ComplexType>(args["a"].elementType())
                       ? "TypeError: only 0-dimensional arrays can be converted to Python scalars"
                       : "ValueError: setting an array element with a sequence.");
  if (args["a"].isNumpyScalar()) // NumPy fills an array of no axes, and forgets it
    return itemAs(in, args["value"], args["a"].elementType(), /*isItem=*/true) ? PyValue::object(py::none())
                                                                               : PyValue::poison();
  if (!args["a"].arrayType())
    return in.fail("fill() of a temporary changes nothing");
  if (!in.ir.checkWritable(args["a"].ir()))
    return PyValue::object(py::none());
  Value value = itemAs(in, args["value"], args["a"].elementType(), /*isItem=*/true);
  if (!value)
    return PyValue::poison();
  storeWhole(in, args["a"].ir(), PyValue::runtime(value));
  return PyValue::object(py::none());
}
const Registered fillRows{{"ndarray.fill", "a, value", emitFill}};

PyValue emitItem(Interpreter &in, Arguments &args) {
  PyValue base = args["a"];
  std::vector<PyValue> positions = args["args"]->items;
  if (positions.size() == 1 && positions[0].isSequence()) // one tuple
    positions = std::vector<PyValue>(positions[0]->items);
  if (!positions.empty()) {
    bool isOfFlat = positions.size() == 1 && base.rank() > 1;
    base = isOfFlat ? flatRead(in, flat(in, base), positions[0])
                    : subscript(in, base, positions.size() == 1 ? positions[0] : PyValue::sequence(positions));
  }
  Value value = valueOf(in, base);
  if (!value)
    return PyValue::poison();
  if (int64_t rank = np::getRank(value.getType())) {
    Value one = in.ir.index(1);
    for (int64_t axis = 0; axis < rank; ++axis)
      in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, in.ir.dim(value, axis), one), "ValueError",
                  "can only convert an array of size 1 to a Python scalar");
    using AxisIndex = AxisIndex;
    SmallVector<AxisIndex> first(rank, AxisIndex{AxisIndex::Position, in.ir.index(0), {}, {}, {}});
    value = in.ir.makeView(value, first);
  }
  Type element = np::getElementType(value.getType());
  // Python's types: int, float, bool, complex.
  NpBuilder &b = in.ir;
  Type python = element.isInteger(1)      ? element
                : element.isInteger()     ? Type(b.getI64Type())
                : isa<FloatType>(element) ? Type(b.getF64Type())
                                          : Type(ComplexType::get(b.getF64Type()));
  Value scalar = isa<RankedTensorType>(value.getType()) ? in.ir.item(value) : value;
  return PyValue::runtime(python == b.getI64Type() ? wholeNumber(in, scalar) : in.ir.castTo(scalar, python));
}
const Registered itemRows{{"ndarray.item", "a, *args", emitItem}};

/// The condition comes first in the function.
PyValue emitCompress(Interpreter &in, Arguments &args) {
  return callNumpy(in, "compress", {args["condition"], args["a"], args["axis"], args["out"]});
}
const Registered compressRows{{"ndarray.compress", "a, condition, axis=None, out=None", emitCompress}};

/// The bytes of an element; what a part of it has.
int64_t bytesOf(Interpreter &in, Type element) { return in.dtypes.dtype(element).integer("itemsize"); }

/// Checks what the array's last axis must be for elements of another size, with NumPy's words, and gives the extents of
/// the view. Nothing with an error reported.
std::optional<SmallVector<Value>> extentsAs(Interpreter &in, Value array, int64_t from, int64_t to) {
  SmallVector<Value> extents = in.ir.dims(array);
  if (from == to)
    return extents;
  if (extents.empty()) {
    in.fail("ValueError: Changing the dtype of a 0d array is only supported if the itemsize is unchanged");
    return std::nullopt;
  }
  NpBuilder &b = in.ir;
  Value zero = in.ir.index(0), one = in.ir.index(1), ratio = in.ir.index(std::max(from, to) / std::min(from, to));
  auto isEqual = [&](Value left, Value right) { return in.ir.compareIndex(arith::CmpIPredicate::eq, left, right); };
  auto any = [&](Value left, Value right) { return b.createOrFold<arith::OrIOp>(left, right); };
  const char *notContiguous = "To change to a dtype of a different size, the last axis must be contiguous";
  std::optional<Placement> placement = placementOf(in, array);
  if (placement) {
    Value few = any(isEqual(extents.back(), one), isEqual(in.ir.size(array), zero));
    in.ir.check(any(few, isEqual(placement->strides.back(), one)), "ValueError", notContiguous);
  } else {
    SmallVector<AxisIndex> first(extents.size() - 1, AxisIndex{AxisIndex::Position, zero, {}, {}, {}});
    Value isLine = np::IsContiguousOp::create(b, b.getI1Type(), np::ElementOrder::C, in.ir.makeView(array, first));
    in.ir.check(any(isLine, isEqual(in.ir.size(array), zero)), "ValueError", notContiguous);
  }
  if (to < from) {
    extents.back() = b.createOrFold<arith::MulIOp>(extents.back(), ratio);
    return extents;
  }
  in.ir.check(isEqual(b.createOrFold<arith::RemSIOp>(extents.back(), ratio), zero), "ValueError",
              "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis "
              "of the array.");
  // A larger element begins where the strides of larger elements lead.
  if (placement) {
    SmallVector<Value> places{placement->offset};
    llvm::append_range(places, ArrayRef(placement->strides).drop_back());
    Value isEmpty = isEqual(in.ir.size(array), zero);
    for (Value place : places)
      in.ir.check(any(isEmpty, isEqual(b.createOrFold<arith::RemSIOp>(place, ratio), zero)), "NotImplementedError",
                  "view() with a larger dtype of elements that are not aligned cannot be compiled");
  } else if (extents.size() > 1) {
    in.ir.check(np::IsContiguousOp::create(b, b.getI1Type(), np::ElementOrder::C, array), "NotImplementedError",
                "view() with a larger dtype of an array that is not C-contiguous cannot be compiled");
  }
  extents.back() = b.createOrFold<arith::DivSIOp>(extents.back(), ratio);
  return extents;
}

/// a.view(dtype): the same bytes as elements of another type.
PyValue emitView(Interpreter &in, Arguments &args) {
  const PyValue &a = args["a"];
  Type own = a.elementType(), element = asDtype(in, args["dtype"], own);
  if (!element)
    return PyValue::poison();
  if (args.given("type") && !(args["type"].isObject() && args["type"].object() == in.dtypes.numpy["ndarray"]))
    return in.fail("ndarray.view() as another class than numpy.ndarray cannot be compiled", "leave out 'type'");
  // An object of its own, with the array's memory.
  if (element == own)
    return a.arrayType() ? subscript(in, a, PyValue::object(py::Object::borrow(Py_Ellipsis))) : a;
  if (element.isInteger(1))
    return in.fail("ndarray.view() as bool cannot be compiled: elements of compiled code are 0 or 1", "compare with 0");
  Value array =
      a.arrayType() ? a.ir() : in.ir.newArray(isa<RankedTensorType>(a.type()) ? a.ir() : in.ir.rankZero(a.ir()));
  auto type = cast<np::ArrayType>(array.getType());
  int64_t from = bytesOf(in, own), to = bytesOf(in, element);
  std::optional<SmallVector<Value>> extents = extentsAs(in, array, from, to);
  if (!extents)
    return PyValue::poison();
  SmallVector<int64_t> shape(type.getShape());
  if (from != to)
    shape.back() = matchPattern(extents->back(), m_One()) ? 1 : ShapedType::kDynamic;
  Value view = np::PartOp::create(in.ir, np::ArrayType::get(in.ir.getContext(), shape, element, type.getContiguous()),
                                  np::PartKind::view, array, *extents);
  return PyValue::runtime(a.isNumpyScalar() || a.isPythonScalar() ? in.ir.load(view) : view);
}
const Registered viewRows{{"ndarray.view", "a, dtype=None, type=None", emitView}};

} // namespace

} // namespace npcc::frontend
