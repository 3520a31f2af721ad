#ifndef NPCC_FRONTEND_IMPORTER_IMPORTER_H
#define NPCC_FRONTEND_IMPORTER_IMPORTER_H
// From a Python function and the types of its parameters to a function of the `np` dialect (docs/design.md, "import").
// The GIL is held by the caller throughout.
#include "frontend/importer/PythonObject.h"
#include "frontend/importer/Signature.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace npcc::frontend {

struct ImportRequest {
  /// A Python function. Null for a function that exists as source only; then the next three say what it is.
  PyObject *function = nullptr;
  PyObject *definition = nullptr; // an ast.FunctionDef
  PyObject *globals = nullptr;    // a dict
  std::string file;
  /// One for each parameter, in order.
  std::vector<ParamType> params;
  /// For parameters of kind Constant (None, a string, a tuple of known things, a function): one for each parameter,
  /// null for the others; or empty. A trailing parameter that is not given has its default.
  std::vector<PyObject *> constants;
  /// Null, or how the parameters of the Python function are made of `params`: a tuple with a form for each, as
  /// npcc/structures.py describes them. The function gives a pair then: its result, and what it changed.
  PyObject *structure = nullptr;
  /// The generators of random numbers that the caller gives with each call: numpy.random's own, then those of globals
  /// and closures.
  std::vector<PyObject *> generators;
  /// The global arrays that the caller gives with each call, which the last of `params` are.
  std::vector<PyObject *> arrays;
  /// The globals and attributes of classes that functions assign to, of each the module's globals or the class, and the
  /// name: the last argument of `structure` is an object that has them as attributes, unless `usesPython`.
  std::vector<std::pair<PyObject *, std::string>> assigned;
  /// Name of the func.func; empty: the Python function's.
  std::string symbol;
  /// The narrow float that products are computed in (npcc.autocast): "float16", "bfloat16", or empty.
  std::string autocast;
  /// The value of `np.target`.
  std::string target = "cpu";
  /// The version that assumes nothing: arrays are strided whatever their parameter types say.
  bool general = false;
  /// What Python or NumPy would raise whatever the arguments hold is raised where it happens, when the function is
  /// called, instead of reported.
  bool raiseErrors = false;
  /// What cannot be compiled otherwise is run by Python, on its own objects (Parts.h).
  bool usesPython = false;
};

struct Diagnostic {
  std::string file;
  int line = 0, column = 0, endLine = 0, endColumn = 0; // columns count from 1, in characters; the end is exclusive
  std::string message;
  std::string hint; // what to do instead; may be empty
  /// The exception that Python or NumPy would raise here; empty where only the compiler objects. The message begins
  /// with it: "AxisError: ...".
  std::string error;
  /// The place of it and that of its statement in the program, as siteOf() has them; of a name "name " and its key.
  std::string site, statement;
  /// The file of the function of an installed package that the program calls there, if it is in such a function.
  std::string installed;
  /// Whether it is what NumPy is asked for, of compiled arrays and numbers: that Python does not run instead.
  bool isOfArrays = false;
  /// Whether it is of how an argument was taken apart: no import of this form does without it, but one that has its
  /// lists as objects may.
  bool isOfForm = false;
};

/// What a compiled function was made of besides its own source: what a cache must compare, and what calls tell of
/// types.
struct ImportReport {
  struct InlinedCall {
    py::Object function; // a Python function
    /// The types of all its arguments. A call with one that has none (a string, a tuple, a function), or by keyword, is
    /// not among them.
    std::vector<ParamType> params;
  };
  std::vector<InlinedCall> calls;
  /// Global names that were read, and what they were bound to (constants, modules, functions).
  std::map<std::string, py::Object> globals;
  /// Classes that the form of the results names and that no module has under their names.
  std::map<std::string, py::Object> classes;
  /// The parameters that have to be given as Python's objects: the import has failed for want of them.
  std::set<std::string> objectParameters;
  /// Whether the code knows objects that only this process has.
  bool holdsObjects = false;
  /// How often the function was imported as a whole: again after each import that found what it had to begin with.
  int64_t imports = 0;
};

/// Appends a func.func to the module. False, with all that is wrong in `diagnostics`, if the function cannot be
/// compiled.
///
/// The function's attributes say what a caller must know:
///   `np.target`, the name of a target; `np.general` for the general version; `np.form`: how Python puts the results
///   together (NPCC_FORM_* of runtime/npcc_rt.h).
/// Arguments: `np.name`, `np.weak` (unit: a Python scalar), `np.string` (unit: a str's number). Results: `np.weak`
/// (unit: a Python scalar).
bool importFunction(const ImportRequest &request, mlir::ModuleOp module, std::vector<Diagnostic> &diagnostics,
                    ImportReport *report = nullptr);

/// One function of npcc.supported().
struct SupportedFunction {
  std::string name; // "numpy.sum", "numpy.ndarray.sum", "math.sin"
  std::vector<std::string> keywords;
};
std::vector<SupportedFunction> supportedFunctions();

} // namespace npcc::frontend
#endif
