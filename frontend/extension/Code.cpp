// Compiled code in this process, as capsules that the callables (frontend/module/function.h) hold.
#include "compiler/codegen/Jit.h"
#include "compiler/codegen/Object.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "frontend/extension/Extension.h"
#include "runtime/abi/calls.h"

using namespace npcc;
using namespace npcc::extension;

namespace {
/// What a capsule's npcc_function lives in.
struct Holder {
  std::vector<std::shared_ptr<LoadedCode>> codes;
  npcc_function function;
  std::vector<npcc_variant> variants; // of a merged function
};
} // namespace

static bool usesCuda(const npcc_function &function) {
  for (int32_t k = 0; k < function.variant_count; ++k)
    if (function.variants[k].target == NPCC_TARGET_CUDA)
      return true;
  return false;
}

static void destroy(PyObject *capsule) {
  auto *holder = static_cast<Holder *>(PyCapsule_GetContext(capsule));
  // The driver keeps handles of loaded images in the code's own data, and kernels may still run: such code stays.
  if (!usesCuda(holder->function))
    delete holder;
}

static PyObject *makeCapsule(std::unique_ptr<Holder> holder) {
  PyObject *capsule = PyCapsule_New(&holder->function, NPCC_FUNCTION_CAPSULE, destroy);
  if (capsule)
    PyCapsule_SetContext(capsule, holder.release());
  return capsule;
}

/// load(bytes) -> a capsule for each function, or None if the bytes are no code of this version.
static PyObject *load(PyObject *, PyObject *bytes) {
  char *data;
  Py_ssize_t size;
  if (PyBytes_AsStringAndSize(bytes, &data, &size))
    return nullptr;
  std::optional<CompiledCode> code = CompiledCode::deserialize(llvm::StringRef(data, size));
  if (!code)
    return Py_NewRef(Py_None);
  std::string message;
  std::shared_ptr<LoadedCode> loaded;
  {
    ReleaseGil released;
    if (auto result = loadCode(*code))
      loaded = std::move(*result);
    else
      message = llvm::toString(result.takeError());
  }
  if (!loaded) {
    PyErr_Format(PyExc_RuntimeError, "npcc: compiled code cannot be loaded: %s", message.c_str());
    return nullptr;
  }
  py::Object list = py::Object::take(PyList_New(0));
  for (size_t k = 0; k < loaded->getFunctionCount(); ++k) {
    auto holder = std::make_unique<Holder>();
    holder->codes = {loaded};
    holder->function = *loaded->getFunction(k);
    py::Object capsule = py::Object::take(makeCapsule(std::move(holder)));
    if (!capsule || PyList_Append(list.get(), capsule.get()))
      return PyErr_NoMemory();
  }
  return Py_NewRef(list.get());
}

/// Whether both give results of the same kinds, which are put together in the same way.
static bool giveTheSame(const npcc_function &a, const npcc_function &b) {
  return a.result_count == b.result_count && llvm::StringRef(a.result_form) == b.result_form &&
         std::equal(a.results, a.results + a.result_count, b.results, [](const npcc_param &x, const npcc_param &y) {
           return x.kind == y.kind && x.dtype == y.dtype && x.rank == y.rank && x.weak == y.weak;
         });
}

/// merge(a, b) -> a capsule of one function with the variants of both, a's first. They are of one signature. Where they
/// give different results, as where Python computes one of them in the second only, it is the second one alone.
static PyObject *merge(PyObject *, PyObject *args) {
  PyObject *first, *second;
  if (!PyArg_ParseTuple(args, "OO", &first, &second))
    return nullptr;
  for (PyObject *capsule : {first, second})
    if (!PyCapsule_IsValid(capsule, NPCC_FUNCTION_CAPSULE)) {
      PyErr_SetString(PyExc_TypeError, "a capsule of compiled code is needed");
      return nullptr;
    }
  auto *a = static_cast<Holder *>(PyCapsule_GetContext(first)), *b = static_cast<Holder *>(PyCapsule_GetContext(second));
  if (!giveTheSame(a->function, b->function))
    return Py_NewRef(second);
  auto holder = std::make_unique<Holder>();
  holder->codes = a->codes;
  holder->codes.insert(holder->codes.end(), b->codes.begin(), b->codes.end());
  holder->function = a->function;
  holder->variants.assign(a->function.variants, a->function.variants + a->function.variant_count);
  holder->variants.insert(holder->variants.end(), b->function.variants, b->function.variants + b->function.variant_count);
  holder->function.variants = holder->variants.data();
  holder->function.variant_count = static_cast<int32_t>(holder->variants.size());
  return makeCapsule(std::move(holder));
}

/// is_partial(capsule) -> whether the code has some of its alternatives only, those of the call that it was compiled
/// for.
static PyObject *isPartial(PyObject *, PyObject *capsule) {
  auto *function = static_cast<const npcc_function *>(PyCapsule_GetPointer(capsule, NPCC_FUNCTION_CAPSULE));
  if (!function)
    return nullptr;
  bool partial = false;
  for (int32_t k = 0; k < function->variant_count; ++k)
    partial |= function->variants[k].choice != nullptr;
  return PyBool_FromLong(partial);
}

static Holder *getHolder(PyObject *capsule) {
  return PyCapsule_GetPointer(capsule, NPCC_FUNCTION_CAPSULE) ? static_cast<Holder *>(PyCapsule_GetContext(capsule))
                                                              : nullptr;
}

