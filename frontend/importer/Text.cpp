// Strings: f-strings and print().
#include "frontend/importer/Text.h"
#include "dialects/Np/Host.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Namespaces.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/TabledTuples.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
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

/// str() or repr() of an object whose class says what that is: its own __str__ or __repr__, or a dataclass.
static std::optional<PyValue> shownObject(Interpreter &in, const PyValue &value, bool isRepr) {
  if (!value.is(PyValue::Kind::Instance) || isDictionary(value))
    return std::nullopt;
  if (!isRepr)
    if (std::optional<PyValue> result = callSpecial(in, value, "__str__", {}))
      return *result;
  bool isGenerated = bool(value->cls["__dataclass_fields__"]) && value->cls["__repr__"]["__wrapped__"];
  auto data = std::make_shared<Composite>();
  if (doesAsNamespace(value->cls, "__repr__")) {
    std::string next = shownNameOf(value->cls) + "(";
    for (const py::Object &key : heldKeys(in, value)) {
      data->pieces.push_back({next + py::toString(key.get()) + "=", PyValue()});
      if (!addShown(in, *data, text(in, readHeld(in, value, key), "", /*isRepr=*/true)))
        return PyValue::poison();
      next = ", ";
    }
    data->pieces.push_back({next == ", " ? ")" : next + ")", PyValue()});
    return textOf(data);
  }
  bool isPlain = !isGenerated && py::typeName(value->cls["__repr__"]) == "wrapper_descriptor" && !isBox(value) &&
                 !StringRef(value->cls.string("__module__")).starts_with("npcc.");
  if (isPlain) { // object's, with an address, which is another one in each process
    data->pieces.push_back(
        {"<" + value->cls.string("__module__") + "." + value->cls.string("__qualname__") + " object at 0x7f",
         PyValue()});
    PyValue number = value.isTabled() ? value->items[0] : PyValue::object(py::integer(value->id));
    if (!addShown(in, *data, text(in, number, "010x")))
      return PyValue::poison();
    data->pieces.push_back({">", PyValue()});
    return textOf(data);
  }
  if (!isGenerated)
    return callSpecial(in, value, "__repr__", {});
  std::string next = value->cls.string("__qualname__") + "(";
  for (const py::Object &field : py::elements(py::call(py::import("dataclasses")["fields"], {value->cls}))) {
    if (!py::isTrue(field["repr"]))
      continue;
    data->pieces.push_back({next + field.string("name") + "=", PyValue()});
    if (!addShown(in, *data, text(in, attribute(in, value, field.string("name")), "", /*isRepr=*/true)))
      return PyValue::poison();
    next = ", ";
  }
  data->pieces.push_back({next == ", " ? ")" : next + ")", PyValue()});
  return textOf(data);
}

/// The same of a named tuple. The __repr__ that namedtuple() writes has no source: its fields say what it gives.
static PyValue shownNamedTuple(Interpreter &in, const PyValue &value, bool isRepr) {
  auto isOfProgram = [&](const char *method) {
    py::Object code = value->cls[method]["__code__"];
    return code && !(code["co_filename"] == py::lookup("collections.namedtuple")["__code__"]["co_filename"]);
  };
  for (const char *method : {"__str__", "__repr__"})
    if ((method == StringRef("__repr__") || !isRepr) && isOfProgram(method))
      if (std::optional<PyValue> result = callSpecial(in, value, method, {}))
        return *result;
  auto data = std::make_shared<Composite>();
  std::string next = value->cls.string("__name__") + "(";
  for (auto [field, item] : llvm::zip(value->cls.list("_fields"), value->items)) {
    data->pieces.push_back({next + py::toString(field.get()) + "=", PyValue()});
    if (!addShown(in, *data, text(in, item, "", /*isRepr=*/true)))
      return PyValue::poison();
    next = ", ";
  }
  data->pieces.push_back({value->items.empty() ? next + ")" : ")", PyValue()});
  return textOf(data);
}

