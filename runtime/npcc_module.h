/* What an ahead-of-time module is made of: the compiler emits one `npcc_this_module`, and links it with the objects of frontend/module. */
#ifndef NPCC_RUNTIME_NPCC_MODULE_H
#define NPCC_RUNTIME_NPCC_MODULE_H
#include "runtime/abi/functions.h"

typedef struct npcc_export {
  const char *name;
  int32_t signature_count;
  const npcc_function *const *signatures;
} npcc_export;

typedef struct npcc_module {
  const char *name;
  const char *file;   /* of the script, for tracebacks */
  /* The script without what was compiled, executed at import. Where a compiled function was defined it says
   *   name = __npcc_function__('name', ('a', 'b'), positional_only, positional, (__npcc_missing__, default), doc)
   * so that defaults are evaluated where and when Python would. */
  const char *source;
  int32_t export_count;
  const npcc_export *exports;
} npcc_module;

extern const npcc_module npcc_this_module;
#endif
