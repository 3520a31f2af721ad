// Strings: f-strings and print().
#include "frontend/importer/Text.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// Python's format(); null with an error reported.
py::Object format(Interpreter &in, const py::Object &known, const std::string &spec) {
  std::string errorType, message;
  py::Object result = py::tryCall(py::import("builtins")["format"], {known, py::string(spec)}, {}, errorType, message);
  if (!result)
    in.fail(errorType + ": " + message);
  return result;
}

/// A value as a string: known text, or text with numbers of the program in it.
PyValue text(Interpreter &in, const PyValue &value, const std::string &spec, bool isRepr) {
  if (value.isPoison() || (value.is(PyValue::Kind::Text) && spec.empty()))
    return value;
  if (py::Object known = asObject(in, value)) {
    if (isRepr)
      return PyValue::object(py::string(py::repr(known)));
    if (spec.empty()) // str() of NumPy's narrow floats is shorter than what format() makes of them
      return PyValue::object(py::string(py::text(known)));
    return PyValue::object(format(in, known, spec));
  }
  auto data = std::make_shared<Composite>();
  if (value.isRuntime() && value.rank() == 0 && !(isRepr && value.arrayType())) {
    bool isNumpys = isRepr && value.isNumpyScalar(), isBool = value.elementType().isInteger(1);
    if (isNumpys) // np.float64(1.5), np.True_
      data->pieces.push_back({isBool ? "np." : "np." + in.dtypes.name(value.elementType()) + "(", PyValue()});
    data->pieces.push_back({spec, value, isNumpys});
    if (isNumpys)
      data->pieces.push_back({isBool ? "_" : ")", PyValue()});
    return PyValue::composite(PyValue::Kind::Text, data);
  }
  if (isBox(value))
    return text(in, unboxed(in, value), spec, isRepr);
  std::vector<PyValue> items;
  if (isDictionary(value) && spec.empty()) {
    data->pieces.push_back({"{", PyValue()});
    for (auto [k, key] : llvm::enumerate(heldKeys(in, value))) {
      data->pieces.push_back({(k ? ", " : "") + py::repr(key) + ": ", PyValue()});
      if (!addShown(in, *data, text(in, readHeld(in, value, key), "", /*isRepr=*/true)))
        return PyValue::poison();
    }
    data->pieces.push_back({"}", PyValue()});
    return textOf(data);
  }
  if (value.isSequence() && spec.empty()) {
    data->pieces.push_back({value->isList ? "[" : "(", PyValue()});
    for (auto [k, item] : llvm::enumerate(value->items)) {
      if (k)
        data->pieces.push_back({", ", PyValue()});
      PyValue inner = text(in, item, "", /*isRepr=*/true);
      if (inner.isPoison())
        return inner;
      if (inner.isObject())
        data->pieces.push_back({py::text(inner.object()), PyValue()});
      else
        data->pieces.insert(data->pieces.end(), inner->pieces.begin(), inner->pieces.end());
    }
    data->pieces.push_back({value->isList ? "]" : value->items.size() == 1 ? ",)" : ")", PyValue()});
    return PyValue::composite(PyValue::Kind::Text, data);
  }
  if (value.isArray())
    return in.fail("arrays cannot be printed from compiled code", "print elements or reductions, or print outside");
  return in.fail(describe(in, value) + " cannot be printed from compiled code");
}

bool addShown(Interpreter &in, Composite &pieces, const PyValue &shown) {
  if (shown.isPoison())
    return false;
  if (shown.isObject())
    pieces.pieces.push_back({py::text(shown.object()), PyValue()});
  else
    llvm::append_range(pieces.pieces, shown->pieces);
  return true;
}

bool addFormatted(Interpreter &in, Composite &pieces, PyValue value, std::string spec, char conversion) {
  if (conversion) {
    value = text(in, value, "", conversion != 's');
    if (value.is(PyValue::Kind::Text) && !spec.empty()) {
      in.fail("a format of a converted number cannot be compiled", "leave out the conversion");
      return false;
    }
  } else if (value.isRuntime() && value.rank() == 0) {
    // format() of NumPy's narrow floats makes Python's of them; str() does not.
    Type element = value.elementType();
    auto complexElement = dyn_cast<ComplexType>(element);
    if (complexElement && complexElement.getElementType().isF32())
      value = PyValue::runtime(in.ir.castTo(valueOf(in, value), ComplexType::get(in.ir.getF64Type())));
    else if (isa<FloatType>(element) && !element.isF64())
      value = PyValue::runtime(in.ir.castTo(valueOf(in, value), in.ir.getF64Type()));
  } else if (value.isObject()) {
    value = PyValue::object(format(in, value.object(), spec));
    spec.clear();
  }
  return addShown(in, pieces, text(in, value, spec));
}

