#include "frontend/importer/Strings.h"
#include "dialects/Np/Host.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

static const py::Object &stringClass() {
  static const py::Object cls = py::import("builtins")["str"];
  return cls;
}

bool isString(const PyValue &value) {
  if (value.is(PyValue::Kind::Union))
    return llvm::all_of(value->items,
                        [](const PyValue &one) { return one.is(PyValue::Kind::Unbound) || isString(one); });
  return isRuntimeString(value) || (value.isObject() && PyUnicode_CheckExact(value.object().get()));
}

/// So many strings are told apart by which one a name holds, as the names of modes must be; a name that holds more is
/// one that strings are made in.
static constexpr size_t mostKnown = 4;

bool meetAsStrings(ArrayRef<PyValue> values) {
  if (!llvm::all_of(values, isString))
    return false;
  std::vector<PyValue> known;
  for (const PyValue &value : values) {
    bool isUnion = value.is(PyValue::Kind::Union);
    for (const PyValue &one : isUnion ? ArrayRef<PyValue>(value->items) : ArrayRef<PyValue>(value)) {
      if (isRuntimeString(one))
        return true;
      if (!one.is(PyValue::Kind::Unbound) && !llvm::is_contained(known, one))
        known.push_back(one);
    }
  }
  return known.size() > mostKnown;
}

//===---- Numbers ----===//

PyValue numberedString(const PyValue &number) { return tabled(stringClass(), stringTable, number); }

bool isNumpyString(Interpreter &in, const PyValue &value) {
  return isNumbered(value) && value->cls == in.dtypes.numpy["str_"];
}

PyValue stringModel() { return numberedString(PyValue::object(py::integer(-1))); }

PyValue numbered(Interpreter &in, const PyValue &string) {
  if (string.isPoison() || isNumbered(string))
    return string;
  if (string.is(PyValue::Kind::Union) && isString(string)) {
    PyValue read = readUnion(in, string);
    Value chosen;
    for (auto [k, one] : llvm::enumerate(read->items)) {
      if (one.is(PyValue::Kind::Unbound))
        continue;
      Value number = stringNumber(in, one), place = in.ir.constantInteger(in.ir.getI64Type(), k);
      if (!number)
        return PyValue::poison();
      Value isIt = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, read.ir(), place);
      chosen = chosen ? in.ir.createOrFold<arith::SelectOp>(isIt, number, chosen) : number;
    }
    return numberedString(PyValue::runtime(chosen));
  }
  if (!isString(string))
    return in.fail("TypeError: a string is needed, not " + describe(in, string));
  Composite pieces;
  addShown(in, pieces, string);
  if (string.isObject() && PyUnicode_GetLength(string.object().get()) == 0)
    return numberedString(PyValue::object(py::integer(0x110000)));
  // A character's number is known.
  bool isKnown = llvm::all_of(pieces.pieces, [](const Composite::Piece &piece) { return piece.isLiteral(); });
  if (isKnown && string.isObject() && PyUnicode_GetLength(string.object().get()) == 1)
    return numberedString(PyValue::object(py::integer(PyUnicode_ReadChar(string.object().get(), 0))));
  SmallVector<Attribute> attributes;
  SmallVector<Value> arguments;
  if (!piecesOf(in, pieces, attributes, arguments))
    return PyValue::poison();
  ArrayAttr text = in.ir.getArrayAttr(attributes);
  if (!isKnown)
    return numberedString(PyValue::runtime(np::TextOp::create(in.ir, in.ir.getI64Type(), arguments, text)));
  // Once a call: the runtime reads the whole string to find its number, which a loop need not do in each iteration.
  Value &number = in.literals[text];
  if (!number) {
    OpBuilder::InsertionGuard guard(in.ir);
    in.ir.setInsertionPointToStart(&in.ir.function.getBody().front());
    number = np::TextOp::create(in.ir, in.ir.getI64Type(), ValueRange(), text);
  }
  return numberedString(PyValue::runtime(number));
}

Value stringNumber(Interpreter &in, const PyValue &string) {
  PyValue number = numbered(in, string);
  return number.isPoison() ? Value() : valueOf(in, in.env.bound(number->items[0]));
}

Value callText(Interpreter &in, StringRef function, ValueRange arguments) {
  return np::TextFunctionOp::create(in.ir, in.ir.getI64Type(), function, arguments);
}

