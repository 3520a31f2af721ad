#include "frontend/importer/Findings.h"

namespace npcc::frontend {

namespace {
/// A request, as far as it decides what is found. It keeps nothing alive.
struct Of {
  py::Object function; // a weak reference
  PyObject *definition = nullptr;
  std::vector<ParamType> params;
  std::vector<PyObject *> constants;

  static Of request(const ImportRequest &request) {
    PyObject *reference = request.function ? PyWeakref_NewRef(request.function, nullptr) : nullptr;
    return {py::Object::take(reference), request.definition, request.params, request.constants};
  }
  bool is(const ImportRequest &request) const {
    bool isFunction = function && request.function && PyWeakref_GetObject(function.get()) == request.function;
    bool isDefinition = !function && !request.function && definition && definition == request.definition;
    return (isFunction || isDefinition) && params == request.params && constants == request.constants;
  }
};

std::pair<Of, LatestImport> latest; // under the GIL
} // namespace

LatestImport latestImport(const ImportRequest &request) {
  if (!latest.first.is(request))
    return {};
  LatestImport import = latest.second;
  import.findings.constants.clear(); // objects that globals may have been bound to anew
  return import;
}

void keepImport(const ImportRequest &request, LatestImport import) {
  latest = {Of::request(request), std::move(import)};
}

} // namespace npcc::frontend
