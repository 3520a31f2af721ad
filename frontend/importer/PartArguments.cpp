#include "frontend/importer/PartArguments.h"
#include "dialects/Np/Host.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

std::string PartArguments::textOf(const py::Object &node, const std::vector<std::string> &binds) {
  std::vector<py::Object> names;
  for (const std::string &name : binds)
    names.push_back(py::string(name));
  py::Object pair =
      py::call(py::lookup("npcc.objects.part_text"), {node, py::list(parameters), py::list(constants), py::list(names),
                                                      in.env.frame->globals, py::string(in.env.frame->file)});
  std::vector<py::Object> parts = py::elements(pair);
  if (parts.size() != 2)
    return "";
  in.outlines->parts->isPortable &= py::isTrue(parts[1]);
  return py::toString(parts[0].get());
}

PyValue PartArguments::run(const std::string &text, char wanted) {
  if (text.empty())
    return in.fail("this cannot be handed to Python");
  std::string part = "python " + text + ":" + letters + ">";
  auto call = [&](char kind) -> Value {
    Value number = np::PythonOp::create(in.ir, in.ir.getI64Type(), part + kind, bits);
    in.ir.clobber();
    takeBack(in, lent);
    return number;
  };
  if (!in.env.handlers.empty() || in.env.leavesChanges()) {
    // The program may catch what Python raises, or has changed what it was given: the number says whether it is an
    // exception.
    Value number = call('?'), zero = in.ir.constantInteger(in.ir.getI64Type(), 0);
    Block *good = in.ir.newBlock(), *bad = in.ir.newBlock();
    Value isGood = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, number, zero);
    cf::CondBranchOp::create(in.ir, isGood, good, bad);
    in.env.continueIn(bad);
    Value minusTwo = in.ir.constantInteger(in.ir.getI64Type(), -2);
    Value error = in.ir.createOrFold<arith::SubIOp>(minusTwo, number);
    raiseObject(in, pythonObject(PyValue::runtime(error)));
    in.env.isReachable = true;
    in.env.continueIn(good);
    in.ir.forgetCaches();
    PyValue object = pythonObject(PyValue::runtime(number));
    if (wanted == 'o')
      return object;
    PartArguments again(in);
    again.add("a", object, "");
    Value bits = np::PythonOp::create(in.ir, in.ir.getI64Type(),
                                      "python " + simpleText("return a", "a") + ":o>" + wanted, again.bits);
    return typed(bits, wanted);
  }
  return typed(call(wanted), wanted);
}

PyValue PartArguments::typed(Value number, char wanted) {
  switch (wanted) {
  case 'b': {
    Value zero = in.ir.constantInteger(in.ir.getI64Type(), 0);
    return PyValue::runtime(in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, number, zero));
  }
  case 'i':
    return PyValue::runtime(number);
  case 'f':
    return PyValue::runtime(arith::BitcastOp::create(in.ir, in.ir.getF64Type(), number));
  case 't':
    return numberedString(PyValue::runtime(number));
  default:
    return pythonObject(PyValue::runtime(number));
  }
}

const std::string &PartArguments::simpleText(const std::string &source, const std::string &names) {
  static std::map<std::pair<std::string, std::string>, std::string> known;
  std::string &text = known[{source, names}];
  if (text.empty())
    text =
        py::toString(py::call(py::lookup("npcc.objects.simple_text"), {py::string(source), py::string(names)}).get());
  return text;
}

PyValue runSimple(Interpreter &in, const std::string &source, ArrayRef<PyValue> values, char wanted) {
  PartArguments arguments(in);
  std::string names;
  for (auto [k, value] : llvm::enumerate(values)) {
    std::string name(1, static_cast<char>('a' + k));
    names += (k ? ", " : "") + name;
    PyValue object = value.is(PyValue::Kind::Unbound) ? value : asPythons(in, value);
    if (object.isPoison())
      return object;
    arguments.add(name, object, "");
  }
  return arguments.run(PartArguments::simpleText(source, names), wanted);
}

bool PartArguments::add(const std::string &name, const PyValue &given, const std::string &variable) {
  PyValue value = given;
  if (value.is(PyValue::Kind::Slot))
    value = in.env.bound(value);
  auto parameter = [&](char letter, Value number, const std::string &cast = "") {
    letters += letter;
    bits.push_back(number);
    parameters.push_back(py::tuple({py::string(name), py::string(cast)}));
    return true;
  };
  if (value.isPoison())
    return false;
  if (isPythons(value)) {
    Value number = valueOf(in, in.env.bound(value->items[0]));
    return number && parameter('o', number);
  }
  if (value.isObject()) {
    constants.push_back(py::tuple({py::string(name), value.object()}));
    return true;
  }
  if (isString(value) && !value.is(PyValue::Kind::Union)) {
    Value number = stringNumber(in, value);
    return number && parameter('t', number);
  }
  if (value.isRuntime() && !value.isGenerator() && value.rank() == 0 && !value.arrayType() && !value.pythonBit &&
      !isa<ComplexType>(value.elementType())) {
    Type element = value.elementType(), i64 = in.ir.getI64Type();
    std::string cast = value.isNumpyScalar() ? in.dtypes.name(element) : "";
    Value scalar = valueOf(in, value);
    if (isa<RankedTensorType>(scalar.getType()))
      scalar = in.ir.item(scalar);
    if (isa<FloatType>(element))
      return parameter('f', arith::BitcastOp::create(in.ir, i64, in.ir.castTo(scalar, in.ir.getF64Type())), cast);
    char letter = element.isInteger(1) ? 'b' : element.isUnsignedInteger(64) ? 'u' : 'i';
    return parameter(letter, in.ir.castTo(scalar, i64), cast);
  }
  PyValue object = asPythons(in, value, variable);
  return !object.isPoison() && add(name, object, "");
}

} // namespace npcc::frontend
