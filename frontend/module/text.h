/* Strings between Python and compiled code, which has them as numbers of the runtime's table. */
#ifndef NPCC_MODULE_TEXT_H
#define NPCC_MODULE_TEXT_H
#include "frontend/module/python_api.h"
#include <stdint.h>

/* The string of a number, None of one below 0, a list of those of a list. Takes over the reference; NULL with an exception. */
PyObject *npcc_texts_of(PyObject *numbers);
/* The number of a str, or -1 with an exception. */
int64_t npcc_text_number(PyObject *string);
/* Python's part in making strings. */
void npcc_text_setup(void);
#endif
