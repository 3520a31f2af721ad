#include "frontend/importer/LateAttributes.h"
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Resumption.h"
#include "frontend/importer/Tables.h"

using namespace mlir;

namespace npcc::frontend {

//===---- What a constructor always sets ----===//

namespace {
/// Reads what a class's constructor sets in the order of its statements. A method that it calls is read, too.
class Constructor {
public:
  Constructor(Interpreter &in, const py::Object &cls) : in(in), mro(cls.list("__mro__")) {
    method("__init__", 0);
    bool isWritten = llvm::StringRef(cls["__init__"]["__code__"].string("co_filename")).starts_with("<");
    if (!cls["__dataclass_fields__"] || !isWritten) // by dataclasses
      return;
    method("__post_init__", 0);
    static const py::Object missing = py::lookup("dataclasses.MISSING");
    for (const py::Object &field : py::elements(py::call(py::lookup("dataclasses.fields"), {cls})))
      if (py::isTrue(field["init"]) || !(field["default"] == missing) || !(field["default_factory"] == missing))
        names.insert(field.string("name"));
  }

  std::set<std::string> names;
  std::set<PyObject *> definitions; // of the constructors that were read

private:
  /// What the first class from `first` on has under the name, if that is a function in a text.
  void method(const std::string &name, size_t first) {
    for (size_t k = first; k < mro.size(); ++k) {
      py::Object found = py::call(mro[k]["__dict__"]["get"], {py::string(name)});
      if (!found || found.isNone())
        continue;
      Source source;
      std::string problem;
      if (py::typeName(found) != "function" || !seen.insert(found.get()).second ||
          !in.sources.find(found, source, problem))
        return;
      std::vector<py::Object> parameters = source.definition["args"].list("args");
      if (parameters.empty() || py::typeName(source.definition) != "FunctionDef")
        return;
      if (name == "__init__")
        definitions.insert(source.definition.get());
      read(source.definition.list("body"), parameters[0].string("arg"), k, names);
      return;
    }
  }

  /// `owner`: the place of the class that has the method among the bases, for super(). False where statements behind
  /// these may not be reached.
  bool read(const std::vector<py::Object> &statements, const std::string &self, size_t owner,
            std::set<std::string> &into) {
    static const py::Object walk = py::lookup("ast.walk");
    for (const py::Object &statement : statements) {
      std::string type = py::typeName(statement);
      if (type == "Assign")
        for (const py::Object &target : statement.list("targets"))
          assigned(target, self, into);
      else if (type == "AnnAssign" && !statement["value"].isNone())
        assigned(statement["target"], self, into);
      else if (type == "With")
        read(statement.list("body"), self, owner, into);
      else if (type == "Expr")
        called(statement["value"], self, owner);
      else if (type == "If") {
        std::set<std::string> first, second;
        read(statement.list("body"), self, owner, first);
        read(statement.list("orelse"), self, owner, second);
        for (const std::string &name : first)
          if (second.count(name))
            into.insert(name);
      }
      for (const py::Object &node : py::elements(py::call(walk, {statement})))
        if (py::typeName(node) == "Return")
          return false;
    }
    return true;
  }

  void assigned(const py::Object &target, const std::string &self, std::set<std::string> &into) {
    std::string type = py::typeName(target);
    if (type == "Tuple" || type == "List")
      for (const py::Object &one : target.list("elts"))
        assigned(one, self, into);
    else if (type == "Attribute" && isName(target["value"], self))
      into.insert(target.string("attr"));
  }

  /// self.method(), super().method() and Base.method(self).
  void called(const py::Object &call, const std::string &self, size_t owner) {
    if (py::typeName(call) != "Call" || py::typeName(call["func"]) != "Attribute")
      return;
    py::Object of = call["func"]["value"];
    std::string name = call["func"].string("attr");
    std::vector<py::Object> arguments = call.list("args");
    if (isName(of, self))
      method(name, 0);
    else if (py::typeName(of) == "Call" && isName(of["func"], "super"))
      method(name, owner + 1);
    else if (!arguments.empty() && isName(arguments[0], self))
      for (auto [k, base] : llvm::enumerate(mro))
        if (isName(of, base.string("__name__")))
          method(name, k);
  }

