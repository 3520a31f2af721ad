// Lists whose length is known at run time only: comprehensions over arrays and ranges, list(array), a.tolist(), lists as arguments. Such a list is an
// array with the items along its first axis; it does not grow. Items that are arrays are copies, so only arrays that nobody else holds are taken.
#include "frontend/importer/FunctionImporter.h"
#include "frontend/importer/Source.h"
#include "frontend/numpy/Table.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

/// A temporary, or an array that was made just now.
static bool isFresh(const PyValue &value) {
  return value.tensorType() || (value.isRuntime() && isa_and_present<np::NewOp, np::EmptyOp>(value.ir().getDefiningOp()));
}

PyValue FunctionImporter::listItem(const PyValue &list, Value position) {
  Value array = listArray(list);
  Value view = makeView(array, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}});
  if (np::getRank(view.getType()) > 0)
    return list->levels > 1 ? PyValue::list(PyValue::runtime(view), list->levels - 1, list->isPython) : PyValue::runtime(view);
  Value number = load(view);
  return PyValue::runtime(list->isPython ? item(number) : number);
}

/// The position that a Python index is; IndexError otherwise (axis -1: in the words of lists).
static Value listPosition(FunctionImporter &importer, const PyValue &list, const PyValue &index) {
  Value position = importer.toIndex(index, "TypeError: list indices must be integers or slices: an integer");
  if (!position)
    return position;
  Value size = importer.dim(importer.listArray(list), 0);
  return importer.builder.createOrFold<np::CheckIndexOp>(importer.here(), importer.builder.getIndexType(), position, size, int64_t(-1));
}

PyValue FunctionImporter::listItem(const PyValue &list, const PyValue &index) {
  if (index.isPoison())
    return index;
  if (index.is(PyValue::Kind::Slice)) {
    SmallVector<AxisIndex> axes;
    if (!parseIndex(PyValue::runtime(listArray(list)), index, axes))
      return PyValue::poison();
    Value part = makeView(listArray(list), axes);
    return PyValue::list(PyValue::runtime(newArray(load(part))), list->levels, list->isPython);
  }
  Value position = listPosition(*this, list, index);
  return position ? listItem(list, position) : PyValue::poison();
}

void FunctionImporter::storeListItem(const PyValue &list, const PyValue &index, const PyValue &value) {
  Value array = listArray(list);
  Type element = np::getElementType(array.getType());
  Type type = value.isRuntime() || value.isObject() ? runtimeType(value) : Type();
  if (np::getRank(array.getType()) > 1 || !list->isPython || type != element) {
    if (!value.isPoison())
      fail("an item of a list of " + describe(listItem(list, FunctionImporter::index(0))) + " cannot become " + describe(value), "use an array");
    return;
  }
  Value position = listPosition(*this, list, index), stored = operandAs(value, element);
  if (!position || !stored)
    return;
  np::StoreOp::create(builder, here(), stored, makeView(array, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}}));
  clobber();
}

PyValue FunctionImporter::listOf(const PyValue &value) {
  if (value.isRuntimeList())
    return PyValue::list(PyValue::runtime(newArray(load(listArray(value)))), value->levels, value->isPython);
  if (value.rank() > 1 && !isFresh(value))
    return fail("list() of an array makes views of its rows: this cannot be compiled", "use the array, or list() of a copy");
  return PyValue::list(PyValue::runtime(newArray(valueOf(value))), 1, false);
}

namespace {
/// What the items of a comprehension are, and where they go.
struct Items {
  bool isKnown = false;
  Type element;
  int64_t rank = 0;     // of one item
  int64_t levels = 1;
  bool isPython = false;
  bool operator==(const Items &other) const {
    return element == other.element && rank == other.rank && levels == other.levels && isPython == other.isPython;
  }
};
} // namespace

