// A library of the CUDA toolkit, opened when it is first needed.
#ifndef NPCC_RUNTIME_CUDA_LIBRARY_H
#define NPCC_RUNTIME_CUDA_LIBRARY_H

#include <initializer_list>
#include <string>
#include <type_traits>

namespace npcc::rt::cuda {

class Library {
public:
  /// Opens the first of `names` that there is, in the folders of the toolkit too, which need not be in the loader's
  /// cache. The environment variable `variable` names another file, or "none". False if there is none.
  bool open(const char *variable, std::initializer_list<const char *> names);
  /// False if the library has no such symbol.
  template <typename Function> bool find(Function &function, const std::string &symbol) const {
    function = reinterpret_cast<Function>(address(symbol.c_str()));
    return function != nullptr;
  }
  const std::string &file() const { return name; }

private:
  void *address(const char *symbol) const;

  void *handle = nullptr;
  std::string name;
};

} // namespace npcc::rt::cuda

#endif
