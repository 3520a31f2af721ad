// Comprehensions over what is known at compile time; others are in Lists.cpp.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Attempt.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ComprehensionScopes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Unrolling.h"
#include "runtime/abi/arrays.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace npcc::frontend {

/// Takes the slots of a name, and of its parts, out of the frame, so that what is bound to the name now gets others.
static std::vector<std::pair<std::pair<std::string, void *>, Value>> takeSlots(Frame &frame, const std::string &name) {
  std::vector<std::pair<std::pair<std::string, void *>, Value>> taken;
  for (auto at = frame.slots.lower_bound({name, nullptr}); at != frame.slots.end();) {
    StringRef rest = at->first.first;
    if (!rest.consume_front(name))
      break;
    bool isPart = rest.empty() || !(llvm::isAlnum(rest[0]) || rest[0] == '_');
    if (isPart)
      taken.push_back(*at);
    at = isPart ? frame.slots.erase(at) : std::next(at);
  }
  return taken;
}

/// The targets of a comprehension are its own, and so are their slots: what the names hold outside may lie in those of
/// theirs.
void withOwnTargets(Interpreter &in, const std::vector<py::Object> &generators, llvm::function_ref<void()> body) {
  std::set<std::string> targets;
  for (const py::Object &generator : generators)
    for (const py::Object &one : in.syntax.nodesIn(generator["target"]))
      if (py::typeName(one) == "Name")
        targets.insert(one.string("id"));
  std::set<std::string> added;
  Bindings saved = in.env.frame->bindings;
  for (const std::string &name : targets)
    if (in.env.frame->locals.insert(name).second)
      added.insert(name);
  std::map<std::string, std::vector<std::pair<std::pair<std::string, void *>, Value>>> slots;
  for (const std::string &name : targets)
    slots[name] = takeSlots(*in.env.frame, name);
  ComprehensionScope scope(in, targets);
  body();
  scope.keepTargets();
  for (const std::string &name : targets) {
    takeSlots(*in.env.frame, name);
    in.env.frame->slots.insert(slots[name].begin(), slots[name].end());
    auto before = saved.find(name);
    if (before == saved.end())
      in.env.frame->bindings.erase(name);
    else
      in.env.frame->bindings[name] = before->second;
  }
  for (const std::string &name : added)
    in.env.frame->locals.erase(name);
}

/// Whether a range has more numbers than an importer should make items of. Where each item is a container, a position
/// that is known at run time only makes alternatives of all.
static bool isLong(Interpreter &in, const PyValue &range, const py::Object &item) {
  static const llvm::StringSet<> containers = {"List", "ListComp", "Dict", "DictComp", "Set", "SetComp"};
  // The axes of an array may be numbers that are computed of a few others; an item that is more than that is more code.
  constexpr size_t fewNodes = 8;
  bool mayBeAxis = item && (in.env.frame->isLibrary || in.syntax.nodesIn(item).size() <= fewNodes);
  const int64_t longestKnown = item && containers.contains(py::typeName(item)) ? 3 : mayBeAxis ? NPCC_MAX_RANK : 16;
  if (!range.is(PyValue::Kind::Range))
    return false;
  std::optional<int64_t> start = asInteger(in, range->items[0]), stop = asInteger(in, range->items[1]),
                         step = asInteger(in, range->items[2]);
  return start && stop && step && *step != 0 && (*stop - *start) / *step > longestKnown;
}

