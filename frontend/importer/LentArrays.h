#ifndef NPCC_FRONTEND_IMPORTER_LENTARRAYS_H
#define NPCC_FRONTEND_IMPORTER_LENTARRAYS_H
// Arrays of compiled code that are handed to a function of an installed package, which Python runs: plt.plot(x, y). The
// function gets an array of NumPy's with the same elements, and what it has stored there when it returns is stored into
// the array of compiled code too (runtime/Text.h has the routines). So the array and what computes it stay compiled.
//
// The function may keep what it was given. That makes no difference as long as nothing is stored into the array later:
// the import takes it for granted, and looks at the complete function whether it is so. Where it is not, the array is
// an object of Python's, as all others that parts read (Parts.h).
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// An array that the next part is given.
struct LentArray {
  mlir::Value array, object; // the object's number
  mlir::Attribute place;     // what is noted if it may not be lent
};

/// Whether a function is one of NumPy's that Python runs, and that only looks at the arrays it is given: numpy.save. It
/// keeps none of them, so that what the program stores into them later makes no difference.
bool looksAtArrays(const py::Object &function);
/// Whether Python makes a call of NumPy's that cannot be compiled: numpy.bmat(rows), or numpy.tile(x, shape) with a
/// shape of unknown length. It is handed the arrays, as a function of an installed package is.
bool makesCall(const py::Object &function);
/// Whether a call is one of a function of NumPy's or an installed package, of which the program only looks at what it
/// gives.
bool lendsTo(Interpreter &in, const py::Object &call);
/// The object that stands for an array in the call. `place`: where it is noted.
PyValue lend(Interpreter &in, mlir::Value array, const std::string &place, std::vector<LentArray> &lent);
/// Behind the call: takes over what it has stored.
void takeBack(Interpreter &in, llvm::ArrayRef<LentArray> lent);
/// Notes the arrays of the complete function that may not be lent.
void checkLentArrays(Interpreter &in);

} // namespace npcc::frontend
#endif
