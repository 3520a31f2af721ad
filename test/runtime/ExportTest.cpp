// The library has every function that its header declares, under its C name, and gives generated code libm and libmvec.
#include "Check.h"
#include <dlfcn.h>

static const char *const declared[] = {
#include "ExportedNames.inc"
};

TEST(everyDeclaredFunctionIsExported) {
  CHECK(sizeof(declared) / sizeof(*declared) > 30);
  for (const char *name : declared)
    if (dlsym(RTLD_DEFAULT, name))
      check::passed();
    else
      check::failed(__FILE__, __LINE__, name);
}

TEST(mathematicsIsFoundThroughTheLibrary) {
  void *library = dlopen("libnpcc_rt.so", RTLD_LAZY | RTLD_NOLOAD);
  CHECK(library != nullptr);
  CHECK(library && dlsym(library, "exp") != nullptr);
#if defined(__x86_64__)
  CHECK(library && dlsym(library, "_ZGVdN4v_exp") != nullptr);
#endif
}

/// LLVM makes divisions of 128 bits of loops over 64 bits at times.
TEST(wideDivisionIsFoundInTheLibrary) {
  using Signed = __int128;
  using Function = Signed (*)(Signed, Signed);
  void *library = dlopen("libnpcc_rt.so", RTLD_LAZY | RTLD_NOLOAD);
  auto find = [&](const char *name) { return reinterpret_cast<Function>(dlsym(library, name)); };
  Function divide = find("__divti3"), rest = find("__modti3"), divideUnsigned = find("__udivti3"),
           restUnsigned = find("__umodti3");
  CHECK(divide && rest && divideUnsigned && restUnsigned);
  if (!divide || !rest || !divideUnsigned || !restUnsigned)
    return;
  const Signed large = (Signed(0x123456789abcdef0) << 60) + 12345;
  for (Signed dividend : {Signed(0), Signed(7), Signed(-7), large, -large})
    for (Signed divisor : {Signed(1), Signed(3), Signed(-3), Signed(1) << 70, -large, large - 1}) {
      CHECK(divide(dividend, divisor) == dividend / divisor);
      CHECK(rest(dividend, divisor) == dividend % divisor);
      using Unsigned = unsigned __int128;
      CHECK(Unsigned(divideUnsigned(dividend, divisor)) == Unsigned(dividend) / Unsigned(divisor));
      CHECK(Unsigned(restUnsigned(dividend, divisor)) == Unsigned(dividend) % Unsigned(divisor));
    }
}