PyValue textRoutine(Interpreter &in, StringRef routine, ArrayRef<Value> inputs) {
  auto type = np::ArrayType::get(in.ir.getContext(), {1}, in.ir.getI64Type(), true);
  Value output = np::EmptyOp::create(in.ir, type, ValueRange());
  np::RoutineOp::create(in.ir, in.ir.getI64Type(), routine, inputs, ValueRange{output});
  in.ir.clobber();
  Value number = in.ir.load(in.ir.makeView(output, {AxisIndex{AxisIndex::Position, in.ir.index(0), {}, {}, {}}}));
  return numberedString(PyValue::runtime(in.ir.item(number)));
}

PyValue arrayText(Interpreter &in, Value array, char kind) {
  if (!in.printOptions.empty() && (kind == 's' || kind == 'r'))
    return arrayExpression(in, array, kind == 's' ? "str(a)" : "repr(a)");
  std::string routine = std::string("text ") + kind + " " + in.dtypes.name(np::getElementType(array.getType()));
  return textRoutine(in, routine, {isa<np::ArrayType>(array.getType()) ? array : in.ir.newArray(array)});
}

PyValue arrayExpression(Interpreter &in, Value array, std::string expression) {
  // A context manager of contextlib's decorates functions, too: it is in force while this one is called.
  for (const std::string &options : llvm::reverse(in.printOptions))
    expression = options + "(lambda: " + expression + ")()";
  std::string routine = "text e " + in.dtypes.name(np::getElementType(array.getType())) + " " + expression;
  return textRoutine(in, routine, {isa<np::ArrayType>(array.getType()) ? array : in.ir.newArray(array)});
}

//===---- Characters ----===//

PyValue stringLength(Interpreter &in, const PyValue &string) {
  Value number = stringNumber(in, string);
  return number ? PyValue::runtime(callText(in, "length", {number})) : PyValue::poison();
}

/// What slice(...).indices(length) gives for a step that is known, as numbers.
static bool sliceBounds(Interpreter &in, const PyValue &slice, Value length, SmallVectorImpl<Value> &bounds) {
  std::optional<int64_t> step = slice->items[2].isNone() ? 1 : asInteger(in, slice->items[2]);
  if (!step || *step == 0) {
    in.fail(step ? Twine("ValueError: slice step cannot be zero") : "the step of a string's slice must be known");
    return false;
  }
  Type i64 = in.ir.getI64Type();
  auto number = [&](int64_t value) { return in.ir.constantInteger(i64, value); };
  bool isForward = *step > 0;
  Value lowest = number(isForward ? 0 : -1);
  Value highest = isForward ? length : in.ir.createOrFold<arith::SubIOp>(length, number(1));
  for (size_t k : {0, 1}) {
    if (slice->items[k].isNone()) {
      bounds.push_back((k == 0) == isForward ? lowest : highest);
      continue;
    }
    Value position = toIndex(in, slice->items[k]);
    if (!position)
      return false;
    position = in.ir.createOrFold<arith::IndexCastOp>(i64, position);
    Value isNegative = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, position, number(0));
    Value fromEnd = in.ir.createOrFold<arith::AddIOp>(position, length);
    position = in.ir.createOrFold<arith::SelectOp>(isNegative, fromEnd, position);
    position = in.ir.createOrFold<arith::MaxSIOp>(position, lowest);
    bounds.push_back(in.ir.createOrFold<arith::MinSIOp>(position, highest));
  }
  bounds.push_back(number(*step));
  return true;
}

PyValue stringItem(Interpreter &in, const PyValue &given, const PyValue &index) {
  PyValue string = numbered(in, given);
  PyValue length = string.isPoison() ? string : stringLength(in, string);
  if (length.isPoison() || index.isPoison())
    return PyValue::poison();
  SmallVector<Value> arguments{stringNumber(in, string)};
  if (index.is(PyValue::Kind::Slice)) {
    const PyValue &step = index->items[2];
    if (step.isPythonScalar() && isa<IntegerType>(step.type()))
      return callInLibrary(in, "strings.stepped", {string, index->items[0], index->items[1], step});
    if (!sliceBounds(in, index, length.ir(), arguments))
      return PyValue::poison();
    return numberedString(PyValue::runtime(callText(in, "slice", arguments)));
  }
  bool isPosition =
      asInteger(in, index) || (index.isRuntime() && index.rank() == 0 && isa<IntegerType>(index.elementType()));
  Value position = isPosition ? toIndex(in, index) : Value();
  if (!position)
    return isPosition ? PyValue::poison()
                      : in.fail("TypeError: string indices must be integers, not " + nameOfType(in, index));
  Value count = toIndex(in, length);
  position = in.ir.fromEnd(position, count);
  Value isThere =
      in.ir.createOrFold<arith::AndIOp>(in.ir.compareIndex(arith::CmpIPredicate::sge, position, in.ir.index(0)),
                                        in.ir.compareIndex(arith::CmpIPredicate::slt, position, count));
  in.ir.check(isThere, "IndexError", "string index out of range");
  arguments.push_back(in.ir.createOrFold<arith::IndexCastOp>(in.ir.getI64Type(), position));
  return numberedString(PyValue::runtime(callText(in, "at", arguments)));
}

