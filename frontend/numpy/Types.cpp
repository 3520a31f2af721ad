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
  Value array = importer.asArray(argument);
  if (!array)
    return PyValue::poison();
  Value value = importer.tensorOf(PyValue::runtime(array), element);
  return value ? PyValue::runtime(value) : PyValue::poison();
}

ArrayRef<FunctionRow> typeRows() { return {}; }

} // namespace npcc::frontend
