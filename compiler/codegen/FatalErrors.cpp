#include "compiler/codegen/Object.h"
#include "llvm/Support/ErrorHandling.h"
#include <csetjmp>
#include <mutex>

using namespace npcc;

// LLVM is built without exceptions, and so are we: the handler jumps back to the guard of its thread. Destructors in between do not run; the
// frames belong to a compilation that is given up with all it owns.
static thread_local std::jmp_buf *guard = nullptr;
static thread_local std::string reason;

static void leave(void *, const char *message, bool) {
  if (!guard)
    return; // not in a compilation of ours: LLVM goes on to end the process
  reason = message;
  std::longjmp(*guard, 1);
}

llvm::Error npcc::guardFatalErrors(llvm::function_ref<llvm::Error()> action) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(leave);
  });
  if (guard)
    return action();
  std::jmp_buf here;
  guard = &here;
  if (setjmp(here)) {
    guard = nullptr;
    return llvm::createStringError("LLVM: " + reason);
  }
  llvm::Error error = action();
  guard = nullptr;
  return error;
}
