#include "frontend/extension/Extension.h"
#include <vector>

using namespace npcc::extension;

static int execute(PyObject *module) {
  if (npcc_setup())
    return -1;
  for (PyMethodDef *table : {compileMethods, codeMethods, arrayMethods, deviceMethods, linkMethods, streamMethods, kernelMethods,
                              structureMethods})
    if (PyModule_AddFunctions(module, table))
      return -1;
  if (PyModule_AddObjectRef(module, "Array", reinterpret_cast<PyObject *>(npcc_array_base_type)) ||
      PyModule_AddObjectRef(module, "Function", reinterpret_cast<PyObject *>(npcc_function_type)))
    return -1;
  if (addConfigurationsType(module) || addKernelType(module) || addHostMemoryType(module) || addLaunchType(module))
    return -1;
  return PyModule_AddStringConstant(module, "version", NPCC_VERSION);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void *>(execute)}, {0, nullptr}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "npcc._npcc", nullptr, 0, nullptr, slots, nullptr, nullptr, nullptr};

PyMODINIT_FUNC PyInit__npcc(void) { return PyModuleDef_Init(&definition); }
