#include "frontend/importer/Syntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace npcc::frontend {

/// As ast.iter_child_nodes.
static std::vector<py::Object> childrenOf(const py::Object &node) {
  static const py::Object cls = py::lookup("ast.AST");
  std::vector<py::Object> children;
  for (const py::Object &field : node.list("_fields")) {
    py::Object value = node[py::toString(field.get()).c_str()];
    if (py::isInstance(value, cls))
      children.push_back(value);
    else if (value && PyList_Check(value.get()))
      llvm::copy_if(py::elements(value), std::back_inserter(children),
                    [](const py::Object &item) { return py::isInstance(item, cls); });
  }
  return children;
}

const std::vector<py::Object> &Syntax::nodesIn(const py::Object &node) {
  return nodes.get(node, [](const py::Object &node) {
    std::vector<py::Object> found = {node};
    for (size_t k = 0; k < found.size(); ++k)
      llvm::append_range(found, childrenOf(found[k]));
    return found;
  });
}

/// The names that `:=` binds in a comprehension: they are of the scope around it.
static void addNamed(const py::Object &node, std::set<std::string> &names) {
  std::string type = py::typeName(node);
  if (type == "Lambda")
    return;
  if (type == "NamedExpr")
    names.insert(node["target"].string("id"));
  for (const py::Object &child : childrenOf(node))
    addNamed(child, names);
}

std::set<std::string> Syntax::findAssignedNames(const py::Object &node) {
  static const llvm::StringSet<> comprehensions = {"ListComp", "GeneratorExp", "SetComp", "DictComp"};
  std::string type = py::typeName(node);
  if (type == "Lambda")
    return {};
  if (comprehensions.contains(type)) {
    std::set<std::string> names;
    addNamed(node, names);
    return names;
  }
  if (type == "Name")
    return py::typeName(node["ctx"]) != "Load" ? std::set<std::string>{node.string("id")} : std::set<std::string>();
  if (type == "FunctionDef" || type == "AsyncFunctionDef" || type == "ClassDef")
    return {node.string("name")};
  std::set<std::string> names;
  if (type == "Import" || type == "ImportFrom") {
    for (const py::Object &alias : node.list("names")) {
      std::string as = alias.string("asname"), name = alias.string("name");
      names.insert(!as.empty() ? as : name.substr(0, name.find('.')));
    }
    return names;
  }
  // except E as name; case ... as name, *name.
  if (type == "ExceptHandler" || type == "MatchAs" || type == "MatchStar")
    if (!node["name"].isNone())
      names.insert(node.string("name"));
  for (const py::Object &child : childrenOf(node))
    addAssigned(child, names);
  return names;
}

const std::set<std::string> &Syntax::assignedNames(const py::Object &node) {
  static const std::set<std::string> none;
  if (!node || node.isNone())
    return none;
  return assigned.get(node, [&](const py::Object &node) { return findAssignedNames(node); });
}

void Syntax::addAssigned(const py::Object &node, std::set<std::string> &names) {
  const std::set<std::string> &more = assignedNames(node);
  names.insert(more.begin(), more.end());
}

static void declaredElsewhere(const py::Object &node, std::set<std::string> &names, bool onlyGlobal = false) {
  std::string type = py::typeName(node);
  if (type == "FunctionDef" || type == "Lambda")
    return;
  if (type == "Global" || (type == "Nonlocal" && !onlyGlobal))
    for (const py::Object &name : node.list("names"))
      names.insert(py::toString(name.get()));
  for (const py::Object &child : childrenOf(node))
    declaredElsewhere(child, names, onlyGlobal);
}

const std::set<std::string> &Syntax::globalNames(const py::Object &definition) {
  static const std::set<std::string> none;
  if (!definition || definition.isNone() || py::typeName(definition) != "FunctionDef")
    return none;
  return globals.get(definition, [&](const py::Object &definition) {
    std::set<std::string> names;
    for (const py::Object &statement : definition.list("body"))
      declaredElsewhere(statement, names, /*onlyGlobal=*/true);
    return names;
  });
}

std::set<std::string> Syntax::findLocalNames(const py::Object &definition) {
  std::set<std::string> names;
  py::Object args = definition["args"];
  for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
    for (const py::Object &arg : args.list(group))
      names.insert(arg.string("arg"));
  for (const char *one : {"vararg", "kwarg"})
    if (py::Object arg = args[one]; arg && !arg.isNone())
      names.insert(arg.string("arg"));
  if (py::typeName(definition) == "Lambda") {
    addAssigned(definition["body"], names);
    return names;
  }
  std::set<std::string> elsewhere;
  for (const py::Object &statement : definition.list("body")) {
    addAssigned(statement, names);
    declaredElsewhere(statement, elsewhere);
  }
  for (const std::string &name : elsewhere)
    names.erase(name);
  return names;
}

const std::set<std::string> &Syntax::localNames(const py::Object &definition) {
  return locals.get(definition, [&](const py::Object &definition) { return findLocalNames(definition); });
}

} // namespace npcc::frontend