std::optional<Counted> countedString(Interpreter &in, const PyValue &given) {
  PyValue string = numbered(in, given), length = string.isPoison() ? string : stringLength(in, string);
  if (length.isPoison())
    return std::nullopt;
  Value number = stringNumber(in, string);
  Counted result;
  result.lower = in.ir.index(0);
  result.step = in.ir.index(1);
  result.upper = toIndex(in, length);
  result.item = [&in, number](Value counter) {
    Value position = in.ir.createOrFold<arith::IndexCastOp>(in.ir.getI64Type(), counter);
    return numberedString(PyValue::runtime(callText(in, "at", {number, position})));
  };
  return result;
}

//===---- Conversions ----===//

/// Fails with a message that ends in the string's repr() unless `function` says that it can be converted.
static bool checkConvertible(Interpreter &in, const PyValue &string, StringRef function, ValueRange arguments,
                             const std::string &message) {
  Value zero = in.ir.constantInteger(in.ir.getI64Type(), 0);
  Value isOne = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, callText(in, function, arguments), zero);
  auto shown = std::make_shared<Composite>();
  shown->pieces.push_back({message, PyValue()});
  if (!addShown(in, *shown, text(in, string, "", /*isRepr=*/true)))
    return false;
  SmallVector<Value> values;
  std::string words = exceptionText(in, textOf(shown), values);
  in.ir.check(isOne, "ValueError", words, values);
  return true;
}

PyValue integerOfString(Interpreter &in, const PyValue &given, const PyValue &base) {
  PyValue string = numbered(in, given);
  std::optional<int64_t> known = base.isNone() ? 10 : asInteger(in, base);
  if (string.isPoison() || !known || *known < 2 || *known > 36)
    return string.isPoison() ? string : in.fail("int() takes a base from 2 to 36, known at compile time");
  SmallVector<Value> arguments{stringNumber(in, string), in.ir.constantInteger(in.ir.getI64Type(), *known)};
  std::string message = "invalid literal for int() with base " + std::to_string(*known) + ": ";
  if (!checkConvertible(in, string, "is_integer", arguments, message))
    return PyValue::poison();
  Value two = in.ir.constantInteger(in.ir.getI64Type(), 2), isOne = callText(in, "is_integer", arguments);
  in.ir.checkIn64Bits(in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ne, isOne, two));
  return PyValue::runtime(callText(in, "to_integer", arguments));
}

PyValue floatOfString(Interpreter &in, const PyValue &given) {
  PyValue string = numbered(in, given);
  Value number = string.isPoison() ? Value() : stringNumber(in, string);
  if (!number || !checkConvertible(in, string, "is_float", {number}, "could not convert string to float: "))
    return PyValue::poison();
  Value bits = callText(in, "to_float", {number});
  return PyValue::runtime(arith::BitcastOp::create(in.ir, in.ir.getF64Type(), bits));
}

/// The numbers from here on are of no characters.
static Value firstOfNone(Interpreter &in) { return in.ir.constantInteger(in.ir.getI64Type(), 0x110000); }

static PyValue emitOrd(Interpreter &in, Arguments &args) {
  PyValue string = args["c"];
  if (!isString(string))
    return in.fail("TypeError: ord() expected string of length 1, but " + describe(in, string) + " found");
  Value number = stringNumber(in, string);
  if (!number)
    return PyValue::poison();
  in.ir.check(in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, number, firstOfNone(in)), "TypeError",
              "ord() expected a character, but string of length {0} found", callText(in, "length", {number}));
  return PyValue::runtime(number);
}
static const Registered ordRows{{"builtins.ord", "c", emitOrd}};

static PyValue emitChr(Interpreter &in, Arguments &args) {
  Value number = toIndex(in, args["i"]);
  if (!number)
    return PyValue::poison();
  number = in.ir.createOrFold<arith::IndexCastOp>(in.ir.getI64Type(), number);
  in.ir.check(in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, number, firstOfNone(in)), "ValueError",
              "chr() arg not in range(0x110000)");
  return numberedString(PyValue::runtime(number));
}
static const Registered chrRows{{"builtins.chr", "i", emitChr}};

