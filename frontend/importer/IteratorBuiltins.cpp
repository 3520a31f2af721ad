// enumerate, zip, iter, next, reversed, map, filter, and the tuples and lists of what can be iterated over.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue iterator(Interpreter &in, const char *name, std::vector<PyValue> operands) {
  auto data = std::make_shared<Composite>();
  data->name = name;
  for (PyValue &operand : operands)
    operand = in.env.bound(unboxed(in, operand));
  data->items = std::move(operands);
  return PyValue::composite(PyValue::Kind::Iterator, data);
}
/// An iterator that has no length: a generator, or an object with `__next__`.
bool isAskedForItems(const PyValue &value) {
  return isGenerator(value) ||
         (value.is(PyValue::Kind::Instance) && !isDictionary(value) && !isBox(value) && bool(value->cls["__next__"]));
}
/// A generator in the place of an object that gives one item after the other; containers stay, which have lengths.
PyValue asIterable(Interpreter &in, const PyValue &value) {
  bool isOwn =
      value.is(PyValue::Kind::Instance) && !isDictionary(value) && !isBox(value) && bool(value->cls["__next__"]);
  return isOwn ? itemsOfObject(in, value).value_or(value) : value;
}

PyValue emitEnumerate(Interpreter &in, Arguments &args) {
  args["iterable"] = asIterable(in, args["iterable"]);
  if (refuseIteration(in, args["iterable"]))
    return PyValue::poison();
  if (isGenerator(args["iterable"]))
    return callIteration(in, "enumerated", {args["iterable"], args["start"]});
  PyValue result = iterator(in, "enumerate", {args["iterable"], args["start"]});
  if (isBox(args["iterable"])) // a loop that changes it needs the list itself
    result->items.push_back(args["iterable"]);
  return askedInPlaces(in, result);
}
const Registered enumerateRows{{"builtins.enumerate", "iterable, start=0", emitEnumerate}};

PyValue emitZip(Interpreter &in, Arguments &args) {
  std::vector<PyValue> operands;
  size_t generators = llvm::count_if(args["iterables"]->items, isAskedForItems);
  for (const PyValue &operand : args["iterables"]->items)
    if (refuseIteration(in, operand))
      return PyValue::poison();
    else
      operands.push_back(generators > 1 ? operand : asIterable(in, operand));
  if (generators > 1)
    return callInLibrary(in, "resumption.zipped_in_turn", operands);
  auto generator = llvm::find_if(operands, isGenerator);
  if (generator == operands.end())
    return askedInPlaces(in, iterator(in, "zip", operands));
  PyValue place = PyValue::object(py::integer(generator - operands.begin())), one = *generator;
  operands.erase(generator);
  return callIteration(in, "zipped", {one, place, PyValue::sequence(operands)});
}
PyValue emitNext(Interpreter &in, Arguments &args) {
  const PyValue &from = args["iterator"];
  std::vector<PyValue> operands{from};
  llvm::append_range(operands, args["otherwise"]->items);
  std::vector<py::Object> nodes = in.currentNode ? in.currentNode.list("args") : std::vector<py::Object>();
  bool isNamed = !nodes.empty() && py::typeName(nodes[0]) != "GeneratorExp" && py::typeName(nodes[0]) != "Call";
  if (isGenerator(from) && isNamed) // the next call would have to go on where this one stops
    return needsResumption(in, from, "next() of a generator that has a name cannot be compiled", "iterate over it");
  if (isGenerator(from))
    return callIteration(in, "first_of", operands);
  bool isOwn = from.is(PyValue::Kind::Instance) && !from->cls["next_or"];
  if (isOwn && operands.size() > 1)
    return callIteration(in, "next_or", operands);
  if (from.hasItems() && !from->generator.empty())
    noteResumedAt(in, from->generator);
  if (from.is(PyValue::Kind::Iterator) && !isGenerator(from))
    noteResumedAt(in, from->site);
  if (std::optional<PyValue> result =
          callSpecial(in, from, operands.size() > 1 ? "next_or" : "__next__", llvm::ArrayRef(operands).drop_front()))
    return *result;
  if (from.isObject() && from.object()["__next__"]) // Python can ask it
    return in.fail("next() of an iterator that lives outside of the function cannot be compiled",
                   "make it in the function, or keep a number instead");
  return in.fail("TypeError: " + describe(in, from) + " is not an iterator");
}
PyValue emitIter(Interpreter &in, Arguments &args) {
  const PyValue &over = args["iterable"];
  if (isGenerator(over) || isResumable(over))
    return over;
  bool isOwn = over.is(PyValue::Kind::Instance) && !isDictionary(over) && !isBox(over);
  bool isPrograms = isOwn && !StringRef(over->cls.string("__module__")).starts_with("npcc.library");
  if (isOwn && (over->cls["__next__"] || (isPrograms && over->cls["__iter__"])))
    if (std::optional<PyValue> iterator = callSpecial(in, over, "__iter__", {}))
      return *iterator;
  return callIteration(in, "iterator_over", {over});
}
const Registered nextRows{{"builtins.next", "iterator, *otherwise", emitNext}, {"builtins.iter", "iterable", emitIter}};