PyValue textOf(std::shared_ptr<Composite> pieces) {
  std::string whole;
  for (const Composite::Piece &piece : pieces->pieces) {
    if (piece.value.isRuntime())
      return PyValue::composite(PyValue::Kind::Text, pieces);
    whole += piece.text;
  }
  return PyValue::object(py::string(whole));
}

PyValue joinedString(Interpreter &in, const py::Object &node) {
  auto data = std::make_shared<Composite>();
  bool ok = true;
  for (const py::Object &part : node.list("values")) {
    NodeScope scope(in, part);
    if (py::typeName(part) == "Constant") {
      data->pieces.push_back({py::text(part["value"]), PyValue()});
      continue;
    }
    std::string spec;
    if (!part["format_spec"].isNone()) {
      py::Object known = asObject(in, joinedString(in, part["format_spec"]));
      if (!known) {
        in.fail("a format must be known at compile time");
        ok = false;
        continue;
      }
      spec = py::text(known);
    }
    int64_t conversion = part.integer("conversion", -1);
    ok &= addFormatted(in, *data, in.expression(part["value"]), spec, conversion == -1 ? 0 : char(conversion));
  }
  return ok ? textOf(data) : PyValue::poison();
}

std::string exceptionText(Interpreter &in, const PyValue &shown, SmallVectorImpl<Value> &values) {
  if (shown.isObject())
    return py::text(shown.object());
  std::string text;
  if (!shown.is(PyValue::Kind::Text))
    return text;
  Type i64 = in.ir.getI64Type();
  auto bits = [&](Value number) {
    values.push_back(arith::BitcastOp::create(in.ir, i64, in.ir.castTo(number, in.ir.getF64Type())));
  };
  for (const Composite::Piece &piece : shown->pieces) {
    Value number = piece.value.isRuntime() ? valueOf(in, piece.value) : Value();
    if (!number) {
      text += piece.text;
      continue;
    }
    if (isa<RankedTensorType>(number.getType()))
      number = in.ir.item(number);
    Type type = number.getType();
    text += "{" + std::to_string(values.size());
    char kind = type.isInteger(1)          ? 'b'
                : type.isUnsignedInteger() ? 'u'
                : type.isF16()             ? 'h'
                : type.isF32()             ? 'g'
                : isa<FloatType>(type)     ? 'f'
                                           : 'i';
    if (auto complexType = dyn_cast<ComplexType>(type)) {
      kind = complexType.getElementType().isF32() ? 'k' : 'c';
      bits(in.ir.emitUfunc("real", {number}));
      bits(in.ir.emitUfunc("imag", {number}));
    } else if (isa<FloatType>(type)) {
      bits(number);
    } else {
      values.push_back(in.ir.castTo(number, i64));
    }
    if (kind != 'i' || !piece.text.empty())
      text +=
          std::string("!") + (piece.isBare && isa<ComplexType>(type) ? llvm::toUpper(kind) : kind) + ":" + piece.text;
    text += "}";
  }
  return text;
}

void print(Interpreter &in, Call &call) {
  std::string separator = " ", end = "\n";
  for (const auto &[name, value] : call.keywords) {
    py::Object known = asObject(in, value);
    if (name == "flush")
      continue;
    if ((name != "sep" && name != "end") || !known) {
      in.fail("print() takes sep and end, known at compile time, in compiled code");
      return;
    }
    if (!known.isNone())
      (name == "sep" ? separator : end) = py::text(known);
  }
  SmallVector<Attribute> pieces;
  SmallVector<Value> arguments;
  std::string literal;
  auto flushText = [&] {
    if (!literal.empty())
      pieces.push_back(in.ir.getStringAttr(literal));
    literal.clear();
  };
  for (auto [k, arg] : llvm::enumerate(call.args)) {
    if (k)
      literal += separator;
    PyValue shown = text(in, arg, "");
    if (shown.isPoison())
      return;
    if (shown.isObject()) {
      literal += py::text(shown.object());
      continue;
    }
    for (const Composite::Piece &piece : shown->pieces) {
      if (!piece.value.isRuntime()) {
        literal += piece.text;
        continue;
      }
      Value number = valueOf(in, piece.value);
      if (!number)
        return;
      if (isa<RankedTensorType>(number.getType()))
        number = in.ir.item(number);
      flushText();
      SmallVector<Attribute> parts{in.ir.getI64IntegerAttr(arguments.size()), in.ir.getStringAttr(piece.text)};
      // What the machine's types do not tell.
      bool isUnsigned = number.getType().isUnsignedInteger();
      if (isUnsigned || (piece.isBare && isa<ComplexType>(number.getType())))
        parts.push_back(in.ir.getStringAttr(isUnsigned ? "unsigned" : "bare"));
      pieces.push_back(in.ir.getArrayAttr(parts));
      arguments.push_back(number);
    }
  }
  literal += end;
  flushText();
  np::PrintOp::create(in.ir, arguments, in.ir.getArrayAttr(pieces));
}

} // namespace npcc::frontend