/// The number itself: what a table of strings is hashed by.
static PyValue emitNumberOf(Interpreter &in, Arguments &args) {
  Value number = stringNumber(in, args["string"]);
  return number ? PyValue::runtime(in.ir.rankZero(number)) : PyValue::poison();
}
static const Registered numberRows{{"npcc.library.strings.number_of", "string", emitNumberOf}};

//===---- Operators ----===//

std::optional<PyValue> compareStrings(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right) {
  bool isMember = operation == "In" || operation == "NotIn";
  bool isEquality = operation == "Eq" || operation == "NotEq";
  if (isMember ? !isString(right) || !(isRuntimeString(left) || isRuntimeString(right))
               : !isRuntimeString(left) && !isRuntimeString(right))
    return std::nullopt;
  if (!isString(left) || !isString(right)) {
    if (isEquality)
      return PyValue::object(py::boolean(operation == "NotEq"));
    if (isMember)
      return in.fail("TypeError: 'in <string>' requires string as left operand, not " + describe(in, left));
    return in.fail("TypeError: '" + Twine(symbolOf(operation)) + "' not supported between instances of " +
                   nameOfType(in, left) + " and " + nameOfType(in, right));
  }
  Value mine = stringNumber(in, left), other = stringNumber(in, right);
  if (!mine || !other)
    return PyValue::poison();
  auto number = [&](int64_t value) { return in.ir.constantInteger(in.ir.getI64Type(), value); };
  auto test = [&](arith::CmpIPredicate predicate, Value one, Value another) {
    return PyValue::runtime(in.ir.createOrFold<arith::CmpIOp>(predicate, one, another));
  };
  if (isEquality)
    return test(operation == "Eq" ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne, mine, other);
  if (isMember) {
    Value found = callText(in, "find", {other, mine, number(0), number(INT64_MAX)});
    return test(operation == "In" ? arith::CmpIPredicate::sge : arith::CmpIPredicate::slt, found, number(0));
  }
  arith::CmpIPredicate predicate = operation == "Lt"    ? arith::CmpIPredicate::slt
                                   : operation == "LtE" ? arith::CmpIPredicate::sle
                                   : operation == "Gt"  ? arith::CmpIPredicate::sgt
                                                        : arith::CmpIPredicate::sge;
  return test(predicate, callText(in, "compare", {mine, other}), number(0));
}

std::optional<PyValue> combineStrings(Interpreter &in, StringRef operation, const PyValue &left, const PyValue &right) {
  if (!isRuntimeString(left) && !isRuntimeString(right)) {
    bool isRepeated =
        operation == "Mult" && (isString(left) || isString(right)) && (left.isRuntime() || right.isRuntime());
    if (!isRepeated)
      return std::nullopt;
  }
  if (operation == "Add" && isString(left) && isString(right)) {
    auto data = std::make_shared<Composite>();
    for (const PyValue &part : {left, right})
      if (!addShown(in, *data, part))
        return PyValue::poison();
    return textOf(data);
  }
  auto isCount = [&](const PyValue &value) {
    return asInteger(in, value) || (value.isRuntime() && value.rank() == 0 && isa<IntegerType>(value.elementType()));
  };
  if (operation == "Mult" && (isCount(left) || isCount(right))) {
    Value number = stringNumber(in, isCount(left) ? right : left), count = toIndex(in, isCount(left) ? left : right);
    if (!number || !count)
      return PyValue::poison();
    count = in.ir.createOrFold<arith::IndexCastOp>(in.ir.getI64Type(), count);
    return numberedString(PyValue::runtime(callText(in, "repeat", {number, count})));
  }
  if (operation == "Mod" && isString(left))
    return formatAtRunTime(in, left, "__mod__", percentValues(right));
  if (operation == "Add")
    return in.fail("TypeError: " +
                   (isString(left) ? "can only concatenate str (not \"" + nameOfType(in, right, false) + "\") to str"
                                   : "unsupported operand type(s) for +: " + nameOfType(in, left) + " and " +
                                         nameOfType(in, right)));
  return in.fail("TypeError: unsupported operand type(s) for " + Twine(symbolOf(operation)) + ": " +
                 nameOfType(in, left) + " and " + nameOfType(in, right));
}

} // namespace npcc::frontend
