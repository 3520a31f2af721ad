// Lists that grow in branches and loops: an array with room to spare, and a length. `x.append(y)` binds the name x to the list as it is afterwards,
// so it is compiled only where x is the list's one name; the array doubles when it is full.
#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

static bool isList(const PyValue &value) { return value.isRuntimeList() || (value.isSequence() && value->isList); }

Value FunctionImporter::listArray(const PyValue &list) {
  Value array = list->items[0].ir();
  if (list->items.size() == 1)
    return array;
  return makeView(array, {AxisIndex{AxisIndex::Slice, index(0), toIndex(list->items[1]), index(1), {}}});
}

/// How often a container of these items is found in a value.
static int countReferences(const PyValue &value, const Composite *data) {
  if (!value.hasItems() && !value.is(PyValue::Kind::Iterator) && !value.is(PyValue::Kind::Method))
    return 0;
  if (&*value == data)
    return 1;
  int found = 0;
  for (const PyValue &item : value->items)
    found += countReferences(item, data);
  return found;
}

bool FunctionImporter::hasOtherName(const Environment &environment, const std::string &name, const PyValue &list) {
  if (!isList(list))
    return false;
  for (const auto &[other, value] : environment)
    if (other != name && countReferences(value, &*list))
      return true;
  return countReferences(environment.count(name) ? environment.at(name) : PyValue(), &*list) > 1;
}

/// A list of known items, or one of fixed length, as one that grows, of items like `model`'s; null with an error reported.
PyValue FunctionImporter::growing(const PyValue &list, const PyValue &model) {
  if (list.isRuntimeList() && list->items.size() == 2)
    return list;
  bool isShared = list->isShared;
  PyValue result;
  if (list.isRuntimeList()) {
    PyValue array = list->items[0];
    if (array.is(PyValue::Kind::Slot))
      array = PyValue::runtime(np::GetOp::create(builder, here(), runtimeType(array), array.slot));
    result = list.withItems({array, fromIndex(dim(array.ir(), 0))});
  } else {
    Type type = runtimeType(model->items[0]);
    auto array = cast<np::ArrayType>(type);
    std::vector<PyValue> items = list->items;
    SmallVector<Value> extents(array.getRank(), index(0));
    extents[0] = index(items.size());
    if (!items.empty() && array.getRank() > 1) {
      fail("a list of known arrays grows inside a branch or loop", "start with an empty list");
      return PyValue::poison();
    }
    Value buffer = np::EmptyOp::create(builder, here(), np::ArrayType::get(context, array.getShape(), array.getElementType(), true), extents);
    for (auto [position, item] : llvm::enumerate(items)) {
      Type own = item.isRuntime() || item.isObject() || item.is(PyValue::Kind::Slot) ? runtimeType(item) : Type();
      if (!own || getElementTypeOrSelf(own) != array.getElementType() || isa<RankedTensorType>(own) == model->isPython) {
        fail("a list of " + describe(item) + " becomes a list of another type", "let all items have one type");
        return PyValue::poison();
      }
      PyValue present = item;
      if (item.is(PyValue::Kind::Slot))
        present = PyValue::runtime(np::GetOp::create(builder, here(), own, item.slot));
      np::StoreOp::create(builder, here(), operandAs(present, array.getElementType()), makeView(buffer, {AxisIndex{AxisIndex::Position, index(position), {}, {}, {}}}));
    }
    clobber();
    result = model.withItems({PyValue::runtime(buffer), fromIndex(index(items.size()))});
    result->owner = list->owner;
  }
  result->isShared = isShared;
  return result;
}

