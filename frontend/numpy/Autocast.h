#ifndef NPCC_FRONTEND_NUMPY_AUTOCAST_H
#define NPCC_FRONTEND_NUMPY_AUTOCAST_H
// npcc.autocast: products in a narrow float, sums and steep functions in float32, as Autocast.def lists them.

#include "frontend/importer/Calls.h"

#include <optional>

namespace npcc::frontend {

/// While it lives, `in` imports with another autocast, null for none. What a function is made of is imported without:
/// its operands were converted.
class AutocastScope {
public:
  AutocastScope(Interpreter &in, mlir::Type narrow) : in(in), saved(in.autocast) { in.autocast = narrow; }
  ~AutocastScope() { in.autocast = saved; }
  AutocastScope(const AutocastScope &) = delete;
  AutocastScope &operator=(const AutocastScope &) = delete;

private:
  Interpreter &in;
  mlir::Type saved;
};

/// The call with its operands converted as the rule for the function says; nothing where autocast is not in force or
/// has no rule for it.
std::optional<PyValue> callAutocast(Interpreter &in, const py::Object &function, Call &call);
/// The same for operands of an elementwise function that is applied without a call: x ** y.
void autocastOperands(Interpreter &in, const py::Object &ufunc, llvm::MutableArrayRef<PyValue> operands);
/// The narrow float that an object of npcc.autocast names, null where it is not enabled; nothing for other objects.
std::optional<mlir::Type> autocastOf(Interpreter &in, const py::Object &context);

} // namespace npcc::frontend
#endif
