#include "frontend/importer/Namespaces.h"

namespace npcc::frontend {

static const py::Object &namespaceClass() {
  static const py::Object cls = py::lookup("types.SimpleNamespace");
  return cls;
}

bool isNamespaceClass(const py::Object &cls) { return cls["__new__"]["__self__"] == namespaceClass(); }

bool doesAsNamespace(const py::Object &cls, const char *method) {
  return isNamespaceClass(cls) && cls[method] == namespaceClass()[method];
}

bool fillNamespace(Interpreter &in, const PyValue &instance, const Call &call) {
  if (!call.args.empty()) {
    in.fail("TypeError: no positional arguments expected");
    return false;
  }
  for (const auto &[name, value] : call.keywords)
    storeHeld(in, instance, py::string(name), value);
  return true;
}

std::string shownNameOf(const py::Object &cls) {
  return cls == namespaceClass() ? "namespace" : cls.string("__name__");
}

} // namespace npcc::frontend
