// `raise` and `assert`: the exceptions that a program makes.
#include "frontend/importer/Exceptions.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Results.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Text.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// Whether a value's repr() gives the value again: numbers, strings, None, and containers of these.
static bool isWritten(Interpreter &in, const PyValue &value) {
  if (value.is(PyValue::Kind::Slot))
    return isWritten(in, in.env.bound(value));
  if (value.isObject())
    return value.isNone() || PyUnicode_Check(value.object().get()) || promotionKey(in, value);
  if (isString(value) || value.isPythonScalar() || value.isNumpyScalar())
    return true;
  if (isBox(value))
    return isWritten(in, unboxed(in, value));
  if (value.isRuntimeList()) // of numbers
    return true;
  if (value.isRows() && value->id)
    return value->id == stringTable;
  if (value.isRows()) // of tuples
    return !isMixed(value) && !value->cls &&
           llvm::all_of(value->items, [&](const PyValue &column) { return isWritten(in, column); });
  bool isPlain = (value.isSequence() && !value->cls) || value.is(PyValue::Kind::Union);
  return isPlain && llvm::all_of(value->items, [&](const PyValue &item) {
           return item.is(PyValue::Kind::Unbound) || isWritten(in, item);
         });
}

static py::Object classOfCaught(const py::Object &cls) {
  return py::call(py::lookup("npcc.library.exceptions.caught"), {cls, py::boolean(false), py::boolean(true)});
}

/// An exception of Python's own class of known arguments, with the attributes that the class makes of them; `cls` is
/// then what it is: OSError(2, "x") is a FileNotFoundError.
static PyValue knownException(Interpreter &in, py::Object &cls, const py::Object &args, const py::Object &keywords) {
  std::string error, words;
  py::Object made = py::tryCall(cls, py::elements(args), keywords, error, words);
  if (!made)
    return in.fail(error + ": " + words);
  cls = made["__class__"];
  PyValue object = newInstance(in, classOfCaught(cls));
  storeHeld(in, object, py::string("args"), PyValue::object(made["args"]));
  py::Object values = py::call(py::lookup("npcc.library.exceptions.values_of"), {made});
  for (const py::Object &name : py::elements(values))
    storeHeld(in, object, name, PyValue::object(py::call(values["get"], {name})));
  storeHeld(in, object, textKey(), PyValue::object(py::string(py::text(made))));
  return object;
}

/// An exception as an object: one whose class has an __init__() or __str__() of the program's, or whose arguments are
/// not one text. Its `args` are what the __init__() of Python's own class was given last.
static PyValue exceptionObject(Interpreter &in, py::Object &cls, Call &call) {
  bool hasOwn = py::isTrue(py::call(py::lookup("npcc.library.exceptions.has_own_methods"), {cls}));
  if (!hasOwn && py::isTrue(py::call(py::lookup("npcc.library.exceptions.has_own_rules"), {cls}))) {
    py::Object args = asObject(in, PyValue::sequence(call.args)),
               keywords = py::call(py::import("builtins")["dict"], {});
    for (const auto &[name, value] : call.keywords) {
      py::Object known = asObject(in, value);
      args = known ? args : py::Object();
      if (known)
        py::call(keywords["__setitem__"], {py::string(name), known});
    }
    if (!args)
      return in.fail("what " + cls.string("__name__") + " makes of its arguments is not known when it is compiled",
                     "give it one text, or arguments that are known");
    return knownException(in, cls, args, keywords);
  }
  PyValue object = newInstance(in, classOfCaught(cls));
  storeHeld(in, object, py::string("args"), PyValue::sequence(call.args));
  py::Object init = cls["__init__"];
  if (py::typeName(init) == "function") {
    call.args.insert(call.args.begin(), object);
    if (callObject(in, init, call).isPoison() && in.hasErrors())
      return PyValue::poison();
  }
  PyValue shown = readHeld(in, object, py::string("args"));
  if (py::typeName(cls["__str__"]) == "function") {
    Call none;
    none.args = {object};
    shown = callObject(in, cls["__str__"], none);
  } else if (shown.isSequence() && shown->items.size() < 2) {
    shown = shown->items.empty() ? PyValue::object(py::string("")) : shown->items[0];
    if (!shown.isPoison() &&
        py::isTrue(py::call(py::import("builtins")["issubclass"], {cls, exceptionClass("KeyError")})))
      shown = text(in, shown, "", /*isRepr=*/true);
  }
  storeHeld(in, object, textKey(), isString(shown) ? shown : text(in, shown, ""));
  return object;
}

