// `_npcc.Configurations`, the base of kernels of npcc.cuda.jit: kernel[grid, block] that was asked for before is found
// without any code of Python's, whatever else goes to kernel._configure(configuration).
#include "frontend/extension/Extension.h"

using namespace npcc;
using namespace npcc::extension;

namespace {

struct ConfigurationsObject {
  PyObject head;
  PyObject *known; // dict: what _configure gave, as far as it keeps it there
};

ConfigurationsObject *configurationsOf(PyObject *object) { return reinterpret_cast<ConfigurationsObject *>(object); }

PyObject *make(PyTypeObject *type, PyObject *, PyObject *) {
  auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  py::Object object = py::Object::take(allocate(type, 0));
  if (!object || !(configurationsOf(object.get())->known = PyDict_New()))
    return nullptr;
  return Py_NewRef(object.get());
}

PyObject *find(PyObject *object, PyObject *configuration) {
  if (PyObject *found = PyDict_GetItemWithError(configurationsOf(object)->known, configuration)) // borrowed
    return Py_NewRef(found);
  PyErr_Clear(); // a list, or a stream of another library, has no hash
  return PyObject_CallMethod(object, "_configure", "(O)", configuration);
}

int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(configurationsOf(object)->known);
  return 0;
}

/// The dict itself is there as long as the object can be asked.
int clear(PyObject *object) {
  if (PyObject *known = configurationsOf(object)->known)
    PyDict_Clear(known);
  return 0;
}

void dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  Py_CLEAR(configurationsOf(object)->known);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

PyMemberDef members[] = {{"_configured", T_OBJECT, offsetof(ConfigurationsObject, known), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void *>(make)},
                       {Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void *>(clear)},
                       {Py_tp_members, members},
                       {Py_mp_subscript, reinterpret_cast<void *>(find)},
                       {0, nullptr}};
PyType_Spec spec = {"npcc.Configurations", sizeof(ConfigurationsObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots};

} // namespace

int extension::addConfigurationsType(PyObject *module) {
  PyObject *type = PyType_FromSpec(&spec);
  int failed = !type || PyModule_AddObjectRef(module, "Configurations", type);
  Py_XDECREF(type);
  return failed ? -1 : 0;
}
