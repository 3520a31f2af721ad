#include "frontend/importer/Source.h"

namespace npcc::frontend {

namespace {
/// A file's tree, and the definitions in it by name (lambdas as "<lambda>") and line. A function with decorators
/// stands at two lines.
struct Parsed {
  py::Object lines; // as linecache gave them: the same list as long as the file is the same
  std::string text;
  std::map<std::pair<std::string, int64_t>, std::vector<py::Object>> definitions;
};
} // namespace

/// One walk over the tree: a program that calls helpers in a thousand places looks for a thousand definitions.
static void indexDefinitions(const py::Object &tree, Parsed &parsed) {
  static const py::Object walk = py::lookup("ast.walk"), mangle = py::lookup("npcc.private_names.mangle");
  py::call(mangle, {tree});
  parsed.definitions.clear();
  for (const py::Object &one : py::elements(py::call(walk, {tree}))) {
    std::string type = py::typeName(one);
    if (type != "Lambda" && type != "FunctionDef")
      continue;
    std::string name = type == "Lambda" ? "<lambda>" : one.string("name");
    int64_t line = one.integer("lineno"), first = line;
    if (type == "FunctionDef")
      for (const py::Object &decorator : one.list("decorator_list"))
        first = std::min(first, decorator.integer("lineno"));
    parsed.definitions[{name, line}].push_back(one);
    if (first != line)
      parsed.definitions[{name, first}].push_back(one);
  }
}

/// Brings `parsed` up to date; false if the file is no Python.
static bool parseFile(const py::Object &lines, Parsed &parsed, std::string &problem) {
  py::Object text = py::Object::take(PyUnicode_Join(py::string("").get(), lines.get()));
  if (!parsed.lines || parsed.text != py::toString(text.get())) {
    std::string errorType;
    py::Object tree = py::tryCall(py::lookup("ast.parse"), {text}, {}, errorType, problem);
    if (!tree) {
      parsed.lines = py::Object();
      problem = errorType + ": " + problem;
      return false;
    }
    parsed.text = py::toString(text.get());
    indexDefinitions(tree, parsed);
  }
  parsed.lines = lines;
  return true;
}

/// Names of the parameters: what tells lambdas on one line apart.
static std::vector<std::string> parametersOf(const py::Object &definition) {
  std::vector<std::string> names;
  for (const char *group : {"posonlyargs", "args", "kwonlyargs"})
    for (const py::Object &arg : definition["args"].list(group))
      names.push_back(arg.string("arg"));
  return names;
}

bool findSource(const py::Object &function, Source &source, std::string &problem) {
  py::Object code = function["__code__"];
  source.file = code.string("co_filename");
  constexpr int64_t isAsync = 0x80 | 0x200; // inspect.CO_COROUTINE, inspect.CO_ASYNC_GENERATOR
  if (code.integer("co_flags") & isAsync) {
    problem = "async def '" + function.string("__name__") + "' cannot be compiled: use a plain function";
    return false;
  }
  py::Object found = py::call(py::lookup("inspect.findsource"), {function});
  if (!found) {
    problem = "the source of function '" + function.string("__name__") +
              "' cannot be found: Python keeps no text of it. Define it in a file or a notebook";
    return false;
  }
  py::Object lines = py::elements(found)[0];
  std::vector<py::Object> candidates;
  static std::map<std::string, Parsed> files;
  Parsed &parsed = files[source.file];
  static const py::Object made = py::lookup("npcc.definitions.made");
  py::Object definition = py::Object::borrow(PyDict_GetItem(made.get(), code.get()));
  bool isParsed = parsed.lines && parsed.lines.get() == lines.get();
  if (definition) {
    candidates = {definition};
  } else if (!isParsed) {
    static const py::Object alone = py::lookup("npcc.definitions.alone");
    if (py::Object definition = py::call(alone, {code, lines}); definition && !definition.isNone())
      candidates = {definition};
    else if (!parseFile(lines, parsed, problem))
      return false;
  }
  if (candidates.empty()) {
    int64_t line = code.integer("co_firstlineno");
    candidates = parsed.definitions[{function.string("__name__"), line}];
    if (candidates.empty()) // a lambda may have been given a name
      candidates = parsed.definitions[{code.string("co_name"), line}];
  }
  std::vector<py::Object> parameters = code.list("co_varnames");
  size_t count = code.integer("co_argcount") + code.integer("co_kwonlyargcount");
  std::erase_if(candidates, [&](const py::Object &one) {
    std::vector<std::string> names = parametersOf(one);
    if (names.size() != count)
      return true;
    for (size_t k = 0; k < count; ++k)
      if (names[k] != py::toString(parameters[k].get()))
        return true;
    return false;
  });
  if (candidates.size() > 1 && py::typeName(candidates[0]) == "Lambda") {
    static const py::Object chosen = py::lookup("npcc.expressions.lambdas_of");
    candidates = py::elements(py::call(chosen, {code, py::tuple(candidates)}));
  }
  static const py::Object dump = py::lookup("ast.dump");
  for (size_t k = 1; k < candidates.size(); ++k)
    if (py::text(py::call(dump, {candidates[k]})) != py::text(py::call(dump, {candidates[0]}))) {
      problem = "several lambdas on this line: which one is meant cannot be told apart";
      return false;
    }
  if (candidates.empty()) {
    problem = "the source of function '" + function.string("__name__") + "' cannot be found in " + source.file;
    return false;
  }
  source.definition = candidates[0];
  return true;
}

bool Sources::find(const py::Object &function, Source &source, std::string &problem) {
  auto known = found.find(function.get());
  if (known != found.end()) {
    source = known->second.second;
    return true;
  }
  if (!findSource(function, source, problem))
    return false;
  found.insert({function.get(), {function, source}});
  return true;
}

py::Object freeCells(const py::Object &function) {
  py::Object result = py::Object::take(PyDict_New());
  std::vector<py::Object> names = function["__code__"].list("co_freevars"), cells = function.list("__closure__");
  for (size_t k = 0; k < std::min(names.size(), cells.size()); ++k)
    if (cells[k]["cell_contents"])
      PyDict_SetItem(result.get(), names[k].get(), cells[k].get());
  return result;
}

py::Object freeCell(const py::Object &cells, const std::string &name) {
  return cells ? py::Object::borrow(PyDict_GetItemString(cells.get(), name.c_str())) : py::Object();
}

py::Object freeValue(const py::Object &cells, const std::string &name) {
  py::Object cell = freeCell(cells, name);
  return cell ? cell["cell_contents"] : py::Object();
}

} // namespace npcc::frontend
