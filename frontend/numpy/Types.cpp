// NumPy's scalar types as functions: numpy.float32(x), numpy.int64(x).
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

/// A NumPy scalar of the type; of an array, a new array.
PyValue convertToType(FunctionImporter &importer, const py::Object &type, FunctionImporter::Call &call) {
  if (call.args.size() > 1 || !call.keywords.empty())
    return importer.fail("TypeError: a NumPy type takes one value");
  Type element = importer.asDtype(PyValue::object(type), Type());
  if (!element)
    return PyValue::poison();
  PyValue argument = call.args.empty() ? PyValue::object(py::integer(0)) : call.args[0];
  if (argument.isObject() && importer.promotionKey(argument)) {
    std::string errorType, message;
    py::Object known = py::tryCall(type, {argument.object()}, {}, errorType, message);
    return known ? PyValue::object(known) : importer.fail(errorType + ": " + message);
  }
  Value array = argument.isPythonScalar() ? importer.itemAs(argument, element, /*isItem=*/false)
                                          : importer.asArray(argument, element);
  if (!array)
    return PyValue::poison();
  return PyValue::runtime(isa<np::ArrayType>(array.getType())      ? importer.load(array)
                          : isa<RankedTensorType>(array.getType()) ? array
                                                                   : importer.rankZero(array));
}

namespace {
/// Something of a dtype, or Python number, that NumPy's promotion takes in place of a value.
py::Object representative(FunctionImporter &importer, const PyValue &value) {
  if (!value.isRuntime())
    return importer.asObject(value);
  py::Object key = importer.promotionKey(value);
  return PyType_Check(key.get()) ? py::call(key, {}) : key;
}

/// numpy.result_type and the like: decided by the dtypes.
PyValue emitByDtypes(FunctionImporter &importer, Arguments &args) {
  std::vector<py::Object> known;
  for (const PyValue &value : args["arguments"]->items) {
    known.push_back(representative(importer, value));
    if (!known.back())
      return importer.fail("the dtype of " + importer.describe(value) + " is not known");
  }
  std::string errorType, message;
  py::Object result = py::tryCall(py::lookup(args.row->name), known, {}, errorType, message);
  return result ? PyValue::object(result) : importer.fail(errorType + ": " + message);
}

PyValue kindIs(FunctionImporter &importer, const PyValue &value, bool isComplex) {
  Type type = value.isRuntime() ? value.elementType() : importer.resultType({value});
  if (!type)
    if (Value array = importer.asArray(value))
      type = np::getElementType(array.getType());
  return type ? PyValue::object(py::boolean(isa<ComplexType>(type) == isComplex)) : PyValue::poison();
}
PyValue emitIsComplexObject(FunctionImporter &importer, Arguments &args) { return kindIs(importer, args["x"], true); }
PyValue emitIsRealObject(FunctionImporter &importer, Arguments &args) { return kindIs(importer, args["x"], false); }
PyValue emitIsScalar(FunctionImporter &importer, Arguments &args) {
  PyValue &value = args["element"];
  bool isScalar = value.isRuntime() ? !value.arrayType() && value.rank() == 0 : value.isObject() && bool(importer.promotionKey(value));
  return PyValue::object(py::boolean(isScalar));
}

const FunctionRow rows[] = {
    {"numpy.result_type", "*arguments", emitByDtypes},   
    {"numpy.iscomplexobj", "x", emitIsComplexObject},
    {"numpy.isrealobj", "x", emitIsRealObject},          {"numpy.isscalar", "element", emitIsScalar},
};
} // namespace

ArrayRef<FunctionRow> typeRows() { return rows; }

} // namespace npcc::frontend
