// `for`: counted loops, and straight code for the items of what has a known length.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Attempt.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/LoopItems.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Operators.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Records.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Unrolling.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {

/// Loops over this many known items are unrolled where the body cannot be imported as a loop.
static constexpr int64_t unrollLimit = 64;

static void loopOver(Interpreter &in, const py::Object &node, const PyValue &iterable);

/// What is added to a list while it is gone over is gone over too.
static void loopOverBox(Interpreter &in, const py::Object &node, const PyValue &box) {
  PyValue items = unboxed(in, box);
  if (items.isSequence()) {
    Attempt attempt(in);
    loopOver(in, node, items);
    bool isImported = !attempt.failed();
    bool stayed = !in.env.isReachable || unboxed(in, box) == items;
    if (isImported && stayed)
      return;
    // As a loop over what has a length at run time, if the items can be that.
    if (!isImported && (items->items.empty() || ofRuntimeLength(in, items).isPoison()))
      return;
    attempt.takeBack();
  }
  loopOver(in, node, callIteration(in, "growing_items", {box}));
}

/// enumerate() of a list that is an object: what the loop changes of its length counts.
static void enumerateBox(Interpreter &in, const py::Object &node, const PyValue &iterable) {
  const PyValue &box = iterable->items[2];
  if (!box.isTabled()) {
    Attempt attempt(in);
    PyValue items = unboxed(in, box);
    loopOver(in, node, iterable);
    bool isImported = !attempt.failed();
    if (!isImported || !in.env.isReachable || unboxed(in, box) == items)
      return;
    attempt.takeBack();
  }
  loopOver(in, node, callIteration(in, "growing_enumerate", {box, iterable->items[1]}));
}

/// Whether a `break` among these statements leaves the loop that they are the body of.
static bool hasBreak(const std::vector<py::Object> &statements) {
  return llvm::any_of(statements, [](const py::Object &statement) {
    std::string type = py::typeName(statement);
    if (type == "Break")
      return true;
    bool isLoop = type == "For" || type == "While";
    if (type == "FunctionDef" || type == "ClassDef")
      return false;
    for (const char *part : {"body", "orelse", "finalbody", "handlers", "cases"})
      if (statement[part] && !(isLoop && StringRef(part) == "body") && hasBreak(statement.list(part)))
        return true;
    return false;
  });
}

/// Loops over several axes, one in the other: each has independent iterations where the program's loop over all
/// positions has.
static void nestedLoops(Interpreter &in, const py::Object &node, const Composite &iterator) {
  bool isEnumerate = iterator.name == "ndenumerate";
  std::vector<PyValue> extents(iterator.items.begin() + (isEnumerate ? 1 : 0), iterator.items.end());
  PyValue array = isEnumerate ? iterator.items[0] : PyValue();
  std::vector<PyValue> position;
  std::function<void()> enter = [&] {
    if (position.size() == extents.size()) {
      PyValue item = PyValue::sequence(position);
      assign(in, node["target"], isEnumerate ? PyValue::sequence({item, subscript(in, array, item)}) : item);
      in.statements(node.list("body"));
      return;
    }
    Loop loop;
    loop.node = node.get();
    in.syntax.addAssigned(node, loop.assigned);
    grownNames(in, node, loop.assigned);
    loop.lower = in.ir.index(0);
    loop.upper = toIndex(in, extents[position.size()]);
    loop.step = in.ir.index(1);
    loop.body = [&] {
      position.push_back(fromIndex(in, loop.counter));
      enter();
      position.pop_back();
    };
    importLoop(in, loop);
  };
  enter();
}

PyValue itemsOfWhichever(Interpreter &in, const PyValue &iterable) {
  if (!iterable.is(PyValue::Kind::Union))
    return iterable;
  return overAlternatives(in, iterable, [&](PyValue one) {
    std::vector<PyValue> items;
    if (refuseIteration(in, one))
      return PyValue::poison();
    bool isSet = isContainer(one, "Set");
    return isBox(one) || isList(one) || isRuntimeLength(one) ? listOf(in, unboxed(in, one))
           : !isSet && asSequence(in, one, items)
               ? (items.empty() ? PyValue::sequence({}, true) : listOfItems(in, items))
               : one;
  });
}

