#include "frontend/module/setup.h"
#include "frontend/module/array.h"
#include "frontend/module/function.h"
#include "frontend/module/numpy_access.h"
#include "frontend/module/parts.h"
#include "frontend/module/text.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/text.h"

/* print() in compiled code writes where Python's does: to sys.stdout, whatever that is at the moment. Compiled code runs without the
 * GIL. */
static void write_to_stdout(const char *text, int64_t bytes) {
  ++npcc_effects;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *pending[3];
  PyErr_Fetch(&pending[0], &pending[1], &pending[2]);
  PyObject *file = PySys_GetObject("stdout"); /* borrowed */
  PyObject *string = PyUnicode_DecodeUTF8(text, (Py_ssize_t)bytes, "replace");
  PyObject *written = file && file != Py_None && string ? PyObject_CallMethod(file, "write", "O", string) : NULL;
  Py_XDECREF(written);
  Py_XDECREF(string);
  PyErr_Restore(pending[0], pending[1], pending[2]);
  PyGILState_Release(state);
}

int npcc_setup(void) {
  if (npcc_rt_abi_version() != NPCC_RT_ABI_VERSION) {
    PyErr_Format(PyExc_ImportError, "libnpcc_rt has ABI version %d, %d is needed", (int)npcc_rt_abi_version(),
                 NPCC_RT_ABI_VERSION);
    return -1;
  }
  if (npcc_numpy_setup() || npcc_array_setup() || npcc_function_setup())
    return -1;
  npcc_rt_set_print(write_to_stdout);
  npcc_text_setup();
  return 0;
}