/// A value as a string: known text, or text with numbers of the program in it.
PyValue text(Interpreter &in, const PyValue &value, const std::string &spec, bool isRepr) {
  if (value.isPoison() || (isRuntimeString(value) && spec.empty() && !isRepr))
    return isNumpyString(in, value) ? numberedString(value->items[0]) : value;
  if (isPythons(value))
    return runSimple(in, isRepr ? "return repr(a)" : "return format(a, b)",
                     isRepr ? ArrayRef<PyValue>{value}
                            : ArrayRef<PyValue>{value, PyValue::object(py::string(spec))},
                     't');
  if (value.is(PyValue::Kind::Union) || value.pythonBit)
    return overAlternatives(in, splitNumber(in, value), [&](PyValue one) { return text(in, one, spec, isRepr); });
  // Of tuples and lists item by item: a named tuple shows its class.
  if (py::Object known = value.isSequence() && spec.empty() ? py::Object() : asObject(in, value)) {
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
  if (isRuntimeString(value)) {
    Call call;
    PyValue shown = isRepr ? callStringMethod(in, value, "__repr__", call) : numbered(in, value);
    if (shown.isPoison())
      return shown;
    bool isNumpys = isRepr && isNumpyString(in, value);
    if (isNumpys)
      data->pieces.push_back({"np.str_(", PyValue()});
    data->pieces.push_back({spec, shown});
    if (isNumpys)
      data->pieces.push_back({")", PyValue()});
    return PyValue::composite(PyValue::Kind::Text, data);
  }
  if (std::optional<PyValue> shown = spec.empty() ? shownRow(in, value) : std::nullopt)
    return *shown;
  if (isBox(value))
    return text(in, unboxed(in, value), spec, isRepr);
  if (std::optional<PyValue> shown = spec.empty() ? shownObject(in, value, isRepr) : std::nullopt)
    return *shown;
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
  if (isRecord(value) && spec.empty() && !isRepr) {
    std::vector<PyValue> fields;
    asSequence(in, value, fields);
    data->pieces.push_back({"(", PyValue()});
    for (auto [k, field] : llvm::enumerate(fields)) {
      if (k)
        data->pieces.push_back({", ", PyValue()});
      if (!addShown(in, *data, text(in, field, "")))
        return PyValue::poison();
    }
    data->pieces.push_back({fields.size() == 1 ? ",)" : ")", PyValue()});
    return PyValue::composite(PyValue::Kind::Text, data);
  }
  if (value.isRecords())
    return in.fail(describe(in, value) + " cannot be printed from compiled code", "print its fields");
  if (value.isSequence() && value->cls && spec.empty())
    return shownNamedTuple(in, value, isRepr);
  if (value.isSequence() && spec.empty()) {
    data->pieces.push_back({value->isList ? "[" : "(", PyValue()});
    for (auto [k, item] : llvm::enumerate(value->items)) {
      if (k)
        data->pieces.push_back({", ", PyValue()});
      PyValue inner = text(in, item, "", /*isRepr=*/true);
      if (!addShown(in, *data, inner))
        return PyValue::poison();
    }
    data->pieces.push_back({value->isList ? "]" : value->items.size() == 1 ? ",)" : ")", PyValue()});
    return textOf(data);
  }
  if (!spec.empty() && (value.isSequence() || isDictionary(value) || (isRuntimeLength(value) && !value.isArray())))
    return in.fail("TypeError: unsupported format string passed to " + nameOfType(in, value, false) + ".__format__");
  bool isShownByNumpy = value.isArray() || (value.isRuntimeList() && value->isPython && value->isList);
  if (isShownByNumpy && !spec.empty())
    return in.fail("TypeError: unsupported format string passed to " +
                   Twine(value.isArray() ? "numpy.ndarray" : "list") + ".__format__");
  if (isShownByNumpy)
    return arrayText(in, value.isArray() ? value.ir() : listArray(in, value),
                     value.isRuntimeList() ? 'l'
                     : isRepr              ? 'r'
                                           : 's');
  if (isRuntimeLength(value) && spec.empty())
    return callInLibrary(in, value->isList ? "strings.shown_list" : "strings.shown_tuple", {value});
  return in.fail(describe(in, value) + " cannot be printed from compiled code");
}

bool addShown(Interpreter &in, Composite &pieces, const PyValue &shown) {
  if (shown.isPoison())
    return false;
  if (shown.isObject())
    pieces.pieces.push_back({py::text(shown.object()), PyValue()});
  else if (shown.is(PyValue::Kind::Text))
    llvm::append_range(pieces.pieces, shown->pieces);
  else if (PyValue string = numbered(in, shown); !string.isPoison())
    pieces.pieces.push_back({"", string});
  else
    return false;
  return true;
}

/// What an object of the program's makes of a format: its class's own __format__() does; nothing of others.
static std::optional<PyValue> formattedByItself(Interpreter &in, const PyValue &value, const PyValue &spec) {
  bool isObject = value.is(PyValue::Kind::Instance) && value->cls && !isBox(value) && !isNumbered(value);
  if (!isObject || py::typeName(value->cls["__format__"]) != "function")
    return std::nullopt;
  Call call;
  call.node = in.currentNode;
  call.args = {spec};
  return callMethod(in, value, "__format__", call);
}

bool addFormatted(Interpreter &in, Composite &pieces, PyValue value, std::string spec, char conversion) {
  if (!conversion)
    if (std::optional<PyValue> made = formattedByItself(in, value, PyValue::object(py::string(spec))))
      return addShown(in, pieces, *made);
  if (conversion) {
    value = text(in, value, "", conversion != 's');
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

bool addFormatted(Interpreter &in, Composite &pieces, PyValue value, const PyValue &spec, char conversion) {
  if (py::Object known = asObject(in, spec))
    return addFormatted(in, pieces, value, py::text(known), conversion);
  if (!conversion)
    if (std::optional<PyValue> made = formattedByItself(in, value, spec))
      return addShown(in, pieces, *made);
  if (conversion)
    value = text(in, value, "", conversion != 's');
  return addShown(in, pieces, value.isPoison() ? value : formatWithSpec(in, value, spec));
}

PyValue textOf(std::shared_ptr<Composite> pieces) {
  std::string whole;
  for (const Composite::Piece &piece : pieces->pieces) {
    if (!piece.isLiteral())
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
    // The value is evaluated before its format is.
    PyValue value = in.expression(part["value"]);
    PyValue spec =
        part["format_spec"].isNone() ? PyValue::object(py::string("")) : joinedString(in, part["format_spec"]);
    int64_t conversion = part.integer("conversion", -1);
    ok &= !spec.isPoison() && addFormatted(in, *data, value, spec, conversion == -1 ? 0 : char(conversion));
  }
  return ok ? textOf(data) : PyValue::poison();
}

std::string exceptionText(Interpreter &in, const PyValue &shown, SmallVectorImpl<Value> &values) {
  if (shown.isObject())
    return py::text(shown.object());
  std::string text;
  Composite whole;
  if (!isRuntimeString(shown) || !addShown(in, whole, shown))
    return text;
  Type i64 = in.ir.getI64Type();
  auto bits = [&](Value number) {
    values.push_back(arith::BitcastOp::create(in.ir, i64, in.ir.castTo(number, in.ir.getF64Type())));
  };
  for (const Composite::Piece &piece : whole.pieces) {
    if (isNumbered(piece.value)) {
      text += "{" + std::to_string(values.size()) + "!t:" + piece.text + "}";
      values.push_back(stringNumber(in, piece.value));
      continue;
    }
    Value number = piece.isLiteral() ? Value() : valueOf(in, piece.value);
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
                : type.isBF16()            ? 'n'
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

/// What `{2!f:.3f}` shows of the values, as exceptionText() put it together.
static Composite::Piece shownPiece(Interpreter &in, StringRef field, ValueRange values) {
  auto [place, format] = field.split('!');
  size_t at = 0;
  place.getAsInteger(10, at);
  char kind = format.empty() ? 'i' : format[0];
  Composite::Piece piece;
  piece.text = format.split(':').second.str();
  Value bits = values[at];
  auto real = [&](Value from) { return arith::BitcastOp::create(in.ir, in.ir.getF64Type(), from).getResult(); };
  bool isNarrow = llvm::toLower(kind) == 'k', isComplex = isNarrow || llvm::toLower(kind) == 'c';
  if (kind == 't') {
    piece.value = numberedString(PyValue::runtime(bits));
  } else if (isComplex) {
    Type part = isNarrow ? Type(in.ir.getF32Type()) : in.ir.getF64Type();
    piece.value = PyValue::runtime(complex::CreateOp::create(
        in.ir, ComplexType::get(part), in.ir.castTo(real(bits), part), in.ir.castTo(real(values[at + 1]), part)));
    piece.isBare = kind == 'K' || kind == 'C';
  } else {
    Type type = kind == 'b'   ? Type(in.ir.getI1Type())
                : kind == 'u' ? Type(in.ir.getIntegerType(64, /*isSigned=*/false))
                : kind == 'h' ? Type(in.ir.getF16Type())
                : kind == 'n' ? Type(in.ir.getBF16Type())
                : kind == 'g' ? Type(in.ir.getF32Type())
                : kind == 'f' ? Type(in.ir.getF64Type())
                              : Type(in.ir.getI64Type());
    Value number = isa<FloatType>(type) ? real(bits) : bits;
    piece.value = PyValue::runtime(number.getType() == type ? number : in.ir.castTo(number, type));
  }
  return piece;
}

PyValue exceptionString(Interpreter &in, StringRef message, ValueRange values) {
  PyValue text = PyValue::composite(PyValue::Kind::Text, std::make_shared<Composite>());
  auto addLiteral = [&](StringRef part) {
    if (!part.empty())
      text->pieces.push_back({part.str(), PyValue()});
  };
  size_t done = 0;
  for (size_t open = message.find('{'); open != StringRef::npos; open = message.find('{', open + 1)) {
    size_t close = message.find('}', open);
    StringRef field = close == StringRef::npos ? "" : message.slice(open + 1, close);
    size_t place = 0;
    if (field.split('!').first.getAsInteger(10, place) || place >= values.size())
      continue;
    addLiteral(message.slice(done, open));
    text->pieces.push_back(shownPiece(in, field, values));
    done = close + 1;
  }
  addLiteral(message.substr(done));
  return numbered(in, text);
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
  Composite line;
  for (auto [k, arg] : llvm::enumerate(call.args)) {
    if (k)
      line.pieces.push_back({separator, PyValue()});
    if (!addShown(in, line, text(in, arg, "")))
      return;
  }
  line.pieces.push_back({end, PyValue()});
  SmallVector<Attribute> pieces;
  SmallVector<Value> arguments;
  if (piecesOf(in, line, pieces, arguments))
    np::PrintOp::create(in.ir, arguments, in.ir.getArrayAttr(pieces));
}

bool piecesOf(Interpreter &in, const Composite &text, SmallVectorImpl<Attribute> &pieces,
              SmallVectorImpl<Value> &arguments) {
  std::string literal;
  auto flushText = [&] {
    if (!literal.empty())
      pieces.push_back(in.ir.getStringAttr(literal));
    literal.clear();
  };
  for (const Composite::Piece &piece : text.pieces) {
    if (piece.isLiteral()) {
      literal += piece.text;
      continue;
    }
    bool isText = isNumbered(piece.value);
    Value number = isText ? stringNumber(in, piece.value) : valueOf(in, piece.value);
    if (!number)
      return false;
    if (isa<RankedTensorType>(number.getType()))
      number = in.ir.item(number);
    flushText();
    SmallVector<Attribute> parts{in.ir.getI64IntegerAttr(arguments.size()), in.ir.getStringAttr(piece.text)};
    // What the machine's types do not tell.
    bool isUnsigned = number.getType().isUnsignedInteger();
    if (isText || isUnsigned || (piece.isBare && isa<ComplexType>(number.getType())))
      parts.push_back(in.ir.getStringAttr(isText ? "text" : isUnsigned ? "unsigned" : "bare"));
    pieces.push_back(in.ir.getArrayAttr(parts));
    arguments.push_back(number);
  }
  flushText();
  return true;
}

} // namespace npcc::frontend
