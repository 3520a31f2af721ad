/* Python's C API as this folder uses it: the limited API of 3.11, so that one binary serves every later Python. */
#ifndef NPCC_MODULE_PYTHON_API_H
#define NPCC_MODULE_PYTHON_API_H
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

/* Vectorcall is part of the limited API only from 3.12 on, but its ABI is the same since 3.8. */
typedef PyObject *(*npcc_vectorcall)(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames);
PyAPI_FUNC(PyObject *) PyVectorcall_Call(PyObject *callable, PyObject *tuple, PyObject *dict);
#define NPCC_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#define NPCC_VECTORCALL_COUNT(nargsf) ((Py_ssize_t)((nargsf) & ~((size_t)1 << (8 * sizeof(size_t) - 1))))
#endif
