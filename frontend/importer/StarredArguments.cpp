// f(*values) of an array or list whose length is known at run time only: as many arguments as the callee needs, or what
// the call makes of all of them.
#include "frontend/importer/Assignment.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Strings.h"

namespace npcc::frontend {

/// How many positional arguments a callee needs: those without a default. Nothing where it takes any number, or it is
/// not known.
static std::optional<int64_t> neededArguments(Interpreter &in, const PyValue &callee) {
  if (callee.is(PyValue::Kind::Function)) {
    py::Object args = callee->definition["args"];
    if (!args["vararg"].isNone())
      return std::nullopt;
    size_t positional = args.list("posonlyargs").size() + args.list("args").size();
    return llvm::count_if(llvm::ArrayRef<PyValue>(callee->items).take_front(positional),
                          [](const PyValue &one) { return one.is(PyValue::Kind::Unbound); });
  }
  if (!callee.isObject())
    return std::nullopt;
  std::string error, message;
  py::Object count =
      py::tryCall(py::lookup("npcc.library.arguments.needed"), {callee.object()}, {}, error, message);
  return count && !count.isNone() ? py::asInteger(count) : std::nullopt;
}

/// zip(*rows): the columns. Of tuples there are as many as a tuple has items.
static PyValue columnsOf(Interpreter &in, const PyValue &rows) {
  if (!rows.isRows() || rows->id)
    return callInLibrary(in, "arguments.columns", {rows});
  std::vector<PyValue> columns;
  for (const PyValue &column : rows->items) {
    columns.push_back(listOf(in, column));
    if (columns.back().isPoison())
      return columns.back();
    columns.back() = columns.back().asTuple();
  }
  return PyValue::sequence(std::move(columns));
}

/// Whether the callee makes something of all items, however many there are; then it is that.
static std::optional<PyValue> callOnAll(Interpreter &in, const PyValue &callee, const PyValue &values, Call &call) {
  auto isBuiltin = [&](const char *name) {
    return callee.isObject() && callee.object() == py::import("builtins")[name];
  };
  if (isBuiltin("max") || isBuiltin("min")) {
    call.args = {values};
    return callValue(in, callee, call);
  }
  if (isBuiltin("print")) {
    PyValue separator = PyValue::object(py::string(" "));
    for (auto &[name, value] : call.keywords)
      if (name == "sep" && !value.isNone())
        separator = value;
    call.args = {callInLibrary(in, "strings.spaced", {values, separator})};
    return call.args[0].isPoison() ? call.args[0] : callValue(in, callee, call);
  }
  if (isBuiltin("zip"))
    return columnsOf(in, values);
  return std::nullopt;
}

std::optional<PyValue> callWithStarred(Interpreter &in, const PyValue &callee, const std::vector<py::Object> &nodes,
                                       Call &call) {
  size_t starred = 0;
  for (const py::Object &node : nodes)
    starred += py::typeName(node) == "Starred";
  for (const py::Object &node : nodes) {
    if (py::typeName(node) != "Starred") {
      call.args.push_back(in.expression(node));
      continue;
    }
    PyValue values = in.env.bound(unboxed(in, in.expression(node["value"])));
    std::vector<PyValue> items;
    if (values.isPoison())
      return values;
    bool isOpen = isRuntimeLength(values) || isRuntimeString(values) || (values.isArray() && values.rank() > 0);
    if (!isOpen) {
      if (!unpack(in, values, -1, items))
        return PyValue::poison();
    } else {
      if (nodes.size() == 1)
        if (std::optional<PyValue> result = callOnAll(in, callee, values, call))
          return *result;
      std::optional<int64_t> needed = starred == 1 ? neededArguments(in, callee) : std::nullopt;
      int64_t others = static_cast<int64_t>(nodes.size()) - 1;
      if (!needed || *needed < others)
        return in.fail("how many arguments '*' gives is not known when this call is compiled",
                       "give them one by one, or the array itself");
      if (!unpack(in, values, *needed - others, items))
        return PyValue::poison();
    }
    llvm::append_range(call.args, items);
  }
  return std::nullopt;
}

} // namespace npcc::frontend
