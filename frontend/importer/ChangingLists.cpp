// Methods of lists that change how long they are, on the one name of a list in a branch or loop: the name is bound to
// the list as it is afterwards.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Values.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace npcc::frontend {

PyValue shortened(Interpreter &in, const PyValue &list, const std::string &method, const PyValue &at, PyValue &given) {
  Value length = listLength(in, list), one = in.ir.index(1), left = in.ir.index(0), position;
  if (method == "pop") {
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, length, left), "IndexError", "pop from empty list");
    Value wanted = at.isNone() ? in.ir.index(-1) : toIndex(in, at);
    if (!wanted)
      return PyValue::poison();
    position = in.ir.fromEnd(wanted, length);
    Value isInside = in.ir.createOrFold<arith::AndIOp>(in.ir.compareIndex(arith::CmpIPredicate::sge, position, left),
                                                       in.ir.compareIndex(arith::CmpIPredicate::slt, position, length));
    in.ir.check(isInside, "IndexError", "pop index out of range");
    given = in.env.bound(listItem(in, list, position));
    left = in.ir.createOrFold<arith::SubIOp>(length, one);
  }
  std::function<PyValue(const PyValue &)> shorten = [&](const PyValue &part) -> PyValue {
    if (part.isRows()) {
      std::vector<PyValue> columns;
      for (const PyValue &column : part->items)
        columns.push_back(shorten(column));
      return part.withItems(std::move(columns));
    }
    if (method == "pop" && !at.isNone()) { // what follows moves
      Value next = in.ir.createOrFold<arith::AddIOp>(position, one),
            rest = in.ir.createOrFold<arith::SubIOp>(left, position);
      auto slice = [&](Value from) {
        return in.ir.makeView(part->items[0].ir(), {AxisIndex{AxisIndex::Slice, from, rest, one, {}}});
      };
      Value moved = in.ir.newArray(in.ir.load(slice(next)));
      np::StoreOp::create(in.ir, in.ir.load(moved), slice(position));
      in.ir.clobber();
    }
    return part.withItems({part->items[0], fromIndex(in, left)});
  };
  return shorten(list);
}

/// Items of a list that a loop carries one by one.
static constexpr size_t mostCarried = 32;

void detach(Interpreter &in, const std::string &name, const PyValue &position) {
  auto found = in.env.frame->bindings.find(name);
  if (!in.env.frame->locals.count(name) || found == in.env.frame->bindings.end() || !found->second.isSequence() ||
      !found->second->isList || found->second->items.empty() || found->second->depth == in.env.depth)
    return;
  PyValue list = in.env.readName(in.currentNode, name);
  if (list.isPoison() || !isOwnList(in, name, list))
    return;
  bool isKnown = asInteger(in, position) && list->items.size() <= mostCarried;
  PyValue detached = isKnown ? PyValue::sequence(list->items, true) : ofRuntimeLength(in, list);
  if (detached.isPoison())
    return;
  if (isKnown)
    detached->depth = in.env.depth;
  detached->owner = in.env.frame.get();
  detached->site = list->site;
  in.env.frame->bindings[name] = detached;
}

/// Methods that change how long a list is, on a name; nothing if the call is something else, or done at compile time.
std::optional<PyValue> growList(Interpreter &in, const py::Object &node) {
  py::Object function = node["func"];
  if (py::typeName(function) != "Attribute" || py::typeName(function["value"]) != "Name")
    return std::nullopt;
  std::string name = function["value"].string("id"), method = function.string("attr");
  std::vector<py::Object> arguments = node.list("args");
  if (method == "sort" || method == "reverse") {
    detach(in, name, PyValue::poison()); // what follows finds a list of run-time length
    return std::nullopt;
  }
  bool isTaken = method == "pop"      ? arguments.size() <= 1
                 : method == "remove" ? arguments.size() == 1
                                      : method == "clear" && arguments.empty();
  if (!(method == "append" && arguments.size() == 1) && !(method == "extend" && arguments.size() == 1) &&
      !(method == "insert" && arguments.size() == 2) && !isTaken)
    return std::nullopt;
  auto found = in.env.frame->bindings.find(name);
  if (!in.env.frame->locals.count(name) || found == in.env.frame->bindings.end() || !isList(found->second) ||
      (found->second.isSequence() && found->second->depth == in.env.depth))
    return std::nullopt;
  std::string site = found->second->site; // the arguments may lead to other bindings
  PyValue none = PyValue::object(py::none());
  PyValue at = method == "insert" || (isTaken && !arguments.empty()) ? in.expression(arguments[0]) : none;
  PyValue item = isTaken ? none : in.expression(arguments.back());
  PyValue list = in.env.readName(function["value"], name);
  if (list.isPoison() || item.isPoison() || at.isPoison())
    return PyValue::poison();
  if (!isOwnList(in, name, list))
    return needsBox(in, list, "a list that may have another name grows inside a branch or loop",
                    "use an array of the final extent, or make the list where it grows");
  PyValue given = none;
  if (isTaken) {
    if (list.isSequence() && list->items.empty())
      return in.fail("IndexError: pop from empty list");
    if (!isGrown(list)) {
      // As if its first item had been appended once: that says what its items are.
      list = ofRuntimeLength(in, list);
      if (list.isPoison())
        return list;
    }
    if (method == "remove")
      at = callIteration(in, "position_of", {list, at, PyValue::object(py::string("list.remove(x): x not in list"))});
    if (at.isPoison())
      return at;
    list = shortened(in, list, method == "clear" ? method : "pop", at, given);
    if (method == "remove")
      given = none;
  } else if (method == "extend") {
    list = extended(in, name, list, item);
  } else {
    list = appended(in, list, item, at);
  }
  if (list.isPoison())
    return list;
  list->owner = in.env.frame.get();
  list->site = site;
  in.env.frame->bindings[name] = list;
  return given;
}

/// The names of lists that grow, and of arrays that get another shape, somewhere below a node.
void grownNames(Interpreter &in, const py::Object &node, std::set<std::string> &names) {
  for (const py::Object &call : in.syntax.nodesIn(node)) {
    if (py::typeName(call) == "Subscript" && py::typeName(call["ctx"]) == "Store" &&
        py::typeName(call["value"]) == "Name") {
      std::string name = call["value"].string("id"); // l[k] = x
      auto list = in.env.frame->bindings.find(name);
      if (in.env.frame->locals.count(name) && list != in.env.frame->bindings.end() && list->second.isSequence() &&
          list->second->isList)
        names.insert(name);
    }
    bool isShape = py::typeName(call) == "Attribute" && py::typeName(call["ctx"]) == "Store" &&
                   call.string("attr") == "shape" && py::typeName(call["value"]) == "Name";
    if (isShape) { // a.shape = x
      auto array = in.env.frame->bindings.find(call["value"].string("id"));
      if (array != in.env.frame->bindings.end() && array->second.arrayType())
        names.insert(array->first);
    }
    if (py::typeName(call) != "Call" || py::typeName(call["func"]) != "Attribute" ||
        py::typeName(call["func"]["value"]) != "Name")
      continue;
    std::string method = call["func"].string("attr"), name = call["func"]["value"].string("id");
    auto found = in.env.frame->bindings.find(name);
    bool changes = method == "append" || method == "insert" || method == "extend" || method == "pop" ||
                   method == "clear" || method == "remove" || method == "sort" || method == "reverse";
    if (changes && in.env.frame->locals.count(name) && found != in.env.frame->bindings.end() && isList(found->second))
      names.insert(name);
  }
}

} // namespace npcc::frontend
