// Calls of NumPy's functions with numbers that are Python's on one path and NumPy's on another: the dtype of what a
// function gives may follow from which it is (np.where(c, 0, a), np.array([0, x])). So the call is imported once with
// the one and once with the other, to see; both are taken back. Where both give the same types, the number serves as it
// is. Otherwise the call is made for each of the two, on a path of its own.
#include "frontend/importer/Attempt.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/PythonBits.h"
#include "frontend/importer/Unions.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {

/// What there is to know of a value's type, as text: values that were taken back cannot be looked at.
static std::string typeText(Interpreter &in, const PyValue &value) {
  std::string text = std::to_string(static_cast<int>(value.kind()));
  llvm::raw_string_ostream out(text);
  if (value.isObject())
    out << py::text(value.object());
  else if (value.isRuntime() || value.is(PyValue::Kind::Slot))
    out << runtimeType(in, value) << (value.pythonBit ? "?" : "");
  if (value.hasItems() || value.is(PyValue::Kind::Union))
    for (const PyValue &item : value->items)
      out << '(' << typeText(in, item) << ')';
  return text;
}

static bool hasNumber(const PyValue &value) {
  return value.pythonBit || (value.isSequence() && llvm::any_of(value->items, hasNumber));
}

/// The first number with a bit in a value, at any depth of lists and tuples; null if there is none.
static PyValue *firstNumber(PyValue &value) {
  if (value.pythonBit || !hasNumber(value))
    return value.pythonBit ? &value : nullptr;
  value = value.withItems(value->items); // its own ones, which may be replaced
  for (PyValue &item : value->items)
    if (PyValue *found = firstNumber(item))
      return found;
  return nullptr;
}

static PyValue *firstNumber(Call &call) {
  for (PyValue &arg : call.args)
    if (PyValue *found = firstNumber(arg))
      return found;
  for (auto &keyword : call.keywords)
    if (PyValue *found = firstNumber(keyword.second))
      return found;
  return nullptr;
}

/// Functions of NumPy's that are no ufuncs, which ask for the dtypes themselves, and methods of arrays.
static bool asksForDtypes(const PyValue &callee) {
  if (callee.is(PyValue::Kind::Method))
    return callee->items[0].isArray();
  if (!callee.isObject() || py::typeName(callee.object()) == "ufunc")
    return false;
  const FunctionRow *row = findFunction(callee.object());
  return row ? StringRef(row->name).starts_with("numpy.")
             : isOfPackage(callee.object(), "numpy") && findLibraryFunction(callee.object());
}

std::optional<PyValue> callWithPythonBits(Interpreter &in, const PyValue &callee, const Call &call) {
  Call shown = call;
  PyValue *found = firstNumber(shown);
  if (!found || !asksForDtypes(callee))
    return std::nullopt;
  PyValue given = *found;
  auto with = [&](PyValue number) {
    Call one = call;
    *firstNumber(one) = number;
    return callValue(in, callee, one);
  };
  auto typeWith = [&](bool isPythons) {
    Attempt attempt(in);
    PyValue number = isPythons ? splitNumber(in, given)->items[0] : withoutPythonBit(given);
    PyValue result = with(number);
    std::string text = attempt.failed() ? "" : typeText(in, result);
    attempt.takeBack();
    return text;
  };
  std::string ofNumpys = typeWith(false);
  if (!ofNumpys.empty() && ofNumpys == typeWith(true))
    return with(withoutPythonBit(given));
  return overAlternatives(in, splitNumber(in, given), with, /*isCall=*/true);
}

} // namespace npcc::frontend