PyValue madeException(Interpreter &in, py::Object cls, Call &call) {
  for (PyValue &one : call.args)
    one = in.env.bound(one);
  bool isWhole = llvm::all_of(call.args, [&](const PyValue &one) { return !one.isPoison() && isWritten(in, one); });
  bool isOwn = py::typeName(cls["__new__"]) == "builtin_function_or_method";
  // Where Python runs parts of the function, the exception is one of its objects.
  if ((in.outlines && in.outlines->parts) || !isWhole || !isOwn)
    return in.fail("an exception of anything but numbers and strings is made in 'raise' statements only");
  return exceptionObject(in, cls, call);
}

/// Whether an exception is told by a class and a text: it has one string, or no arguments, which an empty text stands
/// for. A key that is no string has a text of its own.
static bool isPlain(const std::vector<PyValue> &args, bool isKey) {
  if (args.size() != 1 || isKey || args[0].isPoison())
    return args.size() < 2;
  return isString(args[0]) && !(args[0].isObject() && py::text(args[0].object()).empty());
}

/// The same of an exception that was made before, or caught; false with an error reported where it is none.
static bool describeMade(Interpreter &in, const py::Object &node, const PyValue &exception, py::Object &cls,
                         std::string &error, std::string &message, SmallVector<Value> &values, PyValue &object) {
  PyValue shown;
  bool isKey = false;
  if (exception.isObject() && PyExceptionInstance_Check(exception.object().get())) { // caught, of a known text
    cls = exception.object()["__class__"];
    shown = PyValue::object(py::string(py::text(exception.object())));
    isKey = py::isTrue(py::call(py::import("builtins")["issubclass"], {cls, exceptionClass("KeyError")}));
  } else if (exception.is(PyValue::Kind::Instance) && !exception.isTabled()) {
    cls = py::call(py::lookup("npcc.library.exceptions.class_of_caught"), {exception->cls});
    if (cls && !cls.isNone()) {
      bool isText = py::isTrue(py::call(py::lookup("npcc.library.exceptions.is_told_by_text"), {exception->cls}));
      object = isText ? PyValue::poison() : exception;
      shown = readHeld(in, exception, textKey());
      isKey = py::isTrue(exception->cls["is_shown"]);
    }
  }
  if (!cls || cls.isNone()) {
    if (!exception.isPoison())
      in.fail(node, "only exceptions of known types can be raised in compiled code");
    return false;
  }
  if (shown.isPoison())
    return false;
  error = cls.string("__name__");
  message = (isKey ? keyMark.str() : "") + exceptionText(in, shown, values);
  if (!(isRaisable(error) && exceptionClass(error) == cls) || !object.isPoison()) {
    error = "npcc.ClassError";
    message = classKey(in, cls) + "\n" + message;
  }
  return true;
}

/// The exception's name and message of `raise X(...)`; `values` are what the message shows of the program.
static bool describeException(Interpreter &in, const py::Object &exception, py::Object &cls, std::string &error,
                              std::string &message, SmallVector<Value> &values, PyValue &object) {
  py::Object callee = exception;
  std::vector<py::Object> args, keywords;
  if (py::typeName(exception) == "Call") {
    callee = exception["func"];
    args = exception.list("args");
    keywords = exception.list("keywords");
  }
  PyValue type = in.expression(callee);
  if (!type.isObject() || !PyType_Check(type.object().get())) {
    bool isNamed = py::typeName(callee) == "Name" || py::typeName(callee) == "Attribute"; // it may be looked up again
    if (py::typeName(exception) == "Call" && isNamed && !type.isPoison())
      type = in.expression(exception);
    return describeMade(in, callee, in.env.bound(type), cls, error, message, values, object);
  }
  cls = type.object();
  error = cls.string("__name__");
  std::vector<PyValue> shown;
  for (const py::Object &arg : args)
    shown.push_back(in.env.bound(in.expression(arg)));
  bool isOfName = isRaisable(error) && exceptionClass(error) == cls;
  bool isKey = error == "KeyError" && isOfName && shown.size() == 1 && !isString(shown[0]) && !shown[0].isPoison();
  bool hasOwn = py::isTrue(py::call(py::lookup("npcc.library.exceptions.has_own_methods"), {cls}));
  // Of what an exception cannot hold, the text is left.
  bool canHold = llvm::all_of(shown, [&](const PyValue &one) { return !one.isPoison() && isWritten(in, one); });
  bool isObject = !keywords.empty() || (hasOwn && !isOfName) || (!isPlain(shown, isKey) && canHold);
  if (isObject && llvm::none_of(shown, [](const PyValue &one) { return one.isPoison(); })) {
    Call call;
    call.node = exception;
    call.args = shown;
    for (const py::Object &keyword : keywords) {
      if (keyword["arg"].isNone()) {
        in.fail(exception, "'**' in the arguments of an exception cannot be compiled", "name the arguments");
        return false;
      }
      call.keywords.emplace_back(keyword.string("arg"), in.expression(keyword["value"]));
    }
    object = exceptionObject(in, cls, call);
    if (object.isPoison())
      return false;
    shown = {readHeld(in, object, textKey())};
  }
  if (isKey)
    message = keyMark.str() + exceptionText(in, text(in, shown[0], "", /*isRepr=*/true), values);
  else if (!shown.empty()) // of several arguments an exception shows the tuple
    message = exceptionText(in, text(in, shown.size() == 1 ? shown[0] : PyValue::sequence(shown), ""), values);
  if (!isOfName || !object.isPoison()) {
    error = "npcc.ClassError";
    message = classKey(in, cls) + "\n" + message;
  }
  return true;
}