/// A loop over what a function makes of names, of which one may be one of several things: an array, say, or the 0 that
/// sum() begins with. Iterators of several paths are not one, so each thing has a loop of its own. Whether it was such
/// a loop.
static bool loopOverIteratorsOfWhichever(Interpreter &in, const py::Object &node) {
  static const py::Object makers[] = {py::lookup("numpy.ndenumerate"), py::lookup("builtins.zip")};
  py::Object iterated = node["iter"];
  if (py::typeName(iterated) != "Call" || !iterated.list("keywords").empty())
    return false;
  py::Object function = iterated["func"];
  auto isName = [](const py::Object &one) { return py::typeName(one) == "Name"; };
  bool isNamed = isName(function) || (py::typeName(function) == "Attribute" && isName(function["value"]));
  if (!isNamed || !llvm::all_of(iterated.list("args"), isName))
    return false;
  PyValue callee = in.expression(function);
  if (!callee.isObject() || !llvm::is_contained(makers, callee.object()))
    return false;
  std::vector<PyValue> given = in.expressions(iterated.list("args"));
  auto isList = [](const PyValue &one) { // of several lists calls make one
    return npcc::frontend::isList(one) || isTuple(one) || isBox(one) || one.isNone() || one.is(PyValue::Kind::Unbound);
  };
  auto isOneOfSeveral = [&](const PyValue &one) {
    return one.is(PyValue::Kind::Union) && !llvm::all_of(one->items, isList);
  };
  if (llvm::none_of(given, isOneOfSeveral))
    return false;
  overAlternatives(in, ArrayRef(given), [&](ArrayRef<PyValue> chosen) {
    NodeScope scope(in, iterated);
    Call call{iterated, chosen.vec(), {}, {}, {}};
    PyValue items = in.env.bound(callValue(in, callee, call));
    NodeScope back(in, node);
    loopOver(in, node, items);
    return PyValue::object(py::none());
  });
  return true;
}

void forStatement(Interpreter &in, const py::Object &node) {
  if (loopOverEnumerated(in, node) || loopOverIteratorsOfWhichever(in, node))
    return;
  PyValue iterable = in.env.bound(in.expression(node["iter"]));
  if (isPythons(iterable))
    return loopOverObject(in, node, iterable);
  iterable = itemsOfWhichever(in, iterable);
  if (isBox(iterable))
    return loopOverBox(in, node, iterable);
  if (iterable.is(PyValue::Kind::Union)) { // lists of different types: a loop over each
    overAlternatives(in, iterable, [&](PyValue one) {
      loopOver(in, node, one);
      return PyValue::object(py::none());
    });
    return;
  }
  bool isEnumerate = iterable.is(PyValue::Kind::Iterator) && iterable->name == "enumerate";
  isEnumerate && iterable->items.size() > 2 ? enumerateBox(in, node, iterable) : loopOver(in, node, iterable);
}

namespace {
/// A `for` over one value: straight code for each of its items, or a loop of the program's.
class ForLoop {
public:
  ForLoop(Interpreter &in, const py::Object &node, const PyValue &iterable)
      : in(in), node(node), target(node["target"]), body(node.list("body")), otherwise(node.list("orelse")),
        iterable(iterable) {
    grownNames(in, node, grown);
  }

  void run() {
    if (refuseGrowth())
      return;
    isKnown = asSequence(in, iterable, items);
    isListed = isKnown && !iterable.is(PyValue::Kind::Range);
    areAlike = isKnown && !isListed;
    areColumns = iterable.is(PyValue::Kind::Iterator) && (iterable->name == "zip" || iterable->name == "enumerate");
    bool picksKeys = isListed && picksByKeys(in, node, items);
    bool isStraightCode = isListed && (picksKeys || !isLong(in, items)) && importListed(picksKeys);
    if (!isStraightCode)
      importCounted();
  }

private:
  /// Straight code for some items, until `stops` says so.
  void unroll(
      const std::vector<PyValue> &items,
      const std::function<bool(Unrolling &, size_t)> &stops = [](Unrolling &, size_t) { return false; }) {
    Unrolling unrolling(in, items.size());
    unrolledLoop(
        in, items.size(),
        [&](size_t k) {
          if (unrolling.isLeftOut(k, areAlike) || stops(unrolling, k))
            return;
          assign(in, target, items[k]);
          in.statements(body);
        },
        otherwise);
  }