const Registered zipRows{{"builtins.zip", "*iterables, strict=None", emitZip}};

PyValue emitReversed(Interpreter &in, Arguments &args) {
  return askedInPlaces(in, iterator(in, "reversed", {args["sequence"]}));
}
const Registered reversedRows{{"builtins.reversed", "sequence", emitReversed}};

PyValue emitMap(Interpreter &in, Arguments &args) {
  std::vector<PyValue> rows, results;
  if (!asSequence(in, iterator(in, "zip", args["iterables"]->items), rows)) {
    const std::vector<PyValue> &iterables = args["iterables"]->items;
    if (iterables.size() == 1)
      return askedInPlaces(in, callIteration(in, "mapped", {args["function"], iterables[0]}));
    return askedInPlaces(in, callIteration(in, "mapped_rows", {args["function"], PyValue::sequence(iterables)}));
  }
  for (const PyValue &row : rows) {
    Call call{in.currentNode, row->items, {}};
    results.push_back(in.env.bound(callValue(in, args["function"], call)));
  }
  PyValue list = PyValue::sequence(std::move(results), true);
  list->depth = in.env.depth;
  return askedInPlaces(in, list);
}
const Registered mapRows{{"builtins.map", "function, *iterables", emitMap}};

/// A list of all that a loop would go over.
PyValue collected(Interpreter &in, const PyValue &iterable) {
  PyValue list = PyValue::sequence({}, true);
  list->owner = in.env.frame.get();
  list->site = siteOf(in, in.currentNode); // what it is found to hold is noted there
  std::string name = "%list" + std::to_string(in.temporaries++);
  list = mixedAt(in, list);
  if (list.isPoison())
    return list;
  in.env.frame->bindings[name] = list;
  list = extended(in, name, list, iterable);
  in.env.frame->bindings.erase(name);
  if (!list.isPoison() && !list->holdsCopies) // whose items may have to be kept
    list->site.clear();
  return list;
}

PyValue sequenceOf(Interpreter &in, Arguments &args, bool isList) {
  std::vector<PyValue> items;
  PyValue value = unboxed(in, args["iterable"]);
  if (std::optional<PyValue> iterator = itemsOfObject(in, value))
    value = *iterator;
  if (value.isNone())
    return PyValue::sequence({}, isList);
  if (value.hasItems() && !value->generator.empty()) { // a list of its own, which is no iterator
    auto data = std::make_shared<Composite>(*value);
    data->generator.clear();
    value = value.withData(data);
  }
  auto listOrTuple = [&](PyValue list) {
    return isList || list.isPoison() || !isRuntimeLength(list) ? list : list.asTuple();
  };
  if (isGenerator(value))
    return listOrTuple(collectedItems(in, value));
  bool areViews = value.isArray() && value.rank() > 1 && !isFresh(value); // of the array's rows
  if (isRuntimeString(value) || areViews)
    return listOrTuple(collected(in, value));
  bool isKnown = asSequence(in, value, items);
  // tuple(rng.integers(0, n, 2)): an index, say, which has to be of known length.
  if (!isKnown && !isList)
    isKnown = asKnownItems(in, value, items);
  if (!isKnown && (isRuntimeLength(value) || (value.isArray() && value.rank() > 0)))
    return listOrTuple(listOf(in, value));
  if (isList && isRuntimeLength(value))
    return listOf(in, value);
  if (!isKnown && (value.is(PyValue::Kind::Range) || value.is(PyValue::Kind::Iterator)))
    return listOrTuple(collected(in, value));
  if (!isKnown && (value.isPythonScalar() || (value.isObject() && !value.object()["__iter__"])))
    return in.fail("TypeError: " + nameOfType(in, value) + " object is not iterable");
  if (!isKnown)
    return value.isPoison()    ? value
           : value.isRecords() ? in.fail("a list of records cannot be compiled",
                                         "use the array: np.sort(a, order='x'), a[np.argmax(a['x'])]")
                               : in.fail(describe(in, value) + " has no length known at compile time", "use an array");
  PyValue result = PyValue::sequence(std::move(items), isList);
  result->depth = in.env.depth;
  return result;
}
PyValue emitTuple(Interpreter &in, Arguments &args) { return sequenceOf(in, args, false); }
const Registered tupleRows{{"builtins.tuple", "iterable=None", emitTuple}};

PyValue emitList(Interpreter &in, Arguments &args) { return sequenceOf(in, args, true); }
const Registered listRows{{"builtins.list", "iterable=None", emitList}};

} // namespace
} // namespace npcc::frontend
