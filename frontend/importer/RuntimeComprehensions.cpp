// Comprehensions whose length is known at run time only: an array of the items, or where that does not do loops that
// append.
#include "dialects/Np/Names.h"
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Attempt.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/ListedArrays.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Tables.h"
#include "frontend/importer/Unions.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
/// What the items of a comprehension are, and where they go.
struct Items {
  bool isKnown = false;
  Type element;
  int64_t rank = 0; // of one item
  int64_t levels = 1;
  bool isPython = false;
  int holdsCopies = 0;
  std::string site; // of items that are lists
  int64_t length = -1;
  bool operator==(const Items &other) const {
    return element == other.element && rank == other.rank && levels == other.levels && isPython == other.isPython;
  }
};
} // namespace

/// One item as a value; `kind` says what it is. Null with an error reported.
static Value itemValue(Interpreter &in, const PyValue &item, Items &kind) {
  kind.isKnown = true;
  if (isList(item))
    kind.site = item->site;
  if (item.isSequence())
    kind.length = item->items.size();
  auto value = [&](Value found) {
    if (found) {
      kind.element = np::getElementType(found.getType());
      kind.rank = np::getRank(found.getType());
    }
    return found;
  };
  if (isTuple(item) && isRuntimeLength(item)) {
    needsTable(in, item, "a list of tuples whose length is known at run time only cannot be compiled",
               "make lists of them: list(x)");
    return {};
  }
  if (item.isRuntimeList()) {
    kind.levels = item->levels + 1;
    kind.isPython = item->isPython;
    if (item->isItem) // of another list, which sees what is stored into it
      kind.holdsCopies = copiesOfRows;
    Value array = listArray(in, item);
    return value(item->isItem ? loadListed(in, PyValue::runtime(array)) : in.ir.load(array));
  }
  if (item.isSequence() && item->isList && !item->items.empty()) {
    // A list of numbers of one type.
    Type type = runtimeType(in, item->items[0]);
    bool isUniform = type && !isa<np::ArrayType>(type);
    for (const PyValue &one : item->items)
      isUniform &= (one.isRuntime() || one.isObject()) && runtimeType(in, one) == type;
    if (isUniform) {
      kind.levels = 2;
      kind.isPython = !isa<RankedTensorType>(type);
      if (isSiteOfGlobal(item->site)) // what is stored here would not reach that one
        kind.holdsCopies = copiesOfRows;
      return value(tensorOf(in, item));
    }
  }
  if (item.isRuntime() && item.arrayType() && item.rank() > 0) {
    kind.holdsCopies = copiesOf(in, item);
    return value(loadListed(in, item));
  }
  Type type = item.isRuntime() || item.isObject() ? runtimeType(in, item) : Type();
  if (!type) {
    if (!item.isPoison())
      needsTable(in, item, "a list of " + describe(in, item) + " that is made in a loop cannot be compiled",
                 "let the items be numbers or arrays");
    return {};
  }
  kind.isPython = !isa<np::ArrayType, RankedTensorType>(type);
  return value(valueOf(in, item));
}

Value listItemValue(Interpreter &in, const PyValue &item, int64_t &levels, bool &isPython, int &holdsCopies) {
  Items kind;
  Value value = itemValue(in, item, kind);
  levels = kind.levels;
  isPython = kind.isPython;
  holdsCopies = kind.holdsCopies;
  return value;
}

