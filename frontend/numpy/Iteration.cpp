// numpy.ndindex and numpy.ndenumerate: positions in arrays, which loops go over.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue iterator(const char *name, std::vector<PyValue> operands) {
  auto data = std::make_shared<Composite>();
  data->name = name;
  data->items = std::move(operands);
  return PyValue::composite(PyValue::Kind::Iterator, std::move(data));
}

PyValue emitNdindex(Interpreter &in, Arguments &args) {
  std::vector<PyValue> extents = args["shape"]->items;
  if (extents.size() == 1)
    if (std::vector<PyValue> items; asSequence(in, extents[0], items))
      extents = items;
  for (PyValue &extent : extents) {
    Value number = toIndex(in, extent);
    if (!number)
      return PyValue::poison();
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, number, in.ir.index(0)), "ValueError",
                "negative dimensions are not allowed");
    extent = fromIndex(in, number);
  }
  return iterator("ndindex", std::move(extents));
}
const Registered ndindexRows{{"numpy.ndindex", "*shape", emitNdindex}};

PyValue emitNdenumerate(Interpreter &in, Arguments &args) {
  Value array = asArray(in, args["arr"]);
  if (!array)
    return PyValue::poison();
  std::vector<PyValue> operands{PyValue::runtime(array)};
  for (Value extent : in.ir.dims(array))
    operands.push_back(fromIndex(in, extent));
  return iterator("ndenumerate", std::move(operands));
}
const Registered ndenumerateRows{{"numpy.ndenumerate", "arr", emitNdenumerate}};

/// What only the library's functions ask: whether a value is known when the function is compiled.
PyValue emitIsKnown(Interpreter &in, Arguments &args) {
  return PyValue::object(py::boolean(bool(asObject(in, args["value"]))));
}
const Registered isKnownRows{{"npcc.library.routines.is_known", "value", emitIsKnown}};

/// A limit of compiled code: where the condition does not hold, Python makes the call once more.
PyValue emitRequire(Interpreter &in, Arguments &args) {
  std::optional<bool> known;
  Value holds = truth(in, args["condition"], known);
  if (known)
    holds = in.ir.boolean(*known);
  if (holds)
    in.ir.checkOwnLimit(holds, py::text(args["words"].object()));
  return PyValue::object(py::none());
}
const Registered requireRows{{"npcc.library.routines.require", "condition, words", emitRequire}};

/// The same: whether it is asked in the function that goes on where a generator stands (Resumption.h).
PyValue emitIsResumed(Interpreter &in, Arguments &) {
  py::Object isResumption = in.env.frame->definition["npcc_is_resumption"];
  return PyValue::object(py::boolean(isResumption && py::isTrue(isResumption)));
}
const Registered isResumedRows{{"npcc.library.routines.is_resumed", "", emitIsResumed}};

/// Whether an array lies in memory as the transpose of one in C order does; refused where that is not known.
PyValue emitIsTurned(Interpreter &in, Arguments &args) {
  Value array = asArray(in, args["array"]);
  std::optional<bool> turned;
  if (array)
    turned = isFortranOrder(in, args["order"], array, /*isReshape=*/false);
  return turned ? PyValue::object(py::boolean(*turned)) : PyValue::poison();
}
const Registered isTurnedRows{{"npcc.library.routines.is_turned", "array, order", emitIsTurned}};

/// Whether an array's elements lie one behind the other, in the order of C or of Fortran.
PyValue emitIsContiguous(Interpreter &in, Arguments &args) {
  np::ArrayType type = args["array"].arrayType();
  std::string order = py::text(args["order"].object());
  if (!type) // a value, which becomes a new array
    return PyValue::object(py::boolean(order == "C" || args["array"].rank() < 2));
  if (type.getContiguous() && (order == "C" || type.getRank() < 2))
    return PyValue::object(py::boolean(true));
  return PyValue::runtime(
      np::IsContiguousOp::create(in.ir, in.ir.getI1Type(), *np::symbolizeElementOrder(order), args["array"].ir()));
}
const Registered isContiguousRows{{"npcc.library.routines.is_contiguous", "array, order", emitIsContiguous}};

