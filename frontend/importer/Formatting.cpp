// Strings made of a known format and values of the program: "..." % values, "...".format(...), "...".join(...).
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
/// %(key)-08.3f
struct Conversion {
  std::string key, flags, width, precision;
  char kind = 0;
};
} // namespace

/// Reads the conversion behind a '%'. Nothing with an error reported.
static std::optional<Conversion> readConversion(Interpreter &in, StringRef &rest) {
  Conversion result;
  if (rest.consume_front("(")) {
    auto [key, behind] = rest.split(')');
    result.key = key.str();
    rest = behind;
  }
  auto take = [&](StringRef characters) {
    StringRef taken = rest.take_while([&](char c) { return characters.contains(c); });
    rest = rest.drop_front(taken.size());
    return taken.str();
  };
  result.flags = take("-+ 0#");
  result.width = take("0123456789");
  if (rest.consume_front("."))
    result.precision = "." + take("0123456789");
  take("hlL");
  if (rest.empty() || !StringRef("diouxXeEfFgGrsac").contains(rest.front())) {
    in.fail(rest.empty() ? Twine("ValueError: incomplete format")
                         : "ValueError: unsupported format character '" + Twine(rest.front()) + "'");
    return std::nullopt;
  }
  result.kind = rest.front();
  rest = rest.drop_front();
  return result;
}

/// The same for format().
static std::string specOf(const Conversion &conversion) {
  auto has = [&](char flag) { return StringRef(conversion.flags).contains(flag); };
  std::string spec = has('-') ? "<" : conversion.width.empty() || has('0') ? "" : ">";
  spec += has('+') ? "+" : has(' ') ? " " : "";
  spec += has('#') ? "#" : "";
  spec += has('0') && !has('-') ? "0" : "";
  spec += conversion.width + (conversion.precision == "." ? ".0" : conversion.precision);
  return spec + (conversion.kind == 'i' || conversion.kind == 'u' ? 'd' : conversion.kind);
}

static bool addConverted(Interpreter &in, Composite &pieces, const Conversion &conversion, PyValue value) {
  if (value.is(PyValue::Kind::Union) && !isString(value)) // one of them may be none that the conversion takes
    return addShown(in, pieces, overAlternatives(in, value, [&](PyValue one) {
                      auto data = std::make_shared<Composite>();
                      return addConverted(in, *data, conversion, one) ? textOf(data) : PyValue::poison();
                    }));
  auto has = [&](char flag) { return StringRef(conversion.flags).contains(flag); };
  bool isText = StringRef("rsa").contains(conversion.kind), isWhole = StringRef("diu").contains(conversion.kind);
  if (py::Object known = asObject(in, value)) {
    std::string error, message,
        one = "%" + conversion.flags + conversion.width + conversion.precision + conversion.kind;
    py::Object shown =
        py::tryCall(py::string(one)["__mod__"], {py::Object::take(PyTuple_Pack(1, known.get()))}, {}, error, message);
    return addShown(in, pieces, shown ? PyValue::object(shown) : in.fail(error + ": " + message));
  }
  if (isText) {
    std::string width = conversion.width.empty() ? "" : (has('-') ? "<" : ">") + conversion.width;
    std::string precision = conversion.precision == "." ? ".0" : conversion.precision;
    return addFormatted(in, pieces, value, width + precision, conversion.kind);
  }
  if (!value.isRuntime() || value.rank() > 0) {
    in.fail("TypeError: %" + Twine(conversion.kind) + " format: a real number is required, not " + describe(in, value));
    return false;
  }
  if (isWhole && !isa<IntegerType>(value.elementType())) {
    Value number = valueOf(in, value);
    value = PyValue::runtime(wholeNumber(in, isa<RankedTensorType>(number.getType()) ? in.ir.item(number) : number));
  }
  if (isWhole && !conversion.precision.empty()) {
    in.fail("digits of an integer cannot be compiled in '%'", "use a width with 0: %04d");
    return false;
  }
  return addFormatted(in, pieces, value, specOf(conversion), 0);
}

/// How many values a format takes. Nothing with an error reported.
static std::optional<int64_t> countConversions(Interpreter &in, StringRef format) {
  int64_t count = 0;
  while (format.contains('%')) {
    format = format.drop_front(format.find('%') + 1);
    if (format.consume_front("%"))
      continue;
    if (!readConversion(in, format))
      return std::nullopt;
    ++count;
  }
  return count;
}

