#include "frontend/extension/RepeatedLaunches.h"
#include "runtime/abi/streams.h"
extern "C" {
#include "frontend/module/watch.h"
}

namespace npcc::extension {
namespace {

constexpr size_t most = 4; // of other dtypes and ranks
/// Where the types are always others, it is tried ever more rarely whether they come again.
constexpr int often = 16, rarely = 64;
constexpr Py_ssize_t mostArguments = 71;
constexpr int mostForeign = 16;

bool isDeviceArray(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  return type == npcc_array_type || type == npcc_array_base_type;
}

/// Arrays of other libraries among the arguments of a launch, and the streams that these work on.
class ForeignArrays {
public:
  /// False, without an exception, for what is none that can be read fast.
  bool read(PyObject *object, npcc_value &value) {
    if (count == mostForeign || !npcc_is_array_class(Py_TYPE(object)))
      return false;
    npcc_array &array = arrays[count];
    void *stream;
    if (!npcc_read_by_class(object, &array, &stream))
      return false;
    // Another object may be the same memory, and there is no buffer behind it.
    array.base = nullptr;
    value.a = &array;
    ++count;
    if (std::find(streams, streams + streamCount, stream) == streams + streamCount)
      streams[streamCount++] = stream;
    return true;
  }

  bool any() const { return count > 0; }
  int32_t device() const { return arrays[0].device; }
  /// The one stream that all work with them is on, or null.
  void *onlyStream() const { return streamCount == 1 ? streams[0] : nullptr; }

  npcc_status order(bool oursWaits) const {
    npcc_status status;
    status.error = NPCC_OK;
    for (int k = 0; k < streamCount && !status.error; ++k)
      status = npcc_rt_order_streams(device(), streams[k], oursWaits);
    return status;
  }

private:
  int count = 0, streamCount = 0;
  void *streams[mostForeign];
  npcc_array arrays[mostForeign];
};

npcc_key keyOf(const npcc_array &array) {
  npcc_key unitAxes = 0;
  for (int axis = 0; axis < array.rank; ++axis)
    unitAxes |= static_cast<npcc_key>(array.shape[axis] == 1) << axis;
  return NPCC_KEY(NPCC_ARRAY, array.dtype, array.rank, 0, unitAxes);
}

/// An argument that is an array on a GPU or a number; false for any other, without an exception.
bool read(PyObject *object, npcc_key &key, npcc_value &value, ForeignArrays &foreign, bool &hasOwn) {
  if (isDeviceArray(object)) {
    npcc_array &array = reinterpret_cast<npcc_array_object *>(object)->array;
    key = keyOf(array);
    value.a = &array;
    hasOwn = true;
    return true;
  }
  if (Py_TYPE(object) == npcc_numpy.array)
    return false;
  if (foreign.read(object, value)) {
    key = keyOf(*value.a);
    return true;
  }
  npcc_argument argument;
  int failed = npcc_read_argument(object, &argument);
  Py_XDECREF(argument.owner);
  if (failed)
    PyErr_Clear();
  key = argument.key;
  value = argument.value;
  return !failed && (key & 3) == NPCC_SCALAR;
}

/// Around a launch: the stream that it goes to. Where nothing says one, arrays that are all of one other library go to
/// that library's stream. Else its stream and ours wait for each other.
class OnStream {
public:
  OnStream(const ForeignArrays &foreign, bool hasOwn, int32_t device, void *stream) : foreign(foreign) {
    if (stream) {
      enter(npcc_rt_enter_stream(device, stream, &previous));
    } else if (foreign.any() && !hasOwn && foreign.onlyStream() && !npcc_rt_has_entered_stream(foreign.device())) {
      enter(npcc_rt_enter_awaited_stream(foreign.device(), foreign.onlyStream(), &previous));
      return;
    }
    isOrdered = foreign.any() && !status.error;
    if (isOrdered)
      status = foreign.order(/*oursWaits=*/true);
  }
  OnStream(const OnStream &) = delete;
  OnStream &operator=(const OnStream &) = delete;
  ~OnStream() {
    if (isOrdered)
      (void)foreign.order(/*oursWaits=*/false);
    if (isEntered)
      npcc_rt_leave_stream(&previous);
  }
  const npcc_status &begun() const { return status; }

private:
  void enter(const npcc_status &entered) {
    status = entered;
    isEntered = !status.error;
  }

  const ForeignArrays &foreign;
  npcc_stream_use previous;
  npcc_status status{};
  bool isEntered = false, isOrdered = false;
};

} // namespace

bool RepeatedLaunches::repeat(npcc_function_object &function, PyObject *const *arguments, int32_t device, void *stream,
                              PyObject *&result) {
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
  ForeignArrays foreign;
  bool hasOwn = false;
  for (Py_ssize_t k = fixed; k < count; ++k)
    if (!read(arguments[k], keys[k], values[k], foreign, hasOwn))
      return false;
  auto one = std::find_if(all.begin(), all.end(), [&](const Remembered &each) {
    return std::equal(keys + fixed, keys + count, each.keys.begin() + fixed);
  });
  if (one == all.end())
    return false;
  std::copy_n(one->values.begin(), fixed, values);
  isInUse = true; // looking at watches may have run Python code, but no other thread is in here
  npcc_status status;
  bool isDone;
  {
    ReleaseGil released;
    OnStream on(foreign, hasOwn, device, stream);
    isDone = !on.begun().error && npcc_rt_repeat(one->call.get(), values, &status); // else the long way says why
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
  ForeignArrays foreign;
  bool hasOwn = false;
  Remembered one{{nullptr, npcc_rt_repeated_free}, {}, std::vector<npcc_key>(count), std::vector<npcc_value>(count)};
  std::vector<npcc_argument> given(count);
  int32_t device = -1;
  for (Py_ssize_t k = 0; k < count; ++k) {
    if (!read(arguments[k], one.keys[k], one.values[k], foreign, hasOwn) ||
        npcc_read_argument(arguments[k], &given[k])) {
      PyErr_Clear();
      return;
    }
    Py_XDECREF(given[k].owner);
    if ((one.keys[k] & 3) == NPCC_ARRAY)
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
