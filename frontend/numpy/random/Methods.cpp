// Which function of npcc.library.random a method of a generator is.
#include "dialects/Np/Random.h"
#include "frontend/importer/StringArrays.h"
#include "frontend/numpy/random/Random.h"

using namespace mlir;

namespace npcc::frontend {

bool refuseGenerators(Interpreter &in, const Call &call, StringRef function) {
  auto refuse = [&](const PyValue &value) {
    if (value.isGenerator())
      in.fail(function + "() of " + describe(in, value) + " cannot be compiled");
    return value.isGenerator();
  };
  return llvm::any_of(call.args, refuse) ||
         llvm::any_of(call.keywords, [&](const auto &keyword) { return refuse(keyword.second); });
}

std::vector<std::pair<std::string, py::Object>> generatorMethods() {
  std::vector<std::pair<std::string, py::Object>> result;
  py::Object methods = py::import("npcc.library.random")["METHODS"];
  for (const py::Object &kind : py::elements(methods)) {
    py::Object ofKind = py::Object::borrow(PyDict_GetItem(methods.get(), kind.get()));
    for (const py::Object &name : py::elements(ofKind))
      result.emplace_back((py::text(kind) == "Random" ? "random." : "numpy.random." + py::text(kind) + ".") +
                              py::text(name),
                          py::Object::borrow(PyDict_GetItem(ofKind.get(), name.get())));
  }
  return result;
}

/// Null if there is none.
static py::Object findGeneratorMethod(StringRef kind, const std::string &name) {
  static const py::Object methods = py::import("npcc.library.random")["METHODS"];
  PyObject *ofKind = methods ? PyDict_GetItemString(methods.get(), kind.str().c_str()) : nullptr;
  return py::Object::borrow(ofKind ? PyDict_GetItemString(ofKind, name.c_str()) : nullptr);
}

/// A method of random.Random that is Python's own source; null if there is none.
static py::Object methodInPython(StringRef kind, const std::string &name) {
  py::Object found = kind == "Random" ? py::lookup("random.Random")[name.c_str()] : py::Object();
  return found && py::typeName(found) == "function" ? found : py::Object();
}

static PyValue callMethodOf(Interpreter &in, StringRef kind, const PyValue &generator, const std::string &name,
                            Call &call) {
  if (std::optional<PyValue> result = callGeneratorWithStrings(in, generator, name, call))
    return *result;
  py::Object method = findGeneratorMethod(kind, name);
  call.args.insert(call.args.begin(), generator);
  if (py::Object pythons = method ? py::Object() : methodInPython(kind, name))
    return callFunction(in, functionOf(in, pythons), call);
  if (!method)
    return in.fail(kind == "Random" ? "random.Random." + Twine(name) + " cannot be compiled"
                                    : "numpy.random." + kind + "." + name + " cannot be compiled",
                   "npcc.supported() lists the functions that can");
  return callFunction(in, functionOf(in, method, true), call);
}

std::optional<PyValue> callGeneratorMethod(Interpreter &in, const py::Object &callee, Call &call) {
  if (!PyCallable_Check(callee.get()) || PyType_Check(callee.get()))
    return std::nullopt;
  py::Object self = callee["__self__"];
  std::string kind = self ? py::typeName(self) : "";
  static const py::Object pythons = py::lookup("random.Random");
  if (self && py::Object::borrow(reinterpret_cast<PyObject *>(Py_TYPE(self.get()))) == pythons) {
    std::string name = callee.string("__name__"); // what is not here is Python's own source
    return findGeneratorMethod(kind, name) ? std::optional(callMethodOf(in, kind, PyValue::object(self), name, call))
                                           : std::nullopt;
  }
  // Where numpy.random was never imported, there is no object of its.
  if ((kind != "Generator" && kind != "RandomState") ||
      !StringRef(py::Object::borrow(reinterpret_cast<PyObject *>(Py_TYPE(self.get()))).string("__module__"))
           .starts_with("numpy.random"))
    return std::nullopt;
  return callMethodOf(in, kind, PyValue::object(self), callee.string("__name__"), call);
}

PyValue generatorMethod(Interpreter &in, const PyValue &generator, const std::string &name) {
  StringRef kind = cast<np::GeneratorType>(generator.type()).getKind();
  if (kind == "Generator" && name == "bit_generator") { // the same state under another class
    auto type = np::GeneratorType::get(in.ir.getContext(), "BitGenerator");
    return PyValue::runtime(np::NewGeneratorOp::create(in.ir, type, "", "share", generator.ir(), Value()));
  }
  if (!findGeneratorMethod(kind, name) && !methodInPython(kind, name)) {
    std::string cls = (kind == "Random" ? "random." : "numpy.random.") + kind.str();
    py::Object known = py::lookup(cls);
    if (known && known[name.c_str()])
      return in.fail(cls + "." + name + " cannot be compiled",
                     "npcc.supported() lists the functions and methods that can");
    return in.fail("AttributeError: '" + cls + "' object has no attribute '" + name + "'");
  }
  auto data = std::make_shared<Composite>();
  data->items.push_back(generator);
  data->name = name;
  return PyValue::composite(PyValue::Kind::Method, data);
}

PyValue callGeneratorMethod(Interpreter &in, const PyValue &generator, const std::string &name, Call &call) {
  return callMethodOf(in, cast<np::GeneratorType>(generator.type()).getKind(), generator, name, call);
}

bool isGeneratorOfPython(const PyValue &value) {
  return value.isGenerator() && cast<np::GeneratorType>(value.type()).getKind() == "Random";
}

} // namespace npcc::frontend