/// The items of a tuple whose length is known at run time only, which must be as many as the format takes.
static PyValue convertedItems(Interpreter &in, StringRef format, const PyValue &values) {
  std::optional<int64_t> count = countConversions(in, format);
  if (!count)
    return PyValue::poison();
  Value length = listLength(in, values), expected = in.ir.index(*count);
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, length, expected), "TypeError",
              "not enough arguments for format string");
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sle, length, expected), "TypeError",
              "not all arguments converted during string formatting");
  std::vector<PyValue> items;
  firstItems(in, values, *count, items);
  return PyValue::sequence(std::move(items));
}

std::vector<PyValue> percentValues(const PyValue &values) {
  bool isTuple = values.isSequence() && !values->isList;
  return isTuple ? values->items : std::vector<PyValue>{values};
}

PyValue percentFormat(Interpreter &in, const py::Object &format, const PyValue &given) {
  PyValue values = isRuntimeLength(given) && isTuple(given) && !StringRef(py::text(format)).contains('*')
                       ? convertedItems(in, py::text(format), given)
                       : given;
  if (values.isPoison())
    return values;
  if (py::Object known = asObject(in, values)) {
    std::string error, message;
    py::Object shown = py::tryCall(format["__mod__"], {known}, {}, error, message);
    return shown ? PyValue::object(shown) : in.fail(error + ": " + message);
  }
  std::string all = py::text(format);
  StringRef rest = all;
  if (rest.contains('*')) // a width that is a value
    return formatAtRunTime(in, PyValue::object(format), "__mod__", percentValues(values));
  auto data = std::make_shared<Composite>();
  bool isTuple = values.isSequence() && !values->isList;
  size_t next = 0, count = isTuple ? values->items.size() : 1;
  while (!rest.empty()) {
    size_t at = rest.find('%');
    if (at)
      data->pieces.push_back({rest.take_front(at).str(), PyValue()});
    rest = rest.drop_front(std::min(at, rest.size()));
    if (!rest.consume_front("%"))
      break;
    if (rest.consume_front("%")) {
      data->pieces.push_back({"%", PyValue()});
      continue;
    }
    std::optional<Conversion> conversion = readConversion(in, rest);
    if (!conversion)
      return PyValue::poison();
    PyValue value;
    if (!conversion->key.empty()) {
      value = subscript(in, values, PyValue::object(py::string(conversion->key)));
      next = count;
    } else if (next == count) {
      return in.fail("TypeError: not enough arguments for format string");
    } else {
      value = isTuple ? values->items[next] : values;
      ++next;
    }
    if (value.isPoison() || !addConverted(in, *data, *conversion, value))
      return PyValue::poison();
  }
  if (next < count && !isDictionary(values))
    return in.fail("TypeError: not all arguments converted during string formatting");
  return textOf(data);
}

/// What a field of str.format() names: "", "0", "name", and behind that ".attribute" and "[index]".
static PyValue fieldValue(Interpreter &in, StringRef field, Call &call, size_t &next) {
  size_t end = std::min(field.find_first_of(".["), field.size());
  StringRef name = field.take_front(end);
  field = field.drop_front(end);
  size_t number;
  PyValue value;
  if (name.empty() || !name.getAsInteger(10, number)) {
    if (name.empty())
      number = next++;
    if (number >= call.args.size())
      return in.fail("IndexError: Replacement index " + Twine(number) + " out of range for positional args tuple");
    value = call.args[number];
  } else {
    auto found = llvm::find_if(call.keywords, [&](const auto &keyword) { return keyword.first == name; });
    if (found == call.keywords.end())
      return in.fail("KeyError: '" + name + "'");
    value = found->second;
  }
  while (!field.empty() && !value.isPoison()) {
    bool isIndex = field.front() == '[';
    field = field.drop_front();
    StringRef part = field.take_front(std::min(isIndex ? field.find(']') : field.find_first_of(".["), field.size()));
    field = field.drop_front(part.size() + (isIndex && part.size() < field.size()));
    if (!isIndex)
      value = attribute(in, value, part.str());
    else
      value = subscript(in, value,
                        PyValue::object(part.getAsInteger(10, number) ? py::string(part.str()) : py::integer(number)));
  }
  return value;
}