/// As loops that append: for items that are tuples, and inner loops whose length depends on outer ones. `first`: what
/// the outermost loop goes over.
static PyValue appendingComprehension(Interpreter &in, const py::Object &node, const PyValue &first) {
  std::vector<py::Object> generators = node.list("generators");
  std::string name = "%comprehension" + std::to_string(in.temporaries++);
  PyValue list = PyValue::sequence({}, true);
  list->owner = in.env.frame.get();
  list->site = siteOf(in, node);
  list = mixedAt(in, list);
  in.env.frame->bindings[name] = list;
  std::function<void(size_t, const PyValue &)> over;
  std::function<void(size_t)> from = [&](size_t k) {
    if (k == generators.size()) {
      PyValue item = in.env.bound(in.expression(node["elt"])), now = in.env.readName(node, name);
      bool isBad = item.isPoison() || now.isPoison();
      PyValue longer = isBad ? PyValue::poison() : appended(in, now, item, PyValue::object(py::none()));
      if (!longer.isPoison())
        longer->site = siteOf(in, node);
      in.env.frame->bindings[name] = longer;
      return;
    }
    over(k, k == 0 ? first : in.env.bound(in.expression(generators[k]["iter"])));
  };
  over = [&](size_t k, const PyValue &iterable) {
    if (iterable.is(PyValue::Kind::Union)) { // whichever it is
      overAlternatives(in, iterable, [&](PyValue one) {
        over(k, one);
        return PyValue::object(py::none());
      });
      return;
    }
    size_t errors = in.diagnostics.size();
    std::vector<py::Object> tests = generators[k].list("ifs");
    std::function<void(size_t)> test = [&](size_t number) {
      if (number == tests.size())
        return from(k + 1);
      choose(
          in, condition(in, tests[number]),
          [&] {
            test(number + 1);
            return PyValue::object(py::none());
          },
          [&] { return PyValue::object(py::none()); });
    };
    std::vector<PyValue> known;
    if (!iterable.is(PyValue::Kind::Range) && asSequence(in, iterable, known)) {
      for (const PyValue &item : known) {
        assign(in, generators[k]["target"], item);
        test(0);
      }
      return;
    }
    std::optional<Counted> range = iterable.isPoison() ? std::nullopt : counted(in, iterable);
    if (!range) {
      if (in.diagnostics.size() == errors && !iterable.isPoison())
        in.fail(generators[k]["iter"], describe(in, iterable) + " cannot be iterated over in compiled code");
      return;
    }
    Loop loop;
    loop.node = generators[k].get();
    loop.assigned = {name};
    for (size_t inner = k; inner < generators.size(); ++inner)
      in.syntax.addAssigned(generators[inner]["target"], loop.assigned);
    grownNames(in, node, loop.assigned);
    in.syntax.addAssigned(node, loop.assigned); // by :=
    loop.lower = range->lower;
    loop.upper = range->upper;
    loop.step = range->step;
    loop.body = [&] {
      assign(in, generators[k]["target"], range->item(loop.counter));
      test(0);
    };
    importLoop(in, loop);
  };
  withOwnTargets(in, generators, [&] { from(0); });
  PyValue result = in.env.readName(node, name);
  in.env.frame->bindings.erase(name);
  if (!result.isPoison())
    result->site.clear(); // who asked for it says where it is made
  return result;
}

/// Whether the items of a comprehension are lists that need not have one length, as far as their expression says.
static bool hasListsOfAnyLength(Interpreter &in, const py::Object &node) {
  const py::Object element = node["elt"];
  std::string type = py::typeName(element);
  std::set<std::string> targets;
  for (const py::Object &generator : node.list("generators"))
    in.syntax.addAssigned(generator["target"], targets);
  auto depends = [&](const py::Object &part) {
    return llvm::any_of(in.syntax.nodesIn(part), [&](const py::Object &one) {
      return py::typeName(one) == "Name" && targets.count(one.string("id"));
    });
  };
  if (type == "List")
    return false;
  if (type == "BinOp" && py::typeName(element["op"]) == "Mult") // [0] * n
    return depends(element["right"]);
  return type != "ListComp" || llvm::any_of(element.list("generators"), [&](const py::Object &generator) {
           return !generator.list("ifs").empty() || depends(generator["iter"]);
         });
}

/// Whether the length of an inner loop depends on an outer one.
static bool isRagged(Interpreter &in, const std::vector<py::Object> &generators) {
  std::set<std::string> outer;
  for (const py::Object &generator : generators) {
    for (const py::Object &name : in.syntax.nodesIn(generator["iter"]))
      if (py::typeName(name) == "Name" && outer.count(name.string("id")))
        return true;
    in.syntax.addAssigned(generator["target"], outer);
  }
  return false;
}

