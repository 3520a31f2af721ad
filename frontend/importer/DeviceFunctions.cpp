// What the code of a thread calls that is no word of npcc.cuda's: functions of libdevice, device functions, those of
// another compiler's code, and vectors. And what a device function gives that is compiled alone.
#include "dialects/Np/Libdevice.h"
#include "dialects/Np/Threads.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Threads.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

PyValue callLibdeviceFunction(Interpreter &in, StringRef name, Call &call) {
  auto prototype = np::findLibdeviceFunction(in.ir.getContext(), name);
  if (!prototype)
    return in.fail("AttributeError: libdevice has no function '" + Twine(name) + "'");
  SmallVector<Type> types = prototype->operandTypes();
  if (call.args.size() != types.size() || !call.keywords.empty())
    return in.fail("TypeError: libdevice." + Twine(name) + "() takes " + Twine(types.size()) + " arguments but " +
                   Twine(call.args.size() + call.keywords.size()) + " were given");
  SmallVector<Value> operands;
  for (auto [value, type] : llvm::zip(call.args, types)) {
    ThreadScalar scalar = scalarOf(in, value);
    if (!scalar.value)
      return PyValue::poison();
    if (isa<ComplexType>(scalar.value.getType()))
      return in.fail("TypeError: libdevice." + Twine(name) + "() takes no complex numbers");
    operands.push_back(in.ir.castTo(scalar.value, type));
  }
  auto op = np::LibdeviceOp::create(in.ir, prototype->resultTypes(), name, operands);
  std::vector<PyValue> results;
  for (Value result : op.getResults())
    results.push_back(PyValue::runtime(in.ir.rankZero(result)));
  return results.size() == 1 ? results[0] : PyValue::sequence(std::move(results));
}

PyValue returnedValue(Interpreter &in, const py::Object &place, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, "returned", "value", call, values))
    return PyValue::poison();
  PyValue value = values[0];
  py::Object declared = place["declared"];
  if (value.isNone() && declared.isNone())
    return PyValue::object(py::none());
  if (!declared.isNone()) {
    Call conversion{call.node, {value}, {}};
    value = callObject(in, declared["type"], conversion);
  }
  ThreadScalar scalar = scalarOf(in, value);
  if (!scalar.value)
    return PyValue::poison();
  Type element = scalar.value.getType();
  py::call(place["note"], {in.dtypes.dtype(element)});
  Type type = np::ArrayType::get(in.ir.getContext(), {}, element, /*contiguous=*/true);
  auto result = np::ThreadArrayOp::create(in.ir, type, in.ir.getStringAttr("result"), in.ir.getDenseI64ArrayAttr({}),
                                          ElementsAttr());
  np::WriteElementOp::create(in.ir, scalar.value, result);
  return PyValue::object(py::none());
}

PyValue callLinkedFunction(Interpreter &in, const py::Object &callee, Call &call) {
  std::string name = callee.string("name");
  std::vector<py::Object> parameters = callee.list("parameters");
  if (call.args.size() != parameters.size() || !call.keywords.empty())
    return in.fail("TypeError: " + Twine(name) + "() takes " + Twine(parameters.size()) + " arguments but " +
                   Twine(call.args.size() + call.keywords.size()) + " were given");
  SmallVector<Value> operands;
  for (auto [type, value] : llvm::zip(parameters, call.args)) {
    Type wanted = in.dtypes.elementType(type);
    if (!wanted)
      return in.fail("TypeError: linked functions take numbers, not " + Twine(py::text(type)) + " as '" + name +
                     "' is declared");
    Call conversion{call.node, {value}, {}};
    ThreadScalar scalar = scalarOf(in, callObject(in, in.dtypes.dtype(wanted)["type"], conversion));
    if (!scalar.value)
      return PyValue::poison();
    operands.push_back(scalar.value);
  }
  py::Object returned = callee["returned"];
  SmallVector<Type> results;
  if (!returned.isNone()) {
    results.push_back(in.dtypes.elementType(returned));
    if (!results[0])
      return in.fail("TypeError: linked functions give a number, not " + Twine(py::text(returned)) + " as '" + name +
                     "' is declared");
  }
  auto made = np::CallLinkedOp::create(in.ir, results, name, operands);
  in.ir.clobber();
  return results.empty() ? PyValue::object(py::none()) : PyValue::runtime(in.ir.rankZero(made.getResult(0)));
}

PyValue callDeviceFunction(Interpreter &in, const py::Object &callee, Call &call) {
  std::vector<py::Object> declared = callee.list("declared");
  std::vector<py::Object> types = declared.size() == 1 ? py::elements(declared[0]) : std::vector<py::Object>();
  for (auto [type, value] : llvm::zip(types, call.args)) {
    Type wanted = in.dtypes.elementType(StringRef(py::toString(type.get())));
    bool isNumber = wanted && (value.isObject() || (value.isRuntime() && value.rank() == 0 && !value.arrayType()));
    if (!isNumber)
      continue;
    Call conversion{call.node, {value}, {}};
    value = callObject(in, in.dtypes.dtype(wanted)["type"], conversion);
  }
  return callObject(in, callee["py_func"], call);
}

PyValue newVector(Interpreter &in, const py::Object &cls, Call &call) {
  std::vector<PyValue> items;
  for (const PyValue &given : call.args) {
    std::vector<PyValue> parts;
    if (!given.isSequence() || !asSequence(in, given, parts))
      parts = {given};
    for (const PyValue &part : parts) {
      Call conversion{call.node, {part}, {}};
      items.push_back(callObject(in, cls["vector_dtype"]["type"], conversion));
      if (items.back().isPoison())
        return items.back();
    }
  }
  size_t count = cls.list("_fields").size();
  if (items.size() != count)
    return in.fail("TypeError: " + cls.string("__name__") + " is made of " + Twine(count) + " numbers, not of " +
                   Twine(items.size()));
  PyValue vector = PyValue::sequence(std::move(items));
  vector->cls = cls;
  return vector;
}

} // namespace npcc::frontend