  static bool isName(const py::Object &node, const std::string &name) {
    return py::typeName(node) == "Name" && node.string("id") == name;
  }

  Interpreter &in;
  std::vector<py::Object> mro;
  std::set<PyObject *> seen;
};
} // namespace

/// The library's containers set all of theirs; generators have their own way (Resumption.h).
static bool isAlwaysSet(Interpreter &in, const PyValue &row, const std::string &name) {
  if (isDictionary(row))
    return isInAllDicts(in, row, name);
  bool isLibrarys = llvm::StringRef(row->cls.string("__module__")).starts_with("npcc.library");
  if (isLibrarys || isOfGenerators(row->cls))
    return true;
  auto known = in.outlines->constructors.find(row->cls.get());
  if (known == in.outlines->constructors.end()) {
    Constructor constructor(in, row->cls);
    known = in.outlines->constructors.insert({row->cls.get(), {constructor.names, constructor.definitions}}).first;
  }
  const auto &[names, definitions] = known->second;
  // One that makes objects of its own class before it is done: these get their attributes first.
  bool isRecursive = llvm::any_of(definitions, [&](PyObject *one) { return in.outlines->recursive.count(one) > 0; });
  return names.count(name) && !isRecursive;
}

//===---- Objects whose constructors run ----===//

static constexpr const char *nameOfNew = "%made"; // in the frame that calls the class

void whileMaking(Interpreter &in, const PyValue &row, llvm::function_ref<void()> construct) {
  std::shared_ptr<Frame> frame = in.env.frame;
  frame->bindings[nameOfNew] = row;
  construct();
  frame->bindings.erase(nameOfNew);
}

bool isBeingMade(Interpreter &in, const PyValue &row) {
  for (const Frame *frame = in.env.frame.get(); frame; frame = frame->caller)
    if (auto made = frame->bindings.find(nameOfNew); made != frame->bindings.end() && made->second.isTabled() &&
                                                     made->second->id == row->id &&
                                                     made->second->items[0] == row->items[0])
      return true;
  return false;
}

//===---- Which objects have got theirs ----===//

static constexpr llvm::StringRef setPrefix = "has "; // which is in no attribute's name

bool isSetKey(llvm::StringRef key) { return key.starts_with(setPrefix); }

static std::string setKey(const std::string &name) { return (setPrefix + name).str(); }

bool mayLack(Interpreter &in, const PyValue &row, const std::string &name) {
  auto found = in.outlines->attributes.find(tableOfRow(in, row));
  return found != in.outlines->attributes.end() && found->second.count(setKey(name));
}

bool noteLate(Interpreter &in, const PyValue &row, const std::string &name) {
  if (mayLack(in, row, name))
    return true;
  if (isAlwaysSet(in, row, name))
    return false;
  in.outlines->attributes[tableOfRow(in, row)].insert(setKey(name));
  in.outlines->foundMore = true;
  return true;
}

PyValue setColumn(Interpreter &in, const PyValue &row, const std::string &name) {
  return tabledColumn(in, row, py::string(setKey(name)));
}

void markSet(Interpreter &in, const PyValue &row, const std::string &name) {
  PyValue column = heldByTable(in, row, py::string(setKey(name)));
  if (!column.isPoison()) // otherwise the next import makes it with the table
    callInLibrary(in, "tables.mark_set", {column, row->items[0]});
}

PyValue isSet(Interpreter &in, const PyValue &row, const std::string &name) {
  PyValue column = heldByTable(in, row, py::string(setKey(name)));
  if (column.isPoison())
    return PyValue::object(py::boolean(true));
  PyValue marks = columnItems(in, column);
  if (marks.isPoison() || marks.isSequence()) // no object has it
    return PyValue::object(py::boolean(false));
  return callInLibrary(in, "tables.is_set", {marks, row->items[0]});
}

} // namespace npcc::frontend
