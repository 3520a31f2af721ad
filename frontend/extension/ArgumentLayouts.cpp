// layouts_of: what a launch of arguments depends on but for their values. Kernels that are made of expressions look up
// by it what they found out for such arguments before (npcc/kernels/expressions.py).
#include "frontend/extension/Extension.h"
#include "runtime/abi/devices.h"
#include <string>

using namespace npcc;
using namespace npcc::extension;

namespace {

enum Kind : char { Array = 'a', PythonNumber = 'n', NumpyNumber = 's' };

void append(std::string &text, const void *bytes, size_t count) {
  text.append(static_cast<const char *>(bytes), count);
}

bool appendArray(std::string &text, const npcc_array &array) {
  if (array.device < 0 || array.device >= NPCC_LOGICAL_CPU)
    return false;
  const int32_t head[] = {array.dtype, array.rank, array.device};
  text.push_back(Array);
  append(text, head, sizeof head);
  append(text, array.shape, sizeof(int64_t) * static_cast<size_t>(array.rank));
  append(text, array.strides, sizeof(int64_t) * static_cast<size_t>(array.rank));
  return true;
}

/// False: an argument of another kind.
bool appendLayout(std::string &text, PyObject *argument) {
  PyTypeObject *type = Py_TYPE(argument);
  if (type == npcc_array_type)
    return appendArray(text, reinterpret_cast<npcc_array_object *>(argument)->array);
  char which = type == &PyBool_Type      ? 'b'
               : type == &PyLong_Type    ? 'i'
               : type == &PyFloat_Type   ? 'f'
               : type == &PyComplex_Type ? 'c'
                                         : 0;
  char kind = PythonNumber;
  for (int dtype = 0; !which && dtype < NPCC_DTYPE_COUNT; ++dtype)
    if (type == npcc_numpy.scalar[dtype])
      kind = NumpyNumber, which = static_cast<char>(dtype + 1);
  text.push_back(kind);
  text.push_back(which);
  return which;
}

} // namespace

/// layouts_of(arguments) -> bytes: the dtypes, shapes, strides and devices of npcc's arrays on GPUs, and the types of
/// numbers; None where there is anything else among them.
PyObject *npcc::extension::layoutsOf(PyObject *, PyObject *arguments) {
  if (!PyTuple_Check(arguments)) {
    PyErr_SetString(PyExc_TypeError, "the arguments are a tuple");
    return nullptr;
  }
  std::string text;
  for (Py_ssize_t k = 0; k < PyTuple_Size(arguments); ++k)
    if (!appendLayout(text, PyTuple_GetItem(arguments, k)))
      return Py_NewRef(Py_None);
  return PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}
