// `for`: counted loops over range() and over arrays' first axes; loops over things of known length are unrolled.
#include "frontend/importer/FunctionImporter.h"
#include "frontend/importer/Source.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace npcc::frontend {

/// Loops over this many known items are unrolled where the body cannot be imported as a loop.
static constexpr int64_t unrollLimit = 64;

using Counted = FunctionImporter::Counted;

static std::optional<Counted> countedRange(FunctionImporter &importer, const Composite &range) {
  OpBuilder &builder = importer.builder;
  Location loc = importer.here();
  Value start = importer.toIndex(range.items[0]), stop = importer.toIndex(range.items[1]), step = importer.toIndex(range.items[2]);
  if (!start || !stop || !step)
    return std::nullopt;
  Counted result;
  std::optional<int64_t> knownStep = importer.asInteger(range.items[2]);
  if (knownStep && *knownStep == 0) {
    importer.fail("ValueError: range() arg 3 must not be zero");
    return std::nullopt;
  }
  if (knownStep && *knownStep > 0) {
    result.lower = start;
    result.upper = stop;
    result.step = step;
    result.item = [&importer](Value counter) { return importer.fromIndex(counter); };
    return result;
  }
  // Counted by trips: the step is negative or not known.
  Value zero = importer.index(0), one = importer.index(1);
  Value up = importer.compareIndex(arith::CmpIPredicate::sgt, step, zero);
  importer.check(importer.compareIndex(arith::CmpIPredicate::ne, step, zero), "ValueError", "range() arg 3 must not be zero");
  auto select = [&](Value left, Value right) { return builder.createOrFold<arith::SelectOp>(loc, up, left, right); };
  auto subtract = [&](Value left, Value right) { return builder.createOrFold<arith::SubIOp>(loc, left, right); };
  Value distance = select(subtract(stop, start), subtract(start, stop));
  Value magnitude = select(step, subtract(zero, step));
  Value trips = builder.createOrFold<arith::CeilDivSIOp>(loc, builder.createOrFold<arith::MaxSIOp>(loc, distance, zero), magnitude);
  result.lower = zero;
  result.upper = trips;
  result.step = one;
  result.item = [&importer, start, step](Value counter) {
    Value offset = arith::MulIOp::create(importer.builder, importer.here(), counter, step);
    return importer.fromIndex(arith::AddIOp::create(importer.builder, importer.here(), start, offset));
  };
  return result;
}

