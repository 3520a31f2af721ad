#ifndef NPCC_FRONTEND_IMPORTER_DTYPES_H
#define NPCC_FRONTEND_IMPORTER_DTYPES_H
#include "frontend/importer/PythonObject.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>
#include <vector>

namespace npcc::frontend {

/// NumPy's dtypes and the element types of the `np` dialect. NumPy itself is asked for promotions, and its answers
/// kept.
class Dtypes {
public:
  explicit Dtypes(mlir::MLIRContext *context);

  /// The element type of a dtype, null for one that cannot be compiled (strings, objects, longdouble).
  mlir::Type elementType(const py::Object &dtype);
  mlir::Type elementType(llvm::StringRef name);
  py::Object dtype(mlir::Type elementType);
  std::string name(mlir::Type elementType);
  /// Anything numpy.dtype() takes; null if it takes it not.
  py::Object toDtype(const py::Object &object);

  /// ufunc.resolve_dtypes: keys are dtypes or int, float, complex. Empty with an error ("TypeError: ...") if NumPy
  /// refuses. `wanted` is the results' dtype, a signature (a string or a tuple, as ufuncs take it), or null;
  /// `casting`: empty is NumPy's default.
  std::vector<mlir::Type> resolve(const py::Object &ufunc, llvm::ArrayRef<py::Object> keys, const py::Object &wanted,
                                  llvm::StringRef casting, std::string &error);
  /// numpy.result_type of the same keys.
  mlir::Type resultType(llvm::ArrayRef<py::Object> keys);
  bool canCast(mlir::Type from, mlir::Type to, const char *rule);

  py::Object numpy;

private:
  /// The dtype of bfloat16, which the package ml_dtypes has; null if it is not there. `import`: even if the program has not imported it.
  py::Object bfloat16(bool import);

  struct Row {
    const char *name;
    mlir::Type type;
    py::Object dtype;
  };
  std::vector<Row> rows;
  std::map<std::vector<PyObject *>, std::vector<mlir::Type>> resolved;
  std::map<std::vector<PyObject *>, mlir::Type> results;
};

} // namespace npcc::frontend
#endif