/// is_quick(capsule) -> whether the code has kernels that were made in a hurry
static PyObject *isQuick(PyObject *, PyObject *capsule) {
  Holder *holder = getHolder(capsule);
  return holder ? PyBool_FromLong(holder->codes.front()->isQuick()) : nullptr;
}

/// finish(capsule, bytes) -> the bytes of the code with all kernels made with care. What load() gave of `bytes` goes on
/// in these kernels, also where it runs.
static PyObject *finish(PyObject *, PyObject *args) {
  PyObject *capsule, *given;
  char *data;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(args, "OO", &capsule, &given) || PyBytes_AsStringAndSize(given, &data, &size))
    return nullptr;
  Holder *holder = getHolder(capsule);
  if (!holder)
    return nullptr;
  std::string message, bytes;
  {
    ReleaseGil released;
    std::optional<CompiledCode> code = CompiledCode::deserialize(llvm::StringRef(data, size));
    llvm::Error error = !code ? llvm::createStringError("no compiled code") : [&]() -> llvm::Error {
      llvm::Expected<std::vector<std::string>> objects = compileWithCare(code->quick);
      if (!objects)
        return objects.takeError();
      if (llvm::Error error = holder->codes.front()->exchangeKernels(*objects))
        return error;
      llvm::append_range(code->objects, std::move(*objects));
      code->quick = QuickKernels();
      bytes = code->serialize();
      return llvm::Error::success();
    }();
    message = llvm::toString(std::move(error));
  }
  if (message.empty())
    return PyBytes_FromStringAndSize(bytes.data(), bytes.size());
  PyErr_Format(PyExc_RuntimeError, "npcc: kernels cannot be exchanged: %s", message.c_str());
  return nullptr;
}

/// function(name, names, positional_only, positional, defaults, no_default, resolve, devices, autocast=0) -> Function
static PyObject *newFunction(PyObject *, PyObject *args) {
  PyObject *name, *names, *defaults, *noDefault, *resolve;
  int positionalOnly, positional, devices, autocast = 0;
  if (!PyArg_ParseTuple(args, "UO!iiO!OOi|i", &name, &PyTuple_Type, &names, &positionalOnly, &positional, &PyTuple_Type, &defaults,
                        &noDefault, &resolve, &devices, &autocast))
    return nullptr;
  PyObject *made = npcc_function_new(name, names, positionalOnly, positional, defaults, noDefault, resolve, devices);
  if (made)
    reinterpret_cast<npcc_function_object *>(made)->autocast = autocast;
  return made;
}

/// autocast() -> the number of the narrow float in force in this thread; set_autocast(number)
static PyObject *getAutocast(PyObject *, PyObject *) { return PyLong_FromLong(npcc_get_autocast()); }

static PyObject *setAutocast(PyObject *, PyObject *number) {
  long value = PyLong_AsLong(number);
  if (value == -1 && PyErr_Occurred())
    return nullptr;
  npcc_set_autocast(static_cast<int32_t>(value));
  return Py_NewRef(Py_None);
}

/// begin_overlap(), end_overlap(): between them calls return before their copies are over; the end waits for these.
static PyObject *beginOverlap(PyObject *, PyObject *) {
  npcc_rt_begin_overlap();
  return Py_NewRef(Py_None);
}

static PyObject *endOverlap(PyObject *, PyObject *) {
  npcc_status status;
  {
    ReleaseGil released;
    status = npcc_rt_end_overlap();
  }
  if (!npcc_rt_is_overlapping())
    npcc_drop_overlapped();
  return status.error ? raise(status) : Py_NewRef(Py_None);
}

/// watch(function, watches, renew, keep, generators): what every call asks for, and which generators of random numbers
/// it gives to compiled code, from now on; without `keep`, the function forgets its signatures.
static PyObject *watch(PyObject *, PyObject *args) {
  PyObject *function, *watches, *renew, *generators;
  int keep;
  if (!PyArg_ParseTuple(args, "O!O!OpO!", npcc_function_type, &function, &PyTuple_Type, &watches, &renew, &keep,
                        &PyTuple_Type, &generators))
    return nullptr;
  auto *object = reinterpret_cast<npcc_function_object *>(function);
  if (!keep)
    npcc_function_forget(object);
  return npcc_function_watch(object, watches, renew, generators) ? nullptr : Py_NewRef(Py_None);
}

/// raise_error(class, message, file, line): as compiled code raises an exception whose class np.assert names so.
static PyObject *raiseError(PyObject *, PyObject *args) {
  const char *error, *message, *file;
  int line;
  if (PyArg_ParseTuple(args, "sssi", &error, &message, &file, &line))
    npcc_raise(getErrorCode(error), message, file, line);
  return nullptr;
}

PyMethodDef npcc::extension::codeMethods[] = {{"load", load, METH_O, nullptr},
                                              {"merge", merge, METH_VARARGS, nullptr},
                                              {"is_partial", isPartial, METH_O, nullptr},
                                              {"is_quick", isQuick, METH_O, nullptr},
                                              {"finish", finish, METH_VARARGS, nullptr},
                                              {"function", newFunction, METH_VARARGS, nullptr},
                                              {"watch", watch, METH_VARARGS, nullptr},
                                              {"begin_overlap", beginOverlap, METH_NOARGS, nullptr},
                                              {"end_overlap", endOverlap, METH_NOARGS, nullptr},
                                              {"autocast", getAutocast, METH_NOARGS, nullptr},
                                              {"raise_error", raiseError, METH_VARARGS, nullptr},
                                              {"set_autocast", setAutocast, METH_O, nullptr},
                                              {nullptr, nullptr, 0, nullptr}};
