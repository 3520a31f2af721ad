#include "frontend/importer/MaskedArrays.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

namespace npcc::frontend {

static bool isMaskedArray(const PyValue &value) { // without an import of the module, which most programs do not need
  return value.is(PyValue::Kind::Instance) && value->cls && value->cls.string("__name__") == "Masked" &&
         value->cls.string("__module__") == "npcc.library.masked_arrays";
}

std::optional<PyValue> callOfMaskedArrays(Interpreter &in, const py::Object &callee, Call &call) {
  if (call.args.empty() || !isMaskedArray(call.args[0]))
    return std::nullopt;
  std::string module = callee.string("__module__"), name = callee.string("__name__");
  if (py::typeName(callee) != "ufunc" && module != "numpy")
    return std::nullopt;
  py::Object own = call.args[0]->cls[name.c_str()];
  if (!own || py::typeName(own) != "function")
    if (py::Object masked = py::import("numpy.ma")[name.c_str()])
      own = findLibraryFunction(masked);
  if (!own)
    return in.fail("numpy." + name + "() of a masked array cannot be compiled",
                   "call it with what filled() or compressed() gives");
  PyValue result = callFunction(in, functionOf(in, own, /*isLibrary=*/true), call);
  // What NumPy's own ufuncs give has a mask always.
  return py::typeName(callee) == "ufunc" && isMaskedArray(result)
             ? callInLibrary(in, "masked_arrays.with_mask", {result})
             : result;
}

} // namespace npcc::frontend
