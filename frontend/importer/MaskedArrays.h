#ifndef NPCC_FRONTEND_IMPORTER_MASKEDARRAYS_H
#define NPCC_FRONTEND_IMPORTER_MASKEDARRAYS_H
// Arrays of numpy.ma, objects of a class of the library's (npcc/library/masked_arrays.py), in NumPy's own functions.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

/// A call of one of NumPy's functions with a masked array first, which NumPy leaves to the array: `np.mean(m)` is its
/// method, `np.sqrt(m)` the function of that name in numpy.ma. Nothing for other calls.
std::optional<PyValue> callOfMaskedArrays(Interpreter &in, const py::Object &callee, Call &call);

} // namespace npcc::frontend
#endif
