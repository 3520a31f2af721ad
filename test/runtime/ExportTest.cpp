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
