// What compiled code computes of an expression or statement that Python runs (Parts.h).
#include "frontend/importer/Boxes.h"
#include "frontend/importer/LentArrays.h"
#include "frontend/importer/PartArguments.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Strings.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

/// Whether compiled code has more of a value than a number or a string.
static bool isCompiled(const PyValue &value) {
  return value.isArray() || value.is(PyValue::Kind::Function) || value.isRecords() ||
         (!isPythons(value) && !isNumbered(value) &&
          (value.is(PyValue::Kind::Instance) || value.isRuntimeList() || value.isRows() ||
           (value.isSequence() && value->isList)));
}

namespace {
/// How a part is given an array of compiled code.
enum class Giving {
  Shared, // not at all: the array has to be Python's
  Lent,   // an argument of a function that may be handed one (LentArrays.h)
  Copied, // that something only looks at: x.tolist(), np.save(name, x)
};

/// An expression in a part that compiled code computes.
struct CompiledExpression {
  py::Object node;
  Giving giving;
};
} // namespace

/// The largest expressions in a node that are always evaluated, with arrays and containers of compiled code, and
/// without objects of Python's.
static void findCompiled(Interpreter &in, const py::Object &node, bool isWhole, Giving giving,
                         std::vector<CompiledExpression> &found) {
  static const std::set<std::string> values = {"Call", "Subscript", "Attribute", "BinOp", "UnaryOp", "Compare"};
  std::string type = py::typeName(node);
  if (type == "Name" && giving != Giving::Shared) {
    auto held = in.env.frame->bindings.find(node.string("id"));
    if (held != in.env.frame->bindings.end() && in.env.bound(held->second).isArray())
      found.push_back({node, giving});
    return;
  }
  if (!isWhole && values.count(type) && (!node["ctx"] || py::typeName(node["ctx"]) == "Load") && !isPart(in, node)) {
    bool isOne = llvm::any_of(in.syntax.nodesIn(node), [&](const py::Object &one) {
      if (py::typeName(one) != "Name")
        return false;
      auto held = in.env.frame->bindings.find(one.string("id"));
      return held != in.env.frame->bindings.end() && isCompiled(held->second);
    });
    if (isOne)
      found.push_back({node, giving});
    return;
  }
  // What is evaluated sometimes, or many times, stays where it is.
  static const std::map<std::string, std::vector<const char *>> always = {{"Call", {"args", "keywords"}},
                                                                          {"keyword", {"value"}},
                                                                          {"Subscript", {"value", "slice"}},
                                                                          {"Attribute", {"value"}},
                                                                          {"BinOp", {"left", "right"}},
                                                                          {"UnaryOp", {"operand"}},
                                                                          {"Compare", {"left", "comparators"}},
                                                                          {"List", {"elts"}},
                                                                          {"Tuple", {"elts"}},
                                                                          {"Set", {"elts"}},
                                                                          {"Dict", {"keys", "values"}},
                                                                          {"JoinedStr", {"values"}},
                                                                          {"FormattedValue", {"value"}},
                                                                          {"Starred", {"value"}},
                                                                          {"Slice", {"lower", "upper", "step"}},
                                                                          {"Assign", {"targets", "value"}},
                                                                          {"AugAssign", {"value"}},
                                                                          {"Expr", {"value"}},
                                                                          {"Raise", {"exc"}}};
  auto parts = always.find(type);
  if (parts == always.end())
    return;
  static const std::set<std::string> makingObjects = {"tolist", "item", "tobytes"};
  if (type == "Call" && py::typeName(node["func"]) == "Attribute") // a method's object, not the method
    findCompiled(in, node["func"]["value"], false,
                 makingObjects.count(node["func"].string("attr")) ? Giving::Copied : Giving::Shared, found);
  static const std::set<std::string> displays = {"Tuple", "List", "keyword"};
  Giving inside = Giving::Shared;
  if (type == "Call")
    inside = looksAtArrays(functionCalled(in, node)) ? Giving::Copied : lendsTo(in, node) ? Giving::Lent : inside;
  else if (displays.count(type))
    inside = giving;
  for (const char *part : parts->second) {
    py::Object value = node[part];
    if (!value || value.isNone())
      continue;
    if (PyList_Check(value.get())) {
      for (const py::Object &one : py::elements(value))
        if (!one.isNone())
          findCompiled(in, one, false, inside, found);
    } else {
      findCompiled(in, value, false, inside, found);
    }
  }
}

/// What is noted of an expression whose array may not be lent after all.
static std::string placeOf(Interpreter &in, const py::Object &node) {
  std::string name = py::typeName(node) == "Name" ? placeOfName(in, node.string("id")) : "";
  return name.empty() ? "site " + siteOf(in, node) : name;
}

py::Object withCompiled(Interpreter &in, const py::Object &node, PartArguments &arguments) {
  std::vector<CompiledExpression> found;
  findCompiled(in, node, true, Giving::Shared, found);
  if (found.empty())
    return node;
  size_t first = in.diagnostics.size();
  std::vector<py::Object> nodes;
  for (const auto &[one, giving] : found) {
    PyValue value = in.expression(one);
    if (value.isPoison())
      return {};
    std::string name = "compiled_" + std::to_string(nodes.size());
    nodes.push_back(one);
    bool isArray = value.isArray() && !value.tensorType();
    if (isArray && giving == Giving::Lent)
      value = lend(in, value.ir(), placeOf(in, one), arguments.lent);
    if (isArray && giving == Giving::Copied)
      value = pythonObject(arrayText(in, value.ir(), 'o')->items[0]);
    bool isSeveral = value.is(PyValue::Kind::Union) && llvm::any_of(value->items, isCompiled);
    if (isSeveral || (isCompiled(value) && !value.tensorType())) { // others may have it, too
      in.outlines->foundMore |= in.outlines->parts->sites.insert(siteOf(in, one)).second;
      in.fail(one, describe(in, value) + " of compiled code cannot be an object of Python's");
      return {};
    }
    if (!arguments.add(name, value, ""))
      return {};
  }
  if (in.diagnostics.size() > first)
    return {};
  return py::call(py::lookup("npcc.objects.with_names"), {node, py::list(nodes)});
}

} // namespace npcc::frontend