/// `next`: the position of the next field without a name.
static PyValue formatFields(Interpreter &in, const py::Object &format, Call &call, size_t &next) {
  static const py::Object parse = py::lookup("_string.formatter_parser");
  std::string error, message;
  py::Object fields = py::tryCall(parse, {format}, {}, error, message);
  if (fields)
    fields = py::tryCall(py::import("builtins")["list"], {fields}, {}, error, message);
  if (!fields)
    return in.fail(error + ": " + message);
  auto data = std::make_shared<Composite>();
  for (const py::Object &field : py::elements(fields)) {
    std::vector<py::Object> parts = py::elements(field); // literal, name, specification, conversion
    data->pieces.push_back({py::text(parts[0]), PyValue()});
    if (parts[1].isNone())
      continue;
    PyValue value = fieldValue(in, py::text(parts[1]), call, next);
    PyValue spec = PyValue::object(parts[2]);
    if (StringRef(py::text(parts[2])).contains('{'))
      spec = formatFields(in, parts[2], call, next);
    char conversion = parts[3].isNone() ? 0 : py::text(parts[3])[0];
    if (value.isPoison() || spec.isPoison() || !addFormatted(in, *data, value, spec, conversion))
      return PyValue::poison();
  }
  return textOf(data);
}

static std::optional<PyValue> joinText(Interpreter &in, const py::Object &separator, const PyValue &iterable) {
  std::vector<PyValue> items;
  if (!asSequence(in, unboxed(in, iterable), items))
    return std::nullopt;
  // What is a string on some paths is found out when the program runs.
  auto mayBeString = [](const PyValue &item) {
    return item.is(PyValue::Kind::Union) && !isString(item) && llvm::any_of(item->items, isString);
  };
  if (llvm::any_of(items, mayBeString))
    return std::nullopt;
  auto data = std::make_shared<Composite>();
  for (auto [k, item] : llvm::enumerate(items)) {
    if (!isString(item))
      return in.fail("TypeError: sequence item " + Twine(k) + ": expected str instance, " + describe(in, item) +
                     " found");
    if (k)
      data->pieces.push_back({py::text(separator), PyValue()});
    if (!addShown(in, *data, item))
      return PyValue::poison();
  }
  return textOf(data);
}

/// format(value, spec).
static PyValue formatted(Interpreter &in, const PyValue &value, const std::string &spec) {
  auto data = std::make_shared<Composite>();
  return addFormatted(in, *data, value, spec, 0) ? textOf(data) : PyValue::poison();
}

static PyValue emitFormat(Interpreter &in, Arguments &args) {
  py::Object spec = asObject(in, args["format_spec"]);
  return spec ? formatted(in, args["value"], py::text(spec)) : formatWithSpec(in, args["value"], args["format_spec"]);
}
static const Registered formatRows{{"builtins.format", "value, format_spec=''", emitFormat}};

/// bin(number), hex(number) and oct(number).
static PyValue emitDigits(Interpreter &in, Arguments &args) {
  PyValue number = args["number"];
  Type type = number.isRuntime() || number.isObject() ? runtimeType(in, number) : Type();
  if (!type || np::getRank(type) > 0 || !isa<IntegerType>(np::getElementType(type)))
    return in.fail("TypeError: '" + StringRef(describe(in, number)).trim("'") +
                   "' object cannot be interpreted as an integer");
  StringRef name = StringRef(args.row->name).substr(strlen("builtins."));
  if (type.isInteger(1))
    number = PyValue::runtime(in.ir.castTo(valueOf(in, number), in.ir.getI64Type()));
  return formatted(in, number, std::string("#") + (name == "bin" ? 'b' : name == "hex" ? 'x' : 'o'));
}
static const Registered digitRows{{"builtins.bin", "number", emitDigits},
                                  {"builtins.hex", "number", emitDigits},
                                  {"builtins.oct", "number", emitDigits}};

std::optional<PyValue> callFormatMethod(Interpreter &in, const py::Object &string, const std::string &name,
                                        Call &call) {
  size_t next = 0;
  if (name == "format")
    return formatFields(in, string, call, next);
  if (name == "join" && call.args.size() == 1)
    return joinText(in, string, call.args[0]);
  return std::nullopt;
}

} // namespace npcc::frontend
