// The one extension of the package, `npcc._npcc`: the compiler and the runtime behind plain functions. What users see is in
// frontend/python/npcc.
#ifndef NPCC_FRONTEND_EXTENSION_EXTENSION_H
#define NPCC_FRONTEND_EXTENSION_EXTENSION_H
#include "frontend/importer/PythonObject.h"
#include "runtime/abi/status.h"
extern "C" {
#include "frontend/module/array.h"
#include "frontend/module/array_classes.h"
#include "frontend/module/convert.h"
#include "frontend/module/errors.h"
#include "frontend/module/function.h"
#include "frontend/module/numpy_access.h"
#include "frontend/module/overlap.h"
#include "frontend/module/producers.h"
#include "frontend/module/results.h"
#include "frontend/module/setup.h"
}

namespace npcc::extension {

/// Tables of one file each, ended by a null name.
extern PyMethodDef compileMethods[]; // compile, emit, supported, parse_signatures, find_exports
extern PyMethodDef codeMethods[];    // load, merge, function
extern PyMethodDef arrayMethods[];   // types_of, from_object, empty, set_array_type
extern PyMethodDef deviceMethods[];  // counters, synchronize, build_ids, ...
extern PyMethodDef linkMethods[];    // link
extern PyMethodDef streamMethods[];  // stream_new, event_new, host_memory, ...
extern PyMethodDef kernelMethods[];  // module_load, module_function, ...
extern PyMethodDef structureMethods[]; // take_apart
/// Adds the types Configurations, Kernel, HostMemory and Launch; -1 with an exception set.
int addConfigurationsType(PyObject *module);
int addKernelType(PyObject *module);
int addHostMemoryType(PyObject *module);
int addLaunchType(PyObject *module);

/// layouts_of(arguments): what a launch of them depends on but for their values.
PyObject *layoutsOf(PyObject *, PyObject *arguments);

/// build_ids(): a text that differs between builds of the extension and the runtime; empty where the linker has noted none.
PyObject *buildIds(PyObject *, PyObject *);

/// The device of this thread where nothing says which (cuda.select_device).
extern thread_local int currentDevice;
/// The stream that a Python object stands for: npcc's, CuPy's, PyTorch's, Numba's, PyCUDA's, a number. None and 0 are none: *given = false.
/// False, with TypeError set.
bool readStream(PyObject *object, void *&stream, bool &given);
/// Whether the array shows memory of the host that kernels reach at its own address.
bool isReachableHostMemory(PyObject *array);

/// How often code was compiled in this process.
extern int64_t compilations;
/// How often functions were imported as a whole for that: ImportReport has why.
extern int64_t imports;

/// Null, with the exception set, for a status that is an error.
inline PyObject *raise(const npcc_status &status) {
  npcc_raise_status(&status);
  return nullptr;
}

/// Lets other Python threads run for the length of a scope. All that may wait for CUDA's driver, or for a lock under
/// which another thread does, is in one: tools and libraries behind the driver may run Python code of their own.
class ReleaseGil {
public:
  ReleaseGil() : state(PyEval_SaveThread()) {}
  ~ReleaseGil() { PyEval_RestoreThread(state); }

private:
  PyThreadState *state;
};

/// What `call` gives, without the GIL.
template <typename Call> auto unlocked(Call &&call) {
  ReleaseGil released;
  return call();
}

/// Puts `value` (a new reference, may be null) into a dict.
inline bool setItem(PyObject *dict, const char *key, PyObject *value) {
  bool good = value && !PyDict_SetItemString(dict, key, value);
  Py_XDECREF(value);
  return good;
}

inline PyObject *toPython(const std::string &text) { return PyUnicode_DecodeUTF8(text.data(), text.size(), "replace"); }

} // namespace npcc::extension
#endif