/// enumerate, zip, reversed, ranges and arrays as counted loops; nullopt with or without an error reported.
std::optional<Counted> FunctionImporter::counted(const PyValue &iterable) {
  FunctionImporter &importer = *this;
  if (iterable.is(PyValue::Kind::Range))
    return countedRange(importer, *iterable);
  if (iterable.isArray()) {
    if (iterable.rank() == 0) {
      importer.fail("TypeError: iteration over a 0-d array");
      return std::nullopt;
    }
    Counted result;
    result.lower = importer.index(0);
    result.step = importer.index(1);
    result.upper = importer.dim(iterable.ir(), 0);
    result.item = [&importer, iterable](Value counter) {
      FunctionImporter::AxisIndex at{FunctionImporter::AxisIndex::Position, counter, {}, {}, {}};
      Value view = importer.makeView(iterable.ir(), {at});
      bool isScalar = iterable.rank() == 1;
      return PyValue::runtime(isScalar && isa<np::ArrayType>(view.getType()) ? importer.load(view) : view);
    };
    return result;
  }
  if (iterable.isRuntimeList()) {
    Counted result;
    result.lower = importer.index(0);
    result.step = importer.index(1);
    result.upper = importer.dim(importer.listArray(iterable), 0);
    result.item = [&importer, iterable](Value counter) { return importer.listItem(iterable, counter); };
    return result;
  }
  if (!iterable.is(PyValue::Kind::Iterator))
    return std::nullopt;
  std::vector<Counted> parts;
  std::vector<PyValue> &operands = iterable->items;
  size_t sources = iterable->name == "enumerate" || iterable->name == "reversed" ? 1 : operands.size();
  for (size_t k = 0; k < sources; ++k) {
    std::optional<Counted> part = counted(operands[k]);
    if (!part)
      return std::nullopt;
    parts.push_back(std::move(*part));
  }
  if (parts.empty())
    return std::nullopt;
  // From zero by one each, the shortest decides.
  Value trips;
  Location loc = importer.here();
  for (Counted &part : parts) {
    bool plain = matchPattern(part.lower, m_Zero()) && matchPattern(part.step, m_One());
    if (!plain) {
      Value distance = builder.createOrFold<arith::SubIOp>(loc, part.upper, part.lower);
      Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, builder.createOrFold<arith::MaxSIOp>(loc, distance, importer.index(0)), part.step);
      part.item = [&importer, inner = part.item, lower = part.lower, step = part.step](Value counter) {
        Value offset = arith::MulIOp::create(importer.builder, importer.here(), counter, step);
        return inner(arith::AddIOp::create(importer.builder, importer.here(), lower, offset));
      };
      part.upper = count;
    }
    trips = trips ? builder.createOrFold<arith::MinSIOp>(loc, trips, part.upper) : part.upper;
  }
  Counted result;
  result.lower = importer.index(0);
  result.step = importer.index(1);
  result.upper = trips;
  std::string name = iterable->name;
  PyValue start = name == "enumerate" && operands.size() > 1 ? operands[1] : PyValue::object(py::integer(0));
  result.item = [&importer, parts, name, start, trips](Value counter) -> PyValue {
    if (name == "reversed") {
      Value last = arith::SubIOp::create(importer.builder, importer.here(), trips, importer.index(1));
      return parts[0].item(arith::SubIOp::create(importer.builder, importer.here(), last, counter));
    }
    std::vector<PyValue> columns;
    if (name == "enumerate")
      columns.push_back(importer.binary("Add", importer.fromIndex(counter), start));
    for (const Counted &part : parts)
      columns.push_back(part.item(counter));
    return PyValue::sequence(std::move(columns));
  };
  return result;
}

void FunctionImporter::forStatement(const py::Object &node) {
  PyValue iterable = bound(expression(node["iter"]));
  if (iterable.isPoison())
    return;
  py::Object target = node["target"];
  std::vector<py::Object> body = node.list("body"), otherwise = node.list("orelse");
  auto unroll = [&](const std::vector<PyValue> &items) {
    unrolledLoop(items.size(), [&](size_t k) {
      assign(target, items[k]);
      statements(body);
    }, otherwise);
  };
  std::set<std::string> grown;
  grownNames(node, grown);
  if (py::typeName(node["iter"]) == "Name" && grown.count(node["iter"].string("id"))) {
    fail(node["iter"], "a list that is iterated over grows in the loop", "iterate over a copy");
    return;
  }
  std::vector<PyValue> items;
  bool isKnown = asSequence(iterable, items);
  if (isKnown && !iterable.is(PyValue::Kind::Range)) {
    unroll(items);
    return;
  }
  Snapshot before = snapshot();
  std::optional<Counted> range = counted(iterable);
  if (!range) {
    if (diagnostics.size() == before.diagnostics)
      fail(node["iter"], "TypeError: " + describe(iterable) + " cannot be iterated over in compiled code", "use range(), an array, a tuple, enumerate() or zip()");
    return;
  }
  Loop loop;
  loop.node = node.get();
  assignedNames(node, loop.assigned);
  loop.assigned.insert(grown.begin(), grown.end());
  loop.lower = range->lower;
  loop.upper = range->upper;
  loop.step = range->step;
  loop.otherwise = otherwise;
  loop.body = [&] {
    assign(target, range->item(loop.counter));
    statements(body);
  };
  importLoop(loop);
  // A body that needs to know the counter (an axis, an item of a tuple) is repeated for each value of it.
  if (diagnostics.size() > before.diagnostics && isKnown && static_cast<int64_t>(items.size()) <= unrollLimit) {
    std::vector<Diagnostic> asLoop(diagnostics.begin() + before.diagnostics, diagnostics.end());
    rollBack(before);
    unroll(items);
    if (diagnostics.size() > before.diagnostics) {
      diagnostics.resize(before.diagnostics);
      diagnostics.insert(diagnostics.end(), asLoop.begin(), asLoop.end());
    }
  }
}

} // namespace npcc::frontend
