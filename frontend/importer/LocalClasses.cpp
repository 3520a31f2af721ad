// Class statements in compiled functions, and the named tuples that they make: Python makes the class when the function
// is compiled, once for each place in the source.
#include "frontend/importer/Boxes.h"
#include "frontend/importer/Calls.h"
#include "frontend/importer/Known.h"

namespace npcc::frontend {

/// The class of a place, as long as what it was made of is the same.
static py::Object madeOnce(const std::string &place, const std::vector<py::Object> &parts,
                           llvm::function_ref<py::Object()> make) {
  struct Made {
    std::vector<py::Object> parts; // which are kept, so that no other object has their address
    py::Object cls;
  };
  static std::map<std::string, Made> known;
  Made &made = known[place];
  if (!made.cls || !llvm::equal(made.parts, parts))
    made = {parts, make()};
  return made.cls;
}

void classStatement(Interpreter &in, const py::Object &node) {
  static const py::Object namesRead = py::lookup("npcc.local_classes.names_read"),
                          define = py::lookup("npcc.local_classes.define");
  py::Object names = py::Object::take(PyDict_New());
  std::vector<py::Object> parts{node};
  for (const py::Object &one : py::elements(py::call(namesRead, {node}))) {
    std::string name = py::toString(one.get());
    for (Frame *scope = in.env.frame.get(); scope; scope = scope->parent.get()) {
      py::Object found;
      if (auto bound = scope->bindings.find(name); scope->locals.count(name) && bound != scope->bindings.end()) {
        found = bound->second.isObject() ? bound->second.object() : py::Object();
        bool isFixed =
            found && (PyType_Check(found.get()) || PyModule_Check(found.get()) || PyCallable_Check(found.get()));
        if (!isFixed) {
          in.fail("the class '" + node.string("name") + "' looks for '" + name + "' in the function around it",
                  "give it to the class's methods as an argument");
          return;
        }
      } else if (scope->closure) {
        found = freeValue(scope->closure, name);
      }
      if (!found)
        continue;
      PyDict_SetItem(names.get(), one.get(), found.get());
      parts.push_back(found);
      break;
    }
  }
  std::string error, message;
  py::Object cls = madeOnce(siteOf(in, node), parts, [&] {
    py::Object globals = in.env.frame->globals ? in.env.frame->globals : py::Object::take(PyDict_New());
    return py::tryCall(define, {node, py::string(in.env.frame->file), globals, names}, {}, error, message);
  });
  if (!cls) {
    in.fail(error + ": " + message);
    return;
  }
  in.env.bindName(node.string("name"), PyValue::object(cls));
}

PyValue newNamedTuple(Interpreter &in, Call &call) {
  static const py::Object namedTuple = py::lookup("collections.namedtuple");
  std::vector<py::Object> args;
  std::string place = siteOf(in, call.node ? call.node : in.currentNode);
  for (const PyValue &arg : call.args) {
    args.push_back(asObject(in, arg));
    if (!args.back())
      return in.fail("the fields of a named tuple must be known at compile time");
    place += " " + py::repr(args.back());
  }
  py::Object keywords = py::Object::take(PyDict_New());
  for (const auto &[name, value] : call.keywords) {
    py::Object known = asObject(in, value);
    if (!known)
      return in.fail("the fields of a named tuple must be known at compile time");
    PyDict_SetItemString(keywords.get(), name.c_str(), known.get());
    place += " " + name + "=" + py::repr(known);
  }
  std::string error, message;
  py::Object cls = madeOnce(place, {}, [&] { return py::tryCall(namedTuple, args, keywords, error, message); });
  return cls ? PyValue::object(cls) : in.fail(error + ": " + message);
}

} // namespace npcc::frontend
