/* PyInit of an ahead-of-time module. Compiled when npcc is built, embedded in the compiler, and linked into every module with
 * --defsym=PyInit_<name>=npcc_module_init. */
#include "frontend/module/function.h"
#include "runtime/npcc_module.h"
#include "frontend/module/setup.h"
#include <string.h>

static PyObject *missing;

/* __npcc_function__(name, parameters, positional_only, positional, defaults, doc) */
static PyObject *bind_function(PyObject *module, PyObject *args) {
  PyObject *name, *parameters, *defaults, *doc;
  int positional_only, positional;
  if (!PyArg_ParseTuple(args, "UO!iiO!O", &name, &PyTuple_Type, &parameters, &positional_only, &positional, &PyTuple_Type,
                        &defaults, &doc))
    return NULL;
  const npcc_export *found = NULL;
  for (int32_t k = 0; k < npcc_this_module.export_count; ++k)
    if (PyUnicode_CompareWithASCIIString(name, npcc_this_module.exports[k].name) == 0)
      found = &npcc_this_module.exports[k];
  if (!found) {
    PyErr_Format(PyExc_SystemError, "npcc: %U is not in this module", name);
    return NULL;
  }
  PyObject *function =
      npcc_function_new(name, parameters, positional_only, positional, defaults, missing, NULL, 1);
  if (!function)
    return NULL;
  int failed = PyObject_SetAttrString(function, "__doc__", doc) || PyObject_SetAttrString(function, "__qualname__", name);
  PyObject *module_name = PyUnicode_FromString(npcc_this_module.name);
  failed = failed || !module_name || PyObject_SetAttrString(function, "__module__", module_name);
  Py_XDECREF(module_name);
  for (int32_t k = 0; !failed && k < found->signature_count; ++k)
    failed = npcc_function_add((npcc_function_object *)function, found->signatures[k], NULL, NULL, NPCC_DEVICE_AUTOMATIC);
  if (failed)
    Py_CLEAR(function);
  return function;
}

static PyMethodDef helpers[] = {{"__npcc_function__", bind_function, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

static int run_source(PyObject *globals) {
  PyObject *code = Py_CompileString(npcc_this_module.source, npcc_this_module.file, Py_file_input);
  PyObject *result = code ? PyEval_EvalCode(code, globals, globals) : NULL;
  Py_XDECREF(code);
  Py_XDECREF(result);
  return result ? 0 : -1;
}

static int execute(PyObject *module) {
  if (npcc_setup())
    return -1;
  PyObject *globals = PyModule_GetDict(module); /* borrowed */
  if (!missing)
    missing = PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type);
  PyObject *builtins = PyImport_ImportModule("builtins");
  PyObject *helper = PyCFunction_NewEx(&helpers[0], NULL, NULL);
  int failed = !missing || !builtins || !helper || PyDict_SetItemString(globals, "__builtins__", builtins) ||
               PyDict_SetItemString(globals, "__npcc_function__", helper) ||
               PyDict_SetItemString(globals, "__npcc_missing__", missing) || run_source(globals) ||
               PyDict_DelItemString(globals, "__npcc_function__") || PyDict_DelItemString(globals, "__npcc_missing__");
  Py_XDECREF(helper);
  Py_XDECREF(builtins);
  return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, NULL, NULL, 0, NULL, slots, NULL, NULL, NULL};

__attribute__((visibility("hidden"))) PyObject *npcc_module_init(void) {
  definition.m_name = npcc_this_module.name;
  return PyModuleDef_Init(&definition);
}
