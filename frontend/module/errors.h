#ifndef NPCC_MODULE_ERRORS_H
#define NPCC_MODULE_ERRORS_H
#include "frontend/module/python_api.h"
#include "runtime/abi/status.h"

/* Sets the Python exception for a status that is an error, with a note that says which line of the Python source it comes
 * from. */
void npcc_raise_status(const npcc_status *status);
/* The same of an error's parts: `error` is an npcc_error, `message` may be longer than a status holds. */
void npcc_raise(int error, const char *message, const char *file, int line);
#endif
