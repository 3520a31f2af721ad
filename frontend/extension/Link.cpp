// Ahead-of-time modules.
#include "frontend/extension/Extension.h"
#include "compiler/codegen/Link.h"
#include "compiler/codegen/ModuleTable.h"
#include "runtime/abi/calls.h"
#include <dlfcn.h>

using namespace npcc;
using namespace npcc::extension;

extern "C" const char npcc_module_object_begin[], npcc_module_object_end[];

/// Parameters by what dispatch looks at: functions of one name that agree in it are versions of one signature.
static bool sameSignature(const FunctionInfo &a, const FunctionInfo &b) {
  if (a.params.size() != b.params.size())
    return false;
  for (size_t k = 0; k < a.params.size(); ++k) {
    const ParamInfo &p = a.params[k], &q = b.params[k];
    if (p.kind != q.kind || p.dtype != q.dtype || p.rank != q.rank || p.weak != q.weak || p.unitAxes != q.unitAxes)
      return false;
  }
  return true;
}

static void addExport(ModuleInfo &module, const FunctionInfo &info) {
  ExportInfo *found = nullptr;
  for (ExportInfo &candidate : module.exports)
    if (candidate.name == info.name)
      found = &candidate;
  if (!found) {
    module.exports.push_back({info.name, {}});
    found = &module.exports.back();
  }
  for (FunctionInfo &signature : found->signatures)
    if (sameSignature(signature, info))
      return mergeVariants(signature, info);
  found->signatures.push_back(info);
}

/// The file of the runtime that this process uses: modules are linked against the same.
static std::string getRuntimePath() {
  Dl_info info;
  return dladdr(reinterpret_cast<void *>(&npcc_rt_call), &info) && info.dli_fname ? info.dli_fname : "libnpcc_rt.so";
}

static llvm::Error makeModule(ModuleInfo &module, LinkRequest &request, const Options &options) {
  assignSymbols(module);
  llvm::Expected<std::string> table = emitModuleTable(module, options);
  if (!table)
    return table.takeError();
  request.objects.push_back(std::move(*table));
  request.objects.emplace_back(npcc_module_object_begin, npcc_module_object_end);
  for (const ExportInfo &name : module.exports)
    for (const FunctionInfo &signature : name.signatures)
      request.exports.push_back(signature.symbol);
  request.runtime = getRuntimePath();
  return linkModule(request);
}

/// link(output, name, script, source, codes, options) -> the text of the C header. `codes` are what compile() gave.
static PyObject *link(PyObject *, PyObject *args) {
  const char *output, *name, *file, *source;
  PyObject *codes, *dict;
  if (!PyArg_ParseTuple(args, "ssssO!O!", &output, &name, &file, &source, &PyList_Type, &codes, &PyDict_Type, &dict))
    return nullptr;
  ModuleInfo module{name, file, source, {}};
  LinkRequest request;
  request.output = output;
  request.moduleName = name;
  for (Py_ssize_t k = 0; k < PyList_Size(codes); ++k) {
    char *data;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(PyList_GetItem(codes, k), &data, &size))
      return nullptr;
    std::optional<CompiledCode> code = CompiledCode::deserialize(llvm::StringRef(data, size));
    if (!code) {
      PyErr_SetString(PyExc_ValueError, "no compiled code");
      return nullptr;
    }
    llvm::append_range(request.objects, std::move(code->objects));
    for (const FunctionInfo &info : code->functions)
      addExport(module, info);
  }
  Options options;
  if (PyObject *cpu = PyDict_GetItemString(dict, "cpu"))
    options.cpu = py::toString(cpu);
  std::string message;
  {
    ReleaseGil released;
    if (llvm::Error error = makeModule(module, request, options))
      message = llvm::toString(std::move(error));
  }
  if (message.empty())
    return toPython(emitHeader(module));
  PyErr_Format(PyExc_RuntimeError, "linking %s failed: %s", output, message.c_str());
  return nullptr;
}

PyMethodDef npcc::extension::linkMethods[] = {{"link", link, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
