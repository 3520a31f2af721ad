#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/MixedLists.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/Tables.h"

using namespace mlir;

namespace npcc::frontend {

std::string siteOfAttribute(const std::string &table, const std::string &name) { return table + "." + name; }

/// Whether all objects have it in common, or it may be None: what it is then, only the objects of a table tell.
static bool isOfTableOnly(Interpreter &in, const PyValue &held) {
  switch (held.kind()) {
  case PyValue::Kind::Poison:
  case PyValue::Kind::Unbound:
  case PyValue::Kind::Conflict:
  case PyValue::Kind::Union:
  case PyValue::Kind::Function:
  case PyValue::Kind::Method:
    return true;
  default:
    return held.isNone() || (isDictionary(held) && !canBeTabled(in, held)) ||
           (held.isObject() && PyCallable_Check(held.object().get()));
  }
}

/// What an object holds, by the names that the attributes of a table have.
static std::vector<std::pair<std::string, PyValue>> heldByName(Interpreter &in, const PyValue &object) {
  std::vector<std::pair<std::string, PyValue>> held;
  if (isDictionary(object)) {
    for (const py::Object &key : py::elements(boundKeys(in, object).object()))
      if (std::optional<PyValue> value = boundHeld(in, object, key))
        held.emplace_back(py::toString(key.get()), *value);
    return held;
  }
  std::string prefix = "@" + std::to_string(object->id) + ".";
  const Bindings &bindings = in.env.frame->bindings;
  for (auto at = bindings.lower_bound(prefix); at != bindings.end() && StringRef(at->first).starts_with(prefix); ++at)
    held.emplace_back(at->first.substr(prefix.size()), at->second);
  return held;
}

void noteAttributes(Interpreter &in, const std::string &table, const PyValue &object) {
  for (const auto &[name, held] : heldByName(in, object)) {
    if (isOfTableOnly(in, held))
      continue;
    if (canBeTabled(in, held))
      noteTabled(in, held);
    else if (std::string kind = arrayKind(in, held); !kind.empty())
      noteKinds(in, siteOfAttribute(table, name), {kind});
    in.outlines->attributes[table].insert(name);
  }
}

} // namespace npcc::frontend