  /// Refuses a loop over a list that grows in it, which `for x in l` and `for k, x in enumerate(l)` may be.
  bool refuseGrowth() {
    py::Object iterated = node["iter"];
    bool isEnumerate = iterable.is(PyValue::Kind::Iterator) && iterable->name == "enumerate";
    if (isEnumerate && py::typeName(iterated) == "Call" && !iterated.list("args").empty())
      iterated = iterated.list("args")[0];
    if (py::typeName(iterated) != "Name" || !grown.count(iterated.string("id")))
      return false;
    NodeScope scope(in, iterated);
    const PyValue &list = isEnumerate ? iterable->items[0] : iterable;
    if (isEnumerate && !isList(list))
      return false;
    needsBox(in, list, "a list that is iterated over grows in the loop", "iterate over a copy");
    return true;
  }

  /// A list among the arguments can be one of Python's own, which a loop goes over.
  void unrollGiven() {
    bool isTooMuch = false;
    unroll(items, [&](Unrolling &unrolling, size_t) { return isTooMuch |= unrolling.isTooMuch(); });
    if (!isTooMuch)
      return;
    in.fail(node["iter"],
            "a loop over " + std::to_string(items.size()) + " items that are not alike is too much code to compile",
            "let the items be numbers, tuples or arrays of one shape");
    in.diagnostics.back().isOfForm = true;
  }

  /// Straight code for the items of a list that is known; false, with nothing imported, where that would be much.
  bool importListed(bool picksKeys) {
    bool isStraight = items.size() < 2 || in.env.frame->isLibrary || in.ir.isThread;
    areAlike = llvm::all_of(items, [&](const PyValue &item) { return areOfOneType(in, items[0], item, areColumns); }) ||
               (iterable.hasItems() && iterable->isList && areArraysOfOneType(in, items));
    if (!areAlike && isGivenList(iterable)) {
      unrollGiven();
      return true;
    }
    if (isStraight || !areAlike) {
      unroll(items);
      return true;
    }
    // Straight code for each item is faster, but where it is much a loop is compiled in a fraction of the time.
    Attempt attempt(in);
    bool isTakenBack = false;
    unroll(items, [&](Unrolling &unrolling, size_t k) {
      bool isMuch = picksKeys ? unrolling.isTooMuch() : k == 1 && unrolling.isMuch(k);
      isTakenBack |= isMuch && !attempt.failed();
      return isTakenBack;
    });
    if (isTakenBack)
      attempt.takeBack();
    return !isTakenBack;
  }

  /// Whether the body makes lists of arrays: two iterations tell of most loops, and cost less than all.
  bool growsAtFirst() {
    Attempt attempt(in);
    unroll({items.begin(), items.begin() + std::min<size_t>(items.size(), 2)});
    bool grows = !attempt.failed() && growsByArrays(in, grown);
    attempt.takeBack();
    return grows;
  }

  /// Straight code for a few items where the body takes arrays out of a list, or makes lists of arrays; false, with
  /// nothing imported, where it does not.
  bool importShort() {
    bool picks = picksArrays(in, node);
    if (!isShort(in, node, items.size()) || (!picks && (grown.empty() || !growsAtFirst())))
      return false;
    Attempt attempt(in);
    unroll(items);
    bool isImported = !attempt.failed() && (picks || growsByArrays(in, grown));
    if (!isImported)
      attempt.takeBack();
    return isImported;
  }