/// A comprehension whose items are known one by one, else as runtimeComprehension() has it. Over a long range, or where
/// the items together are much code, it is tried as one of run time first, unless `longRanges`. `given`: what the
/// outermost loop goes over, where that is one of several values, each on a path of its own.
static PyValue comprehension(Interpreter &in, const py::Object &node, bool longRanges, const PyValue *given = nullptr) {
  std::vector<py::Object> generators = node.list("generators");
  std::vector<PyValue> items;
  bool ok = true, atRuntime = false, anyGenerator = false, anyLong = false, isDict = py::typeName(node) == "DictComp";
  if (isDict && isBoxedAt(in, node))
    return loopComprehension(in, node, newContainer(in, "Dict", {}));
  Attempt attempt(in);
  PyValue first = given ? *given : in.env.bound(in.expression(generators[0]["iter"]));
  if (first.is(PyValue::Kind::Union) && !isDict)
    first = itemsOfWhichever(in, first);
  if (first.is(PyValue::Kind::Union) && !isDict)
    return overAlternatives(in, first,
                            [&](PyValue one) { return madeAt(in, node, comprehension(in, node, longRanges, &one)); });
  Attempt afterFirst(in);
  PyValue dict = isDict ? newInstance(in, py::import("builtins")["dict"]) : PyValue();
  if (isDict)
    dict->site = siteOf(in, node);
  std::function<void(size_t)> from = [&](size_t k) {
    if (k == generators.size()) {
      if (!isDict) {
        items.push_back(in.env.bound(in.expression(node["elt"])));
        return;
      }
      PyValue key = in.expression(node["key"]), value = in.expression(node["value"]);
      ok = !key.isPoison() && !value.isPoison();
      if (ok && !asObject(in, key)) {
        ok = false;
        atRuntime = true;
      }
      if (ok)
        storeDictItem(in, dict, key, value);
      return;
    }
    PyValue iterable = k == 0 ? first : in.env.bound(in.expression(generators[k]["iter"]));
    std::vector<PyValue> known;
    anyLong |= !longRanges && isLong(in, iterable, isDict ? py::Object() : node["elt"]);
    if (iterable.isPoison() || anyLong || !asSequence(in, iterable, known)) {
      ok = false;
      atRuntime = !iterable.isPoison();
      // What a generator does between two items it does between what is made of them.
      bool isOwn =
          iterable.is(PyValue::Kind::Instance) && !isContainerClass(iterable->cls); // which only look at their items
      if (!anyLong && isOwn)
        if (std::optional<PyValue> iterated = itemsOfObject(in, iterable))
          iterable = *iterated;
      anyGenerator |= isGenerator(iterable);
      return;
    }
    Unrolling unrolling(in, known.size());
    for (auto [number, item] : llvm::enumerate(known)) {
      if (ok && !longRanges && unrolling.isMuch(number) && !attempt.failed()) {
        anyLong = atRuntime = true;
        ok = false;
      }
      if (ok && longRanges && unrolling.isTooMuch()) {
        in.fail("each of the " + Twine(known.size()) + " items would be code of its own, which is too much",
                "append the items to a list in a loop");
        ok = false;
      }
      if (!ok)
        return;
      assign(in, generators[k]["target"], item);
      bool use = true;
      for (const py::Object &test : generators[k].list("ifs")) {
        std::optional<bool> isTrue;
        truth(in, condition(in, test), isTrue);
        if (!isTrue) {
          ok = false;
          atRuntime = !attempt.failed();
          return;
        }
        use &= *isTrue;
      }
      if (use)
        from(k + 1);
    }
  };
  withOwnTargets(in, generators, [&] { from(0); });
  if (atRuntime && in.env.isReachable) {
    if (isDict || anyGenerator) // statements, which evaluate all of it
      attempt.takeBack();
    else
      afterFirst.takeBack();
    if (anyLong) {
      PyValue result =
          isDict ? loopComprehension(in, node, newContainer(in, "Dict", {})) : runtimeComprehension(in, node, first);
      if (!result.isPoison() && !attempt.failed())
        return result;
      attempt.takeBack();
      return comprehension(in, node, true, given);
    }
    if (isDict)
      return loopComprehension(in, node, newContainer(in, "Dict", {}));
    if (anyGenerator && given)
      return in.fail("what a comprehension goes over is a generator on one path and something else on another",
                     "make a list of the generator: list(x)");
    if (anyGenerator && py::typeName(node) == "GeneratorExp" && !isCollected(in, node))
      return generatorExpression(in, node);
    if (anyGenerator) {
      PyValue list = PyValue::sequence({}, true);
      list->owner = in.env.frame.get();
      list->depth = in.env.depth;
      return loopComprehension(in, node, list);
    }
    return runtimeComprehension(in, node, first);
  }
  if (!ok)
    return PyValue::poison();
  if (isDict)
    return dict;
  PyValue list = PyValue::sequence(std::move(items), true);
  list->depth = in.env.depth;
  list->owner = in.env.frame.get();
  return list;
}

static PyValue comprehensionOfEach(Interpreter &in, const py::Object &node) {
  py::Object iterable = node.list("generators")[0]["iter"];
  std::string name = py::typeName(iterable) == "Name" ? iterable.string("id") : "";
  auto found = in.env.frame->bindings.find(name);
  bool isOneOfSeveral = found != in.env.frame->bindings.end() && in.env.frame->locals.count(name) &&
                        found->second.is(PyValue::Kind::Union);
  if (!isOneOfSeveral)
    return comprehension(in, node, false);
  // Over each of them, on a path of its own.
  PyValue several = in.env.readName(iterable, name);
  if (!several.is(PyValue::Kind::Union))
    return comprehension(in, node, false);
  return overAlternatives(in, several, [&](PyValue one) {
    in.env.frame->bindings[name] = one;
    PyValue made = madeAt(in, node, comprehension(in, node, false));
    in.env.frame->bindings[name] = several;
    return made;
  });
}

PyValue comprehension(Interpreter &in, const py::Object &node) {
  if (py::typeName(node) != "GeneratorExp")
    return comprehensionOfEach(in, node);
  std::string site = siteOf(in, node);
  if (isResumedAt(in, site))
    return generatorExpression(in, node);
  PyValue items = comprehensionOfEach(in, node);
  if (items.hasItems() && items->isList)
    items->generator = site;
  return items;
}

PyValue setComprehension(Interpreter &in, const py::Object &node) {
  return loopComprehension(in, node, newContainer(in, "Set", {}));
}

} // namespace npcc::frontend
