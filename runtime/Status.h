// The one status type of the runtime: empty on success, otherwise what becomes one Python exception at the border.
// The file and line are those of the Python source, where they are known. One pointer wide, because every function
// on the path of a call returns one.
#ifndef NPCC_RUNTIME_STATUS_H
#define NPCC_RUNTIME_STATUS_H

#include "runtime/abi/status.h"
#include <fmt/format.h>
#include <memory>
#include <new>
#include <string>

namespace npcc::rt {

class [[nodiscard]] Status {
public:
  Status() = default;
  Status(npcc_error code, std::string message, const char *file = nullptr, int32_t line = 0)
      : error(new Error{code, line, file ? file : "", std::move(message)}) {}

  bool ok() const { return !error; }
  npcc_error code() const { return error ? error->code : NPCC_OK; }
  const std::string &message() const { return error->message; }

  /// Writes the C form; cheap on success, because every call returns one.
  void write(npcc_status &out) const;

private:
  struct Error {
    npcc_error code;
    int32_t line;
    std::string file;
    std::string message;
  };
  std::unique_ptr<Error> error;
};

template <typename... Args>
Status makeError(npcc_error code, fmt::format_string<Args...> format, Args &&...args) {
  return Status(code, fmt::format(format, std::forward<Args>(args)...));
}

/// A size for messages: "1.50 GiB".
std::string formatBytes(int64_t bytes);

/// Runs `body` (which returns a Status) so that no exception of the standard library crosses the C ABI.
template <typename Body>
Status guarded(Body &&body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return Status(NPCC_MEMORY_ERROR, "out of host memory");
  } catch (const std::exception &exception) {
    return Status(NPCC_RUNTIME_ERROR, exception.what());
  }
}

template <typename Body>
npcc_status toC(Body &&body) {
  npcc_status result;
  guarded(std::forward<Body>(body)).write(result);
  return result;
}

} // namespace npcc::rt

/// Leaves the enclosing function with the status of `expression` unless it is a success.
#define NPCC_TRY(expression)                                                                                           \
  do {                                                                                                                 \
    if (::npcc::rt::Status npccStatus = (expression); !npccStatus.ok())                                                \
      return npccStatus;                                                                                               \
  } while (false)

#endif
