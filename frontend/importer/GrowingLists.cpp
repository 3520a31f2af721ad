// Lists that grow in branches and loops: an array with room to spare, and a length. `x.append(y)` binds the name x to
// the list as it is afterwards, so it is compiled only where x is the list's one name; the array doubles when it is
// full.
#include "frontend/importer/Lists.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

static bool isList(const PyValue &value) { return value.isRuntimeList() || (value.isSequence() && value->isList); }

Value listArray(Interpreter &in, const PyValue &list) {
  Value array = list->items[0].ir();
  if (list->items.size() == 1)
    return array;
  return in.ir.makeView(array,
                        {AxisIndex{AxisIndex::Slice, in.ir.index(0), toIndex(in, list->items[1]), in.ir.index(1), {}}});
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

bool hasOtherName(const Bindings &environment, const std::string &name, const PyValue &list) {
  if (!isList(list))
    return false;
  for (const auto &[other, value] : environment)
    if (other != name && countReferences(value, &*list))
      return true;
  return countReferences(environment.count(name) ? environment.at(name) : PyValue(), &*list) > 1;
}

/// A list of known items, or one of fixed length, as one that grows, of items like `model`'s; null with an error
/// reported.
PyValue growing(Interpreter &in, const PyValue &list, const PyValue &model) {
  if (list.isRuntimeList() && list->items.size() == 2)
    return list;
  bool isShared = list->isShared;
  PyValue result;
  if (list.isRuntimeList()) {
    PyValue array = list->items[0];
    if (array.is(PyValue::Kind::Slot))
      array = PyValue::runtime(np::GetOp::create(in.ir, runtimeType(in, array), array.slot));
    result = list.withItems({array, fromIndex(in, in.ir.dim(array.ir(), 0))});
  } else {
    Type type = runtimeType(in, model->items[0]);
    auto array = cast<np::ArrayType>(type);
    std::vector<PyValue> items = list->items;
    SmallVector<Value> extents(array.getRank(), in.ir.index(0));
    extents[0] = in.ir.index(items.size());
    if (!items.empty() && array.getRank() > 1) {
      in.fail("a list of known arrays grows inside a branch or loop", "start with an empty list");
      return PyValue::poison();
    }
    Value buffer = np::EmptyOp::create(
        in.ir, np::ArrayType::get(in.ir.getContext(), array.getShape(), array.getElementType(), true), extents);
    for (auto [position, item] : llvm::enumerate(items)) {
      Type own = item.isRuntime() || item.isObject() || item.is(PyValue::Kind::Slot) ? runtimeType(in, item) : Type();
      if (!own || getElementTypeOrSelf(own) != array.getElementType() ||
          isa<RankedTensorType>(own) == model->isPython) {
        in.fail("a list of " + describe(in, item) + " becomes a list of another type", "let all items have one type");
        return PyValue::poison();
      }
      PyValue present = item;
      if (item.is(PyValue::Kind::Slot))
        present = PyValue::runtime(np::GetOp::create(in.ir, own, item.slot));
      np::StoreOp::create(in.ir, operandAs(in, present, array.getElementType()),
                          in.ir.makeView(buffer, {AxisIndex{AxisIndex::Position, in.ir.index(position), {}, {}, {}}}));
    }
    in.ir.clobber();
    result = model.withItems({PyValue::runtime(buffer), fromIndex(in, in.ir.index(items.size()))});
    result->owner = list->owner;
  }
  result->isShared = isShared;
  return result;
}

/// x.append(y), x.insert(k, y) where x is a name; nothing if that is something else, or done at compile time.
std::optional<PyValue> growList(Interpreter &in, const py::Object &node) {
  py::Object function = node["func"];
  if (py::typeName(function) != "Attribute" || py::typeName(function["value"]) != "Name")
    return std::nullopt;
  std::string name = function["value"].string("id"), method = function.string("attr");
  std::vector<py::Object> arguments = node.list("args");
  if (!(method == "append" && arguments.size() == 1) && !(method == "insert" && arguments.size() == 2))
    return std::nullopt;
  auto found = in.env.frame->bindings.find(name);
  if (!in.env.frame->locals.count(name) || found == in.env.frame->bindings.end() || !isList(found->second) ||
      (found->second.isSequence() && found->second->depth == in.env.depth))
    return std::nullopt;
  PyValue at = method == "insert" ? in.expression(arguments[0]) : PyValue::object(py::none());
  PyValue item = in.expression(arguments.back());
  PyValue list = in.env.readName(function["value"], name);
  if (list.isPoison() || item.isPoison() || at.isPoison())
    return PyValue::poison();
  if (list->owner != in.env.frame.get() || list->isShared || hasOtherName(in.env.frame->bindings, name, list))
    return in.fail("a list that may have another name grows inside a branch or loop",
                   "use an array of the final extent, or make the list where it grows");

  // What its items are.
  int64_t levels = 1;
  bool isPython = false;
  Value value = listItemValue(in, item, levels, isPython);
  if (!value)
    return PyValue::poison();
  Type element = np::getElementType(value.getType());
  int64_t rank = np::getRank(value.getType());
  auto type = np::ArrayType::get(in.ir.getContext(), SmallVector<int64_t>(rank + 1, ShapedType::kDynamic), element,
                                 /*contiguous=*/true);
  if (list.isRuntimeList()) {
    auto held = cast<np::ArrayType>(list->items[0].type());
    if (held.getElementType() != element || held.getRank() != type.getRank() || list->levels != levels ||
        list->isPython != isPython)
      return in.fail("an item of another type is put into a list of " +
                         describe(in, listItem(in, list, in.ir.index(0))),
                     "let all items have one type");
  }
  if (!list.isRuntimeList() || list->items.size() == 1) {
    PyValue slot = PyValue::composite(PyValue::Kind::Slot, nullptr);
    slot.slot = in.env.slotFor("%list" + std::to_string(in.temporaries++), type);
    PyValue model = PyValue::list(slot, levels, isPython);
    model->owner = in.env.frame.get();
    list = growing(in, list, model);
    if (list.isPoison())
      return list;
  }

  // Room for one more.
  Value buffer = list->items[0].ir(), length = toIndex(in, list->items[1]);
  Value slot = in.env.slotFor("%buffer" + std::to_string(in.temporaries++), type);
  np::SetOp::create(in.ir, convertTo(in, list->items[0], type), slot);
  Block *full = in.ir.newBlock(), *go = in.ir.newBlock();
  Value capacity = in.ir.dim(buffer, 0);
  cf::CondBranchOp::create(in.ir, in.ir.compareIndex(arith::CmpIPredicate::sge, length, capacity), full, go);
  in.env.continueIn(full);
  SmallVector<Value> extents{
      arith::MaxSIOp::create(in.ir, in.ir.index(16), arith::MulIOp::create(in.ir, capacity, in.ir.index(2)))};
  llvm::append_range(extents, in.ir.dims(value));
  Value larger = np::EmptyOp::create(in.ir, type, extents);
  auto part = [&](Value array, Value from, Value count) {
    return in.ir.makeView(array, {AxisIndex{AxisIndex::Slice, from, count, in.ir.index(1), {}}});
  };
  if (rank) // an empty list does not know the extents of its items
    for (auto [axis, extent] : llvm::enumerate(in.ir.dims(value))) {
      Value fits =
          arith::OrIOp::create(in.ir, in.ir.compareIndex(arith::CmpIPredicate::eq, length, in.ir.index(0)),
                               in.ir.compareIndex(arith::CmpIPredicate::eq, extent, in.ir.dim(buffer, axis + 1)));
      in.ir.check(fits, "ValueError",
                  "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
                  "dimensions.");
    }
  SmallVector<AxisIndex> old{{AxisIndex::Slice, in.ir.index(0), length, in.ir.index(1), {}}};
  for (int64_t axis = 1; axis <= rank; ++axis)
    old.push_back({AxisIndex::Slice, in.ir.index(0), in.ir.dim(buffer, axis), in.ir.index(1), {}});
  np::StoreOp::create(in.ir, in.ir.load(part(buffer, in.ir.index(0), length)), in.ir.makeView(larger, old));
  in.ir.clobber();
  np::SetOp::create(in.ir, larger, slot);
  cf::BranchOp::create(in.ir, go);
  in.env.continueIn(go);
  buffer = np::GetOp::create(in.ir, type, slot);
  for (auto [axis, extent] : llvm::enumerate(in.ir.dims(value)))
    in.ir.check(
        in.ir.compareIndex(arith::CmpIPredicate::eq, extent, in.ir.dim(buffer, axis + 1)), "ValueError",
        "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.");

  Value position = length;
  if (method == "insert") { // as Python clamps it; what follows moves
    Value wanted = toIndex(in, at);
    if (!wanted)
      return PyValue::poison();
    Value negative = in.ir.compareIndex(arith::CmpIPredicate::slt, wanted, in.ir.index(0));
    Value fromEnd = in.ir.createOrFold<arith::AddIOp>(wanted, length);
    wanted = in.ir.createOrFold<arith::SelectOp>(negative, fromEnd, wanted);
    wanted = in.ir.createOrFold<arith::MaxSIOp>(wanted, in.ir.index(0));
    position = in.ir.createOrFold<arith::MinSIOp>(wanted, length);
    Value rest = in.ir.createOrFold<arith::SubIOp>(length, position);
    Value next = in.ir.createOrFold<arith::AddIOp>(position, in.ir.index(1));
    Value moved = in.ir.load(part(buffer, position, rest));
    np::StoreOp::create(in.ir, moved, part(buffer, next, rest));
    in.ir.clobber();
  }
  np::StoreOp::create(in.ir, value, in.ir.makeView(buffer, {AxisIndex{AxisIndex::Position, position, {}, {}, {}}}));
  in.ir.clobber();
  PyValue grown = PyValue::list(PyValue::runtime(buffer), levels, isPython);
  grown->items.push_back(fromIndex(in, in.ir.createOrFold<arith::AddIOp>(length, in.ir.index(1))));
  grown->owner = in.env.frame.get();
  in.env.frame->bindings[name] = grown;
  return PyValue::object(py::none());
}

/// The names of lists that grow somewhere below a node.
void grownNames(Interpreter &in, const py::Object &node, std::set<std::string> &names) {
  static const py::Object walk = py::lookup("ast.walk");
  for (const py::Object &call : py::elements(py::call(walk, {node}))) {
    if (py::typeName(call) != "Call" || py::typeName(call["func"]) != "Attribute" ||
        py::typeName(call["func"]["value"]) != "Name")
      continue;
    std::string method = call["func"].string("attr"), name = call["func"]["value"].string("id");
    auto found = in.env.frame->bindings.find(name);
    if ((method == "append" || method == "insert") && in.env.frame->locals.count(name) &&
        found != in.env.frame->bindings.end() && isList(found->second))
      names.insert(name);
  }
}

} // namespace npcc::frontend
