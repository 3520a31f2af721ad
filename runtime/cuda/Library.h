// A library of the CUDA toolkit, opened when it is first needed.
#ifndef NPCC_RUNTIME_CUDA_LIBRARY_H
#define NPCC_RUNTIME_CUDA_LIBRARY_H

#include "runtime/Status.h"
#include "runtime/abi/status.h"
#include <initializer_list>
#include <memory>
#include <string>

namespace npcc::rt::cuda {

class Library {
public:
  /// Opens the first of `names` that there is, in the folders of the toolkit too, which need not be in the loader's
  /// cache. The environment variable `variable` names another file, or "none". False if there is none.
  bool open(const char *variable, std::initializer_list<const char *> names);
  /// False if the library has no such symbol.
  template <typename Function> bool find(Function &function, const std::string &symbol) {
    function = reinterpret_cast<Function>(address(symbol.c_str()));
    return function != nullptr;
  }
  const std::string &file() const { return name; }
  /// What is wrong with a file that was named or found, for a sentence: it cannot be opened, or lacks a symbol. Empty
  /// where there is none.
  const std::string &fault() const { return why; }

private:
  void *address(const char *symbol);

  void *handle = nullptr;
  std::string name, why;
};

/// The functions of a library, found at the first call; null if there is no such library. `Functions::load` opens it
/// and says whether all are there.
template <typename Functions> const Functions *loaded() {
  static const Functions *const instance = [] { // never destroyed: threads may still be at work when the process ends
    auto candidate = std::make_unique<Functions>();
    return candidate->load() ? candidate.release() : nullptr;
  }();
  return instance;
}

/// cudaDataType, which libraries take for a dtype: of FLOAT32, FLOAT64, COMPLEX64 and COMPLEX128, in their order.
constexpr int dataTypes[] = {0, 1, 4, 5};

/// The error that the status of a library's function is, which is 0 where nothing failed and 2 where there was no
/// memory left.
inline Status checkCall(const char *library, const char *function, int status) {
  if (status == 0)
    return {};
  if (status == 2)
    return makeError(NPCC_MEMORY_ERROR, "{}: {}: out of memory", library, function);
  return makeError(NPCC_RUNTIME_ERROR, "{}: {} failed with status {}", library, function, status);
}

} // namespace npcc::rt::cuda

#endif