/// Adds to the message of an exception that leaves the function what its object holds: Python's text of a tuple of
/// `args`, and of pairs of the attributes' names and values (frontend/module/errors.c). False with an error reported.
static bool addState(Interpreter &in, const py::Object &node, const PyValue &object, std::string &message,
                     SmallVector<Value> &values) {
  std::vector<PyValue> state{readHeld(in, object, py::string("args"))};
  for (const py::Object &key : heldKeys(in, object)) {
    std::string name = py::toString(key.get());
    if (name != "args" && name != "__text__")
      state.push_back(PyValue::sequence({PyValue::object(key), readHeld(in, object, key)}));
  }
  for (const PyValue &one : state)
    if (!one.isPoison() && !isWritten(in, one)) {
      in.fail(node, "an exception that holds anything but numbers and strings cannot leave a compiled function",
              "catch it inside, or give it numbers and strings");
      return false;
    }
  PyValue shown = text(in, PyValue::sequence(state), "", /*isRepr=*/true);
  if (shown.isPoison())
    return false;
  message += stateMark.str() + exceptionText(in, shown, values);
  return true;
}

void raiseWith(Interpreter &in, const py::Object &node, const py::Object &cls, StringRef error, std::string message,
               SmallVector<Value> values, const PyValue &object) {
  if (!object.isPoison() && !isPythons(object) && !in.env.handlerOf(cls).first &&
      !addState(in, node, object, message, values))
    return;
  in.env.raise(cls, error, message, values, object);
}

void raise(Interpreter &in, const py::Object &node) {
  py::Object exception = node["exc"];
  std::string error, message;
  SmallVector<Value> values;
  py::Object cls;
  PyValue object = PyValue::poison();
  if (exception.isNone() && !in.env.frame->handled.empty()) {
    const Raised &again = in.env.frame->handled.back();
    if (!again.cls) {
      in.fail("'raise' of one of several exceptions cannot be compiled", "name the exception");
      return;
    }
    cls = again.cls;
    error = again.error;
    message = again.message;
    values = again.values;
    object = again.object;
  } else if (exception.isNone()) {
    in.fail("RuntimeError: No active exception to reraise");
    return;
  } else if (!describeException(in, exception, cls, error, message, values, object)) {
    return;
  }
  // In a library function, what is wrong whatever the arrays hold is wrong in the program.
  if (!in.env.handlerOf(cls).first && in.env.frame->isLibrary && in.env.depth == in.env.frame->depth &&
      values.empty() && in.env.frame->returns.empty()) {
    StringRef words = message;
    if (error == "npcc.ClassError") {
      error = cls.string("__name__");
      words = words.split('\n').second;
    }
    bool isKey = words.consume_front(keyMark), isQuoted = error == "KeyError" && !isKey && !words.empty();
    in.fail(error + (words.empty() ? "" : ": " + (isQuoted ? "'" + words.str() + "'" : words.str())));
    in.env.isReachable = false;
    return;
  }
  raiseWith(in, exception.isNone() ? node : exception, cls, error, message, values, object);
}

void assertion(Interpreter &in, const py::Object &node) {
  PyValue test = condition(in, node["test"]);
  std::optional<bool> known;
  Value bit = truth(in, test, known);
  if (known && *known)
    return;
  if (!bit)
    bit = in.ir.boolean(false);
  std::string message;
  SmallVector<Value> values;
  if (!node["msg"].isNone()) {
    message = exceptionText(in, text(in, in.expression(node["msg"]), ""), values);
  }
  in.ir.check(bit, "AssertionError", message, values);
}

} // namespace npcc::frontend