/// x.append(y), x.insert(k, y) where x is a name; nothing if that is something else, or done at compile time.
std::optional<PyValue> FunctionImporter::growList(const py::Object &node) {
  py::Object function = node["func"];
  if (py::typeName(function) != "Attribute" || py::typeName(function["value"]) != "Name")
    return std::nullopt;
  std::string name = function["value"].string("id"), method = function.string("attr");
  std::vector<py::Object> arguments = node.list("args");
  if (!(method == "append" && arguments.size() == 1) && !(method == "insert" && arguments.size() == 2))
    return std::nullopt;
  auto found = frame->environment.find(name);
  if (!frame->locals.count(name) || found == frame->environment.end() || !isList(found->second) ||
      (found->second.isSequence() && found->second->depth == depth))
    return std::nullopt;
  PyValue at = method == "insert" ? expression(arguments[0]) : PyValue::object(py::none());
  PyValue item = expression(arguments.back());
  PyValue list = readName(function["value"], name);
  if (list.isPoison() || item.isPoison() || at.isPoison())
    return PyValue::poison();
  if (list->owner != frame.get() || list->isShared || hasOtherName(frame->environment, name, list))
    return fail("a list that may have another name grows inside a branch or loop", "use an array of the final extent, or make the list where it grows");

  // What its items are.
  int64_t levels = 1;
  bool isPython = false;
  Value value = listItemValue(item, levels, isPython);
  if (!value)
    return PyValue::poison();
  Type element = np::getElementType(value.getType());
  int64_t rank = np::getRank(value.getType());
  auto type = np::ArrayType::get(context, SmallVector<int64_t>(rank + 1, ShapedType::kDynamic), element, /*contiguous=*/true);
  if (list.isRuntimeList()) {
    auto held = cast<np::ArrayType>(list->items[0].type());
    if (held.getElementType() != element || held.getRank() != type.getRank() || list->levels != levels || list->isPython != isPython)
      return fail("an item of another type is put into a list of " + describe(listItem(list, index(0))), "let all items have one type");
  }
  if (!list.isRuntimeList() || list->items.size() == 1) {
    PyValue slot = PyValue::composite(PyValue::Kind::Slot, nullptr);
    slot.slot = slotFor("%list" + std::to_string(temporaries++), type);
    PyValue model = PyValue::list(slot, levels, isPython);
    model->owner = frame.get();
    list = growing(list, model);
    if (list.isPoison())
      return list;
  }

  // Room for one more.
  Value buffer = list->items[0].ir(), length = toIndex(list->items[1]);
  Value slot = slotFor("%buffer" + std::to_string(temporaries++), type);
  np::SetOp::create(builder, here(), convertTo(list->items[0], type), slot);
  Block *full = newBlock(), *go = newBlock();
  Value capacity = dim(buffer, 0);
  cf::CondBranchOp::create(builder, here(), compareIndex(arith::CmpIPredicate::sge, length, capacity), full, go);
  continueIn(full);
  SmallVector<Value> extents{arith::MaxSIOp::create(builder, here(), index(16), arith::MulIOp::create(builder, here(), capacity, index(2)))};
  llvm::append_range(extents, dims(value));
  Value larger = np::EmptyOp::create(builder, here(), type, extents);
  auto part = [&](Value array, Value from, Value count) { return makeView(array, {AxisIndex{AxisIndex::Slice, from, count, index(1), {}}}); };
  if (rank) // an empty list does not know the extents of its items
    for (auto [axis, extent] : llvm::enumerate(dims(value))) {
      Value fits = arith::OrIOp::create(builder, here(), compareIndex(arith::CmpIPredicate::eq, length, index(0)),
                                        compareIndex(arith::CmpIPredicate::eq, extent, dim(buffer, axis + 1)));
      check(fits, "ValueError", "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.");
    }
  SmallVector<AxisIndex> old{{AxisIndex::Slice, index(0), length, index(1), {}}};
  for (int64_t axis = 1; axis <= rank; ++axis)
    old.push_back({AxisIndex::Slice, index(0), dim(buffer, axis), index(1), {}});
  np::StoreOp::create(builder, here(), load(part(buffer, index(0), length)), makeView(larger, old));
  clobber();
  np::SetOp::create(builder, here(), larger, slot);
  cf::BranchOp::create(builder, here(), go);
  continueIn(go);
  buffer = np::GetOp::create(builder, here(), type, slot);
  for (auto [axis, extent] : llvm::enumerate(dims(value)))
    check(compareIndex(arith::CmpIPredicate::eq, extent, dim(buffer, axis + 1)), "ValueError",
          "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.");

  Value position = length;
  if (method == "insert") { // as Python clamps it; what follows moves
    Value wanted = toIndex(at);
    if (!wanted)
      return PyValue::poison();
    Value negative = compareIndex(arith::CmpIPredicate::slt, wanted, index(0));
    Value fromEnd = builder.createOrFold<arith::AddIOp>(here(), wanted, length);
    wanted = builder.createOrFold<arith::SelectOp>(here(), negative, fromEnd, wanted);
    wanted = builder.createOrFold<arith::MaxSIOp>(here(), wanted, index(0));
    position = builder.createOrFold<arith::MinSIOp>(here(), wanted, length);
    Value rest = builder.createOrFold<arith::SubIOp>(here(), length, position);
    Value next = builder.createOrFold<arith::AddIOp>(here(), position, index(1));
    Value moved = load(part(buffer, position, rest));
    np::StoreOp::create(builder, here(), moved, part(buffer, next, rest));
    clobber();
  }
  np::StoreOp::create(builder, here(), value, makeView(buffer, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}}));
  clobber();
  PyValue grown = PyValue::list(PyValue::runtime(buffer), levels, isPython);
  grown->items.push_back(fromIndex(builder.createOrFold<arith::AddIOp>(here(), length, index(1))));
  grown->owner = frame.get();
  frame->environment[name] = grown;
  return PyValue::object(py::none());
}

/// The names of lists that grow somewhere below a node.
void FunctionImporter::grownNames(const py::Object &node, std::set<std::string> &names) {
  static const py::Object walk = py::lookup("ast.walk");
  for (const py::Object &call : py::elements(py::call(walk, {node}))) {
    if (py::typeName(call) != "Call" || py::typeName(call["func"]) != "Attribute" || py::typeName(call["func"]["value"]) != "Name")
      continue;
    std::string method = call["func"].string("attr"), name = call["func"]["value"].string("id");
    auto found = frame->environment.find(name);
    if ((method == "append" || method == "insert") && frame->locals.count(name) && found != frame->environment.end() && isList(found->second))
      names.insert(name);
  }
}

} // namespace npcc::frontend