PyValue runtimeComprehension(Interpreter &in, const py::Object &node, const PyValue &first) {
  std::vector<py::Object> generators = node.list("generators");
  bool isNoted = in.outlines->mixed.count(siteOf(in, node)) > 0;
  if (isNoted || isRagged(in, generators) || py::typeName(node["elt"]) == "Tuple")
    return appendingComprehension(in, node, first);
  Attempt lengths(in);
  // All lengths before the loops.
  std::vector<Counted> ranges;
  Value total = in.ir.index(1), zero = in.ir.index(0), one = in.ir.index(1);
  bool filters = false;
  for (auto [k, generator] : llvm::enumerate(generators)) {
    size_t errors = in.diagnostics.size();
    PyValue iterable = k == 0 ? first : in.env.bound(in.expression(generator["iter"]));
    if (iterable.isPoison())
      return iterable;
    // Known numbers, of which a condition of the program chooses some.
    std::vector<PyValue> items;
    if (!iterable.is(PyValue::Kind::Range) && asSequence(in, iterable, items) && !items.empty()) {
      bool areNumbers = llvm::all_of(
          items, [&](const PyValue &item) { return (item.isRuntime() || item.isObject()) && runtimeType(in, item); });
      if (!areNumbers) {
        lengths.takeBack();
        return appendingComprehension(in, node, first);
      }
      Items kind;
      if (Value numbers = itemValue(in, PyValue::sequence(items, true), kind))
        iterable = PyValue::list(PyValue::runtime(in.ir.newArray(numbers)), kind.levels - 1, kind.isPython);
    }
    std::optional<Counted> range = counted(in, iterable);
    if (!range)
      return in.diagnostics.size() > errors
                 ? PyValue::poison()
                 : in.fail(generator["iter"],
                           "a comprehension over " + describe(in, iterable) + " has no length known at compile time",
                           "fill an array of the final extent in a loop");
    Value distance = in.ir.createOrFold<arith::SubIOp>(range->upper, range->lower);
    distance = in.ir.createOrFold<arith::MaxSIOp>(distance, zero);
    Value trips = in.ir.createOrFold<arith::CeilDivSIOp>(distance, range->step);
    range->item = [&in, inner = range->item, lower = range->lower, step = range->step](Value counter) {
      Value offset = in.ir.createOrFold<arith::MulIOp>(counter, step);
      return inner(in.ir.createOrFold<arith::AddIOp>(lower, offset));
    };
    range->upper = trips;
    total = in.ir.createOrFold<arith::MulIOp>(total, trips);
    ranges.push_back(*range);
    filters |= !generator.list("ifs").empty();
  }

  // The loops, with `use` for each item at its position in the list.
  auto run = [&](llvm::function_ref<void(const PyValue &, Value)> use) {
    Value slot = filters ? in.env.slotFor("%length" + std::to_string(in.temporaries), in.ir.getIndexType()) : Value();
    if (slot)
      np::SetOp::create(in.ir, zero, slot);
    std::function<void(size_t, Value)> from = [&](size_t k, Value position) {
      if (k == generators.size()) {
        PyValue item = in.expression(node["elt"]);
        if (slot)
          position = np::GetOp::create(in.ir, in.ir.getIndexType(), slot);
        use(item, position);
        if (slot)
          np::SetOp::create(in.ir, arith::AddIOp::create(in.ir, position, one), slot);
        return;
      }
      Loop loop;
      loop.node = generators[k].get();
      for (size_t inner = k; inner < generators.size(); ++inner)
        in.syntax.addAssigned(generators[inner]["target"], loop.assigned);
      grownNames(in, node, loop.assigned);
      in.syntax.addAssigned(node, loop.assigned); // by :=
      loop.lower = zero;
      loop.upper = ranges[k].upper;
      loop.step = one;
      loop.body = [&, k, position] {
        Value here_ = position ? in.ir.createOrFold<arith::MulIOp>(position, ranges[k].upper) : Value();
        Value next = here_ ? in.ir.createOrFold<arith::AddIOp>(here_, loop.counter) : loop.counter;
        assign(in, generators[k]["target"], ranges[k].item(loop.counter));
        std::vector<py::Object> tests = generators[k].list("ifs");
        std::function<void(size_t)> test = [&](size_t number) {
          if (number == tests.size())
            return from(k + 1, next);
          std::optional<bool> known;
          Value bit = truth(in, condition(in, tests[number]), known);
          if (known) {
            if (*known)
              test(number + 1);
            return;
          }
          Block *yes = in.ir.newBlock(), *no = in.ir.newBlock();
          cf::CondBranchOp::create(in.ir, bit, yes, no);
          Edge skipped{no, in.env.frame->bindings};
          in.env.continueIn(yes);
          ++in.env.depth;
          test(number + 1);
          --in.env.depth;
          std::vector<Edge> edges;
          if (in.env.isReachable)
            edges.push_back(in.env.edgeHere());
          edges.push_back(skipped);
          in.env.joinEdges(std::move(edges));
        };
        test(0);
      };
      importLoop(in, loop);
    };
    withOwnTargets(in, generators, [&] { from(0, Value()); });
    ++in.temporaries;
    return slot;
  };

  // Once to see what the items are.
  Environment::Snapshot before = in.env.snapshot();
  Items kind;
  bool isTuple = false;
  run([&](const PyValue &item, Value) {
    kind = Items();
    isTuple |= !memberName(in, item).empty() || item.isTabled() || isString(item) || item.isNone() ||
               item.is(PyValue::Kind::Union) || item.pythonBit || (item.isSequence() && !item->isList);
    if (isRuntimeLength(item) && canBeTabled(in, item) && hasListsOfAnyLength(in, node))
      needsTable(in, item, "a list of lists of any length cannot be compiled here");
    if (isKept(item)) {
      noteKinds(in, siteOf(in, node), {arrayKind(in, item)});
      in.fail("a list of arrays of one shape takes one that another list has");
    } else if (!isTuple) {
      itemValue(in, item, kind);
    }
  });
  if (isTuple && in.diagnostics.size() == before.diagnostics) {
    lengths.takeBack(); // inner loops evaluate again what they go over
    return appendingComprehension(in, node, first);
  }
  if (in.diagnostics.size() > before.diagnostics)
    return PyValue::poison();
  if (!kind.element) { // each item ends in an error
    PyValue none = PyValue::sequence({}, true);
    none->depth = in.env.depth;
    return none;
  }
  in.env.rollBack(before);

  SmallVector<int64_t> shape(kind.rank + 1, ShapedType::kDynamic);
  auto type = np::ArrayType::get(in.ir.getContext(), shape, kind.element, /*contiguous=*/true);
  Value array, rows;
  if (kind.rank == 0) {
    array = np::EmptyOp::create(in.ir, type, total);
  } else { // the first item says how large they are
    rows = in.env.slotFor("%rows" + std::to_string(in.temporaries++), type);
    np::SetOp::create(in.ir, np::EmptyOp::create(in.ir, type, SmallVector<Value>(shape.size(), zero)), rows);
  }
  Value length = run([&](const PyValue &item, Value position) {
    Items again;
    Value value = itemValue(in, item, again);
    if (!value)
      return;
    Value destination = array;
    if (rows) {
      Value made = np::GetOp::create(in.ir, type, rows);
      destination = roomFor(in, made, position, total, in.ir.dims(value), /*exactly=*/true);
      np::SetOp::create(in.ir, destination, rows);
    }
    Value view = in.ir.makeView(destination, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}});
    markListed(in, np::StoreOp::create(in.ir, value, view), item, siteOf(in, node));
    in.ir.clobber();
  });
  if (rows)
    array = np::GetOp::create(in.ir, type, rows);
  if (length) {
    Value count = np::GetOp::create(in.ir, in.ir.getIndexType(), length);
    array = in.ir.makeView(array, {AxisIndex{AxisIndex::Slice, zero, count, one, {}}});
  }
  PyValue list = PyValue::list(PyValue::runtime(array), kind.levels, kind.isPython);
  list->owner = in.env.frame.get();
  list->itemSite = kind.site;
  list->itemLength = kind.length;
  list->holdsCopies = kind.holdsCopies;
  if (kind.rank > 0 && kind.holdsCopies) // where it is noted if it must keep the arrays themselves
    list->site = siteOf(in, node);
  return list;
}

} // namespace npcc::frontend