/// One item as a value; `kind` says what it is. Null with an error reported.
static Value itemValue(FunctionImporter &importer, const PyValue &item, Items &kind) {
  kind.isKnown = true;
  auto value = [&](Value found) {
    if (found) {
      kind.element = np::getElementType(found.getType());
      kind.rank = np::getRank(found.getType());
    }
    return found;
  };
  if (item.isRuntimeList()) {
    kind.levels = item->levels + 1;
    kind.isPython = item->isPython;
    return value(importer.load(importer.listArray(item)));
  }
  if (item.isSequence() && item->isList && !item->items.empty()) {
    // A list of numbers of one type.
    Type type = importer.runtimeType(item->items[0]);
    bool isUniform = type && !isa<np::ArrayType>(type);
    for (const PyValue &one : item->items)
      isUniform &= (one.isRuntime() || one.isObject()) && importer.runtimeType(one) == type;
    if (isUniform) {
      kind.levels = 2;
      kind.isPython = !isa<RankedTensorType>(type);
      return value(importer.tensorOf(item));
    }
  }
  Type type = item.isRuntime() || item.isObject() ? importer.runtimeType(item) : Type();
  if (!type || (item.isArray() && item.rank() > 0 && !isFresh(item))) {
    if (!item.isPoison())
      importer.fail("a list of " + importer.describe(item) + " that is made in a loop cannot be compiled",
                    item.isArray() ? "let the items be copies: x.copy()" : "let the items be numbers or arrays");
    return {};
  }
  kind.isPython = !isa<np::ArrayType, RankedTensorType>(type);
  return value(importer.valueOf(item));
}

Value FunctionImporter::listItemValue(const PyValue &item, int64_t &levels, bool &isPython) {
  Items kind;
  Value value = itemValue(*this, item, kind);
  levels = kind.levels;
  isPython = kind.isPython;
  return value;
}

