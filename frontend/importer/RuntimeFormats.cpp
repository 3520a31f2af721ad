// Formats that are made at run time: f"{x:{width}}", format(x, spec), template.format(x), template % x. Python itself
// formats there, with str.format and str.__mod__, as it runs the rarer methods of strings (StringMethods.cpp).
#include "frontend/importer/Known.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// The letter of a value's type as npcc_rt_text_method() has it, and its 64 bits; null with an error reported.
static std::pair<char, Value> formattedAs(Interpreter &in, const PyValue &value) {
  Type i64 = in.ir.getI64Type();
  if (isString(value))
    return {'t', stringNumber(in, value)};
  bool isNumber =
      value.isRuntime() || asInteger(in, value) || (value.isObject() && PyFloat_Check(value.object().get()));
  Type type = isNumber ? runtimeType(in, value) : Type();
  if (!type || np::getRank(type) > 0 || value.arrayType() || isa<ComplexType>(np::getElementType(type))) {
    PyValue shown = text(in, value, "");
    return {'t', shown.isPoison() ? Value() : stringNumber(in, shown)};
  }
  Value number = valueOf(in, value);
  if (!number)
    return {'i', Value()};
  if (isa<RankedTensorType>(number.getType()))
    number = in.ir.item(number);
  Type element = np::getElementType(type);
  if (isa<FloatType>(element)) // which format() makes Python's of, however narrow they are
    return {'f', arith::BitcastOp::create(in.ir, i64, in.ir.castTo(number, in.ir.getF64Type()))};
  return {element.isInteger(1) ? 'b' : element.isUnsignedInteger(64) ? 'u' : 'i', in.ir.castTo(number, i64)};
}

PyValue formatAtRunTime(Interpreter &in, const PyValue &format, StringRef method, ArrayRef<PyValue> values) {
  SmallVector<Value> arguments{stringNumber(in, format)};
  std::string types = "t";
  for (const PyValue &value : values) {
    auto [letter, bits] = formattedAs(in, in.env.bound(value));
    types += letter;
    arguments.push_back(bits);
  }
  if (llvm::is_contained(arguments, Value()))
    return PyValue::poison();
  return numberedString(PyValue::runtime(callText(in, (method + ":" + types + ">t").str(), arguments)));
}

PyValue formatWithSpec(Interpreter &in, const PyValue &value, const PyValue &spec) {
  if (!isString(spec))
    return in.fail("TypeError: format() argument 2 must be str, not " + describe(in, spec));
  auto whole = std::make_shared<Composite>();
  whole->pieces.push_back({"{:", PyValue()});
  if (!addShown(in, *whole, spec))
    return PyValue::poison();
  whole->pieces.push_back({"}", PyValue()});
  return formatAtRunTime(in, textOf(whole), "format", {value});
}

} // namespace npcc::frontend
