#include "frontend/importer/Enumerations.h"
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"

namespace npcc::frontend {

bool isEnumeration(const py::Object &cls) {
  static const py::Object enumerations = py::lookup("enum.EnumMeta"), flags = py::lookup("enum.Flag"),
                          missing = py::lookup("enum.Enum")["_missing_"]["__func__"];
  bool isOne = PyType_Check(cls.get()) && py::isInstance(cls, enumerations);
  return isOne && !py::isTrue(py::call(py::import("builtins")["issubclass"], {cls, flags})) &&
         cls["_missing_"]["__func__"] == missing && cls["__members__"] && py::isTrue(cls["__members__"]);
}

PyValue callEnumeration(Interpreter &in, const py::Object &cls, Call &call) {
  bool isOfValue = call.args.size() == 1 && call.keywords.empty();
  if (!isOfValue)
    return in.fail("a call of an enumeration takes one value in compiled code");
  PyValue value = in.env.bound(call.args[0]);
  py::Object known = asObject(in, value);
  if (!known)
    return callInLibrary(in, "enumerations.member_of", {PyValue::object(cls), value});
  std::string error, message;
  py::Object member = py::tryCall(cls, {known}, {}, error, message);
  return member ? PyValue::object(member) : in.fail(error + ": " + message);
}

} // namespace npcc::frontend
