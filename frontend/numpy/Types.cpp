// NumPy's scalar types as functions: numpy.float32(x), numpy.int64(x).
#include "frontend/importer/Strings.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

/// A NumPy scalar of the type; an array of the type is given back as it is, as numpy.asarray gives it, and of another
/// one a new array is made.
PyValue convertToType(Interpreter &in, const py::Object &type, Call &call) {
  if (call.args.size() > 1 || !call.keywords.empty())
    return in.fail("numpy." + type.string("__name__") + " of more than one value cannot be compiled");
  Type element = asDtype(in, PyValue::object(type), Type());
  if (!element)
    return PyValue::poison();
  PyValue argument = call.args.empty() ? PyValue::object(py::integer(0)) : call.args[0];
  if (argument.isObject() && promotionKey(in, argument)) {
    std::string errorType, message;
    py::Object known = py::tryCall(type, {argument.object()}, {}, errorType, message);
    return known ? PyValue::object(known) : in.fail(errorType + ": " + message);
  }
  if (argument.arrayType() && argument.rank() > 0 && argument.elementType() == element)
    return argument;
  bool isNumber = isa<FloatType, IntegerType>(element) && !element.isInteger(1);
  bool isItem = argument.isPythonScalar() || (isNumber && isString(argument));
  Value array = isItem ? itemAs(in, argument, element, /*isItem=*/false) : asArray(in, argument, element);
  if (!array)
    return PyValue::poison();
  return PyValue::runtime(isa<np::ArrayType>(array.getType())      ? in.ir.load(array)
                          : isa<RankedTensorType>(array.getType()) ? array
                                                                   : in.ir.rankZero(array));
}

namespace {
/// Something of a dtype, or Python number, that NumPy's promotion takes in place of a value.
py::Object representative(Interpreter &in, const PyValue &value) {
  if (!value.isRuntime())
    return asObject(in, value);
  py::Object key = promotionKey(in, value);
  return PyType_Check(key.get()) ? py::call(key, {}) : key;
}

/// numpy.result_type and the like: decided by the dtypes.
PyValue emitByDtypes(Interpreter &in, Arguments &args) {
  std::vector<py::Object> known;
  for (const PyValue &value : args["arguments"]->items) {
    known.push_back(representative(in, value));
    if (!known.back())
      return in.fail("the dtype of " + describe(in, value) + " is not known");
  }
  std::string errorType, message;
  py::Object result = py::tryCall(py::lookup(args.row->name), known, {}, errorType, message);
  return result ? PyValue::object(result) : in.fail(errorType + ": " + message);
}
const Registered byDtypesRows{{"numpy.result_type", "*arguments", emitByDtypes}};

PyValue kindIs(Interpreter &in, const PyValue &value, bool isComplex) {
  Type type = value.isRuntime() ? value.elementType() : resultType(in, {value});
  if (!type)
    if (Value array = asArray(in, value))
      type = np::getElementType(array.getType());
  return type ? PyValue::object(py::boolean(isa<ComplexType>(type) == isComplex)) : PyValue::poison();
}
PyValue emitIsComplexObject(Interpreter &in, Arguments &args) { return kindIs(in, args["x"], true); }
const Registered isComplexObjectRows{{"numpy.iscomplexobj", "x", emitIsComplexObject}};

PyValue emitIsRealObject(Interpreter &in, Arguments &args) { return kindIs(in, args["x"], false); }
const Registered isRealObjectRows{{"numpy.isrealobj", "x", emitIsRealObject}};

PyValue emitIsScalar(Interpreter &in, Arguments &args) {
  PyValue &value = args["element"];
  bool isScalar = value.isRuntime() ? !value.arrayType() && value.rank() == 0
                                    : isString(value) || (value.isObject() && bool(promotionKey(in, value)));
  return PyValue::object(py::boolean(isScalar));
}
const Registered isScalarRows{{"numpy.isscalar", "element", emitIsScalar}};

} // namespace

} // namespace npcc::frontend
