#ifndef NPCC_MODULE_ERRORS_H
#define NPCC_MODULE_ERRORS_H
#include "frontend/module/python_api.h"
#include "runtime/abi/status.h"

/* Sets the Python exception for a status that is an error, with a note that says which line of the Python source it comes
 * from. */
void npcc_raise_status(const npcc_status *status);
#endif