/// Whether stores into an array are refused. The program asks, and may do without the store, so the version of the code
/// that takes its arguments for writable asks, too.
PyValue emitIsReadOnly(Interpreter &in, Arguments &args) {
  const PyValue &array = args["array"];
  if (!array.arrayType()) // a value, which becomes a new array, or a number of NumPy's
    return PyValue::object(py::boolean(!array.isArray()));
  return PyValue::runtime(np::IsReadOnlyOp::create(in.ir, in.ir.getI1Type(), array.ir()));
}
const Registered isReadOnlyRows{{"npcc.library.routines.is_read_only", "array", emitIsReadOnly}};

/// Whether a list's items are of several types that are no numbers all: their order is found by comparing them.
PyValue emitAreCompared(Interpreter &in, Arguments &args) {
  PyValue list = unboxed(in, args["items"]);
  auto isNumber = [](StringRef kind) {
    return kind == "int" || kind == "float" || kind == "bool" || kind.starts_with("numpy.");
  };
  return PyValue::object(py::boolean(isMixed(list) && !llvm::all_of(list->kinds, isNumber)));
}
const Registered areComparedRows{{"npcc.library.routines.are_compared", "items", emitAreCompared}};

/// Known items, where they are many, of one type that a list of run-time length can have: as such a list.
PyValue emitAtRunTime(Interpreter &in, Arguments &args) {
  constexpr size_t few = 3;
  std::vector<PyValue> items;
  PyValue known = unboxed(in, args["items"]);
  if (known.is(PyValue::Kind::Range) || !asSequence(in, known, items) || items.size() <= few)
    return args["items"];
  std::string kind = kindOfItem(in, items.front());
  bool isPlain = StringRef(kind).starts_with("tuple") || llvm::is_contained({"str", "int", "float"}, kind);
  bool areAlike = isPlain && llvm::all_of(items, [&](const PyValue &item) {
                    return !item.pythonBit && kindOfItem(in, item) == kind;
                  });
  return areAlike ? listOfItems(in, items) : args["items"];
}
const Registered atRunTimeRows{{"npcc.library.routines.at_run_time", "items", emitAtRunTime}};

/// Whether a list is of arrays that the runtime keeps.
PyValue emitKeepsArrays(Interpreter &in, Arguments &args) {
  PyValue list = unboxed(in, args["items"]);
  return PyValue::object(py::boolean(isMixed(list) && llvm::all_of(list->kinds, isArrayKind)));
}

PyValue emitDtypeOfItems(Interpreter &in, Arguments &args) {
  std::vector<py::Object> dtypes;
  for (const std::string &kind : unboxed(in, args["arrays"])->kinds)
    dtypes.push_back(in.dtypes.dtype(elementOfKind(in, kind)));
  Type common = in.dtypes.resultType(dtypes);
  return common ? PyValue::object(in.dtypes.dtype(common)) : in.fail("the arrays have no common dtype");
}
const Registered keptRows{{"npcc.library.routines.keeps_arrays", "items", emitKeepsArrays},
                          {"npcc.library.routines.dtype_of_items", "arrays", emitDtypeOfItems}};

PyValue partOfNumber(Interpreter &in, Arguments &args, StringRef ufunc) {
  Value x = valueOf(in, args["x"]);
  return x ? PyValue::runtime(in.ir.emitUfunc(ufunc, {x})) : PyValue::poison();
}
PyValue emitMantissa(Interpreter &in, Arguments &args) { return partOfNumber(in, args, "frexp_mantissa"); }
PyValue emitExponent(Interpreter &in, Arguments &args) { return partOfNumber(in, args, "frexp_exponent"); }
const Registered frexpRows{{"npcc.library.routines.mantissa_of", "x", emitMantissa},
                           {"npcc.library.routines.exponent_of", "x", emitExponent}};

PyValue emitErf(Interpreter &in, Arguments &args) { return partOfNumber(in, args, "erf"); }
PyValue emitErfc(Interpreter &in, Arguments &args) { return partOfNumber(in, args, "erfc"); }
const Registered erfRows{{"npcc.library.routines.erf_of", "x", emitErf}, {"npcc.library.routines.erfc_of", "x", emitErfc}};

} // namespace

} // namespace npcc::frontend