  /// A loop of the program's, or straight code where the body cannot be imported as one: one that needs to know the
  /// counter (an axis, an item of a tuple) is repeated for each value of it, and one that changes the types of arrays.
  void importCounted() {
    Environment::Snapshot before = in.env.snapshot();
    bool haveArrays = areColumns && isListed && !items.empty() &&
                      llvm::any_of(items[0]->items, [](const PyValue &one) { return one.arrayType(); });
    if (isListed && !haveArrays && !givesCharacters(iterable)) // those are gone over in the lists that they are in
      iterable = listToGoOver(in, items);
    if (iterable.isPoison()) {
      in.env.rollBack(before);
      unroll(items);
      return;
    }
    {
      NodeScope scope(in, node["iter"]);
      if (refuseIteration(in, iterable))
        return;
    }
    std::optional<Counted> range = counted(in, iterable);
    if (!range) {
      if (in.diagnostics.size() == before.diagnostics)
        in.fail(node["iter"], describe(in, iterable) + " cannot be iterated over in compiled code",
                "use range(), an array, a tuple, enumerate() or zip()");
      return;
    }
    // The loop's bounds, which are there already, stay when an attempt is taken back.
    bool mayUnroll = isKnown && (isListed || static_cast<int64_t>(items.size()) <= unrollLimit);
    if (mayUnroll && importShort())
      return;
    bool joinsArrays = in.env.joinsArrays;
    in.env.joinsArrays = joinsArrays && !mayUnroll;
    importLoopOver(*range);
    in.env.joinsArrays = joinsArrays;
    // Where more lists need to be objects all is imported again, which tells whether the loop can be one then.
    bool isImportedAgain = in.outlines && in.outlines->foundMore;
    if (in.diagnostics.size() > before.diagnostics && mayUnroll && !isImportedAgain)
      unrollInstead(before);
  }

  void importLoopOver(const Counted &range) {
    Loop loop;
    loop.node = node.get();
    in.syntax.addAssigned(node, loop.assigned);
    loop.assigned.insert(grown.begin(), grown.end());
    loop.lower = range.lower;
    loop.upper = range.upper;
    loop.step = range.step;
    loop.otherwise = otherwise;
    loop.body = [&] {
      assign(in, target, range.item(loop.counter));
      in.statements(body);
    };
    importLoop(in, loop);
  }

  /// What failed as a loop as straight code. Where that fails too, the loop's errors are reported.
  void unrollInstead(const Environment::Snapshot &before) {
    std::vector<Diagnostic> asLoop(in.diagnostics.begin() + before.diagnostics, in.diagnostics.end());
    in.env.rollBack(before);
    unroll(items);
    if (in.diagnostics.size() > before.diagnostics) {
      in.diagnostics.resize(before.diagnostics);
      in.diagnostics.insert(in.diagnostics.end(), asLoop.begin(), asLoop.end());
    }
  }

  Interpreter &in;
  const py::Object &node;
  py::Object target;
  std::vector<py::Object> body, otherwise;
  PyValue iterable;
  std::vector<PyValue> items;  // if they are known
  std::set<std::string> grown; // names of lists that the body appends to
  bool isKnown = false;        // the items, also those of a range
  bool isListed = false;       // known items of a list or tuple
  bool areAlike = false;       // known items of one type
  bool areColumns = false;     // items of several lists beside each other
};
} // namespace

static void loopOver(Interpreter &in, const py::Object &node, const PyValue &given) {
  PyValue iterable = given;
  if (std::optional<PyValue> items = itemsOfObject(in, iterable))
    iterable = *items;
  if (iterable.isPoison())
    return;
  if (isGenerator(iterable))
    return generatorLoop(in, node, iterable);
  bool isOverPositions = iterable.is(PyValue::Kind::Iterator) && StringRef(iterable->name).starts_with("nd");
  bool isPlain = node.list("orelse").empty() && !hasBreak(node.list("body"));
  if (isOverPositions && isPlain && iterable->items.size() > 1)
    return nestedLoops(in, node, *iterable);
  ForLoop(in, node, iterable).run();
}

} // namespace npcc::frontend
