// Launches that come again with arguments of the same types: what the first one found out is kept, so that the next
// costs the host little more than the driver's own work.
#ifndef NPCC_FRONTEND_EXTENSION_REPEATEDLAUNCHES_H
#define NPCC_FRONTEND_EXTENSION_REPEATEDLAUNCHES_H

#include "frontend/extension/Extension.h"
#include "runtime/abi/repeated.h"
#include <memory>
#include <vector>

namespace npcc::extension {

class RepeatedLaunches {
public:
  /// `fixed`: the first arguments, which are the same in all launches.
  explicit RepeatedLaunches(Py_ssize_t fixed) : fixed(fixed) {}
  RepeatedLaunches(const RepeatedLaunches &) = delete;
  RepeatedLaunches &operator=(const RepeatedLaunches &) = delete;

  /// Does one again if the arguments have the types of one that is remembered; `result` is None or, with an exception,
  /// null. `stream`: of the device, that it goes to; null for none of its own.
  bool repeat(npcc_function_object &function, PyObject *const *arguments, int32_t device, void *stream,
              PyObject *&result);
  /// Takes note of a launch that the function has done.
  void remember(npcc_function_object &function, PyObject *const *arguments);

private:
  struct Remembered {
    std::unique_ptr<npcc_repeated, void (*)(npcc_repeated *)> call;
    py::Object owner;           // of the code
    std::vector<npcc_key> keys; // of the arguments
    std::vector<npcc_value> values;
  };

  const Py_ssize_t fixed;
  std::vector<Remembered> all;
  bool isInUse = false; // by a thread that has let the interpreter go
  size_t next = 0;      // is replaced next
  int misses = 0;       // since the last one that came again
};

} // namespace npcc::extension

#endif
