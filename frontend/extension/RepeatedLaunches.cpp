#include "frontend/extension/RepeatedLaunches.h"
extern "C" {
#include "frontend/module/watch.h"
}

namespace npcc::extension {
namespace {

constexpr size_t most = 4; // in a loop two or three arrays change places
/// Where the arrays are always others, it is tried ever more rarely whether they come again.
constexpr int often = 16, rarely = 64;
constexpr Py_ssize_t mostArguments = 71;

bool isDeviceArray(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  return type == npcc_array_type || type == npcc_array_base_type;
}

/// An argument that is an array of npcc's or a number; false for any other, without an exception.
bool read(PyObject *object, npcc_key &key, npcc_value &value) {
  if (isDeviceArray(object)) {
    npcc_array &array = reinterpret_cast<npcc_array_object *>(object)->array;
    key = NPCC_KEY(NPCC_ARRAY, array.dtype, array.rank, 0, 0); // the runtime compares the extents
    value.a = &array;
    return true;
  }
  if (Py_TYPE(object) == npcc_numpy.array)
    return false;
  npcc_argument argument;
  int failed = npcc_read_argument(object, &argument);
  Py_XDECREF(argument.owner);
  if (failed)
    PyErr_Clear();
  key = argument.key;
  value = argument.value;
  return !failed && (key & 3) == NPCC_SCALAR;
}

} // namespace

bool RepeatedLaunches::repeat(npcc_function_object &function, PyObject *const *arguments, PyObject *&result) {
  if (all.empty() || isInUse)
    return false;
  if (function.autocast != npcc_get_autocast() ||
      (function.watches && !npcc_watches_hold(function.watches, function.read_watches))) {
    all.clear();
    return false;
  }
  Py_ssize_t count = function.param_count;
  npcc_key keys[mostArguments];
  npcc_value values[mostArguments];
  for (Py_ssize_t k = fixed; k < count; ++k)
    if (!read(arguments[k], keys[k], values[k]))
      return false;
  isInUse = true; // looking at watches may have run Python code, but no other thread is in here
  npcc_status status;
  bool isDone = false;
  {
    ReleaseGil released;
    for (Remembered &one : all) {
      if (!std::equal(keys + fixed, keys + count, one.keys.begin() + fixed))
        continue;
      std::copy_n(one.values.begin(), fixed, values);
      isDone = npcc_rt_repeat(one.call.get(), values, &status);
      if (isDone)
        break;
    }
  }
  isInUse = false;
  if (!isDone)
    return false;
  misses = 0;
  result = status.error ? raise(status) : Py_NewRef(Py_None);
  return true;
}

void RepeatedLaunches::remember(npcc_function_object &function, PyObject *const *arguments) {
  Py_ssize_t count = function.param_count;
  if (isInUse || count > mostArguments || function.device_count != 1 || (misses++ > often && misses % rarely))
    return;
  Remembered one{{nullptr, npcc_rt_repeated_free}, {}, std::vector<npcc_key>(count), std::vector<npcc_value>(count)};
  std::vector<npcc_argument> given(count);
  int32_t device = -1;
  for (Py_ssize_t k = 0; k < count; ++k) {
    if (!read(arguments[k], one.keys[k], one.values[k]) || npcc_read_argument(arguments[k], &given[k])) {
      PyErr_Clear();
      return;
    }
    Py_XDECREF(given[k].owner);
    if (isDeviceArray(arguments[k]))
      device = device < 0 ? given[k].array.device : device;
  }
  int32_t found = npcc_find_signature(&function, given.data());
  if (found < 0)
    return;
  const npcc_signature &signature = function.signatures[found];
  for (Py_ssize_t k = 0; k < count; ++k)
    if (npcc_is_constant_parameter(&function, &signature, k) || signature.keys[k] != given[k].key)
      return; // a value that the code knows, or one that is converted
  npcc_call_options options = {device < 0 ? signature.device : device, 1, 1, 0, nullptr};
  if (signature.device < 0)
    return;
  one.call.reset(npcc_rt_repeated_new(signature.function, &options, one.values.data()));
  if (!one.call)
    return;
  one.owner = py::Object::borrow(signature.owner);
  if (all.size() < most)
    all.push_back(std::move(one));
  else
    std::swap(all[next++ % most], one);
}

} // namespace npcc::extension