PyValue FunctionImporter::runtimeComprehension(const py::Object &node) {
  std::vector<py::Object> generators = node.list("generators");
  static const py::Object walk = py::lookup("ast.walk");
  // All lengths before the loops.
  std::set<std::string> outer;
  std::vector<Counted> ranges;
  Value total = index(1), zero = index(0), one = index(1);
  bool filters = false;
  for (const py::Object &generator : generators) {
    for (const py::Object &name : py::elements(py::call(walk, {generator["iter"]})))
      if (py::typeName(name) == "Name" && outer.count(name.string("id")))
        return fail(generator["iter"], "the length of an inner loop of a comprehension depends on an outer one", "fill an array in loops");
    size_t errors = diagnostics.size();
    PyValue iterable = bound(expression(generator["iter"]));
    if (iterable.isPoison())
      return iterable;
    // Known numbers, of which a condition of the program chooses some.
    std::vector<PyValue> items;
    if (!iterable.is(PyValue::Kind::Range) && asSequence(iterable, items) && !items.empty()) {
      Items kind;
      if (Value numbers = itemValue(*this, PyValue::sequence(items, true), kind))
        iterable = PyValue::list(PyValue::runtime(newArray(numbers)), kind.levels - 1, kind.isPython);
    }
    std::optional<Counted> range = counted(iterable);
    if (!range)
      return diagnostics.size() > errors ? PyValue::poison()
                                         : fail(generator["iter"], "a comprehension over " + describe(iterable) + " has no length known at compile time",
                                                "fill an array of the final extent in a loop");
    Value distance = builder.createOrFold<arith::SubIOp>(here(), range->upper, range->lower);
    distance = builder.createOrFold<arith::MaxSIOp>(here(), distance, zero);
    Value trips = builder.createOrFold<arith::CeilDivSIOp>(here(), distance, range->step);
    range->item = [this, inner = range->item, lower = range->lower, step = range->step](Value counter) {
      Value offset = builder.createOrFold<arith::MulIOp>(here(), counter, step);
      return inner(builder.createOrFold<arith::AddIOp>(here(), lower, offset));
    };
    range->upper = trips;
    total = builder.createOrFold<arith::MulIOp>(here(), total, trips);
    ranges.push_back(*range);
    filters |= !generator.list("ifs").empty();
    assignedNames(generator["target"], outer);
  }

  // The loops, with `use` for each item at its position in the list.
  auto run = [&](llvm::function_ref<void(const PyValue &, Value)> use) {
    Value slot = filters ? slotFor("%length" + std::to_string(temporaries), builder.getIndexType()) : Value();
    if (slot)
      np::SetOp::create(builder, here(), zero, slot);
    std::function<void(size_t, Value)> from = [&](size_t k, Value position) {
      if (k == generators.size()) {
        PyValue item = expression(node["elt"]);
        if (slot)
          position = np::GetOp::create(builder, here(), builder.getIndexType(), slot);
        use(item, position);
        if (slot)
          np::SetOp::create(builder, here(), arith::AddIOp::create(builder, here(), position, one), slot);
        return;
      }
      Loop loop;
      loop.node = generators[k].get();
      for (size_t inner = k; inner < generators.size(); ++inner)
        assignedNames(generators[inner]["target"], loop.assigned);
      grownNames(node, loop.assigned);
      loop.lower = zero;
      loop.upper = ranges[k].upper;
      loop.step = one;
      loop.body = [&, k, position] {
        Value here_ = position ? builder.createOrFold<arith::MulIOp>(here(), position, ranges[k].upper) : Value();
        Value next = here_ ? builder.createOrFold<arith::AddIOp>(here(), here_, loop.counter) : loop.counter;
        assign(generators[k]["target"], ranges[k].item(loop.counter));
        std::vector<py::Object> tests = generators[k].list("ifs");
        std::function<void(size_t)> test = [&](size_t number) {
          if (number == tests.size())
            return from(k + 1, next);
          std::optional<bool> known;
          Value bit = truth(condition(tests[number]), known);
          if (known) {
            if (*known)
              test(number + 1);
            return;
          }
          Block *yes = newBlock(), *no = newBlock();
          cf::CondBranchOp::create(builder, here(), bit, yes, no);
          Edge skipped{no, frame->environment};
          continueIn(yes);
          ++depth;
          test(number + 1);
          --depth;
          std::vector<Edge> edges;
          if (isReachable)
            edges.push_back(edgeHere());
          edges.push_back(skipped);
          joinEdges(std::move(edges));
        };
        test(0);
      };
      importLoop(loop);
    };
    withOwnTargets(generators, [&] { from(0, Value()); });
    ++temporaries;
    return slot;
  };

  // Once to see what the items are.
  Snapshot before = snapshot();
  Items kind;
  run([&](const PyValue &item, Value) {
    kind = Items();
    itemValue(*this, item, kind);
  });
  if (diagnostics.size() > before.diagnostics)
    return PyValue::poison();
  rollBack(before);
  if (!kind.element)
    return fail("the items of this comprehension have no type: it is never run");

  SmallVector<int64_t> shape(kind.rank + 1, ShapedType::kDynamic);
  auto type = np::ArrayType::get(context, shape, kind.element, /*contiguous=*/true);
  Value array, rows;
  if (kind.rank == 0) {
    array = np::EmptyOp::create(builder, here(), type, total);
  } else { // the first item says how large they are
    rows = slotFor("%rows" + std::to_string(temporaries++), type);
    np::SetOp::create(builder, here(), np::EmptyOp::create(builder, here(), type, SmallVector<Value>(shape.size(), zero)), rows);
  }
  Value length = run([&](const PyValue &item, Value position) {
    Items again;
    Value value = itemValue(*this, item, again);
    if (!value)
      return;
    Value destination = array;
    if (rows) {
      SmallVector<Value> extents = dims(value);
      Block *first = newBlock(), *go = newBlock();
      cf::CondBranchOp::create(builder, here(), compareIndex(arith::CmpIPredicate::eq, position, zero), first, go);
      continueIn(first);
      SmallVector<Value> all{total};
      llvm::append_range(all, dims(value));
      np::SetOp::create(builder, here(), np::EmptyOp::create(builder, here(), type, all), rows);
      cf::BranchOp::create(builder, here(), go);
      continueIn(go);
      destination = np::GetOp::create(builder, here(), type, rows);
      for (auto [axis, extent] : llvm::enumerate(dims(value)))
        check(compareIndex(arith::CmpIPredicate::eq, extent, dim(destination, axis + 1)), "ValueError",
              "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.");
    }
    Value view = makeView(destination, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}});
    np::StoreOp::create(builder, here(), value, view);
    clobber();
  });
  if (rows)
    array = np::GetOp::create(builder, here(), type, rows);
  if (length) {
    Value count = np::GetOp::create(builder, here(), builder.getIndexType(), length);
    array = makeView(array, {AxisIndex{AxisIndex::Slice, zero, count, one, {}}});
  }
  PyValue list = PyValue::list(PyValue::runtime(array), kind.levels, kind.isPython);
  list->owner = frame.get();
  return list;
}

} // namespace npcc::frontend
