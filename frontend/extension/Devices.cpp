// The runtime's devices and counters.
#include "frontend/extension/Extension.h"
#include "compiler/codegen/Target.h"
#include "runtime/abi/counters.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/trace.h"

#include <string>
#include <vector>

using namespace npcc;
using namespace npcc::extension;

static PyObject *cudaDeviceCount(PyObject *, PyObject *) { return PyLong_FromLong(npcc_rt_cuda_device_count()); }
static PyObject *cudaUnavailableReason(PyObject *, PyObject *) { return PyUnicode_FromString(npcc_rt_cuda_unavailable_reason()); }
static PyObject *cpuThreads(PyObject *, PyObject *) { return PyLong_FromLong(npcc_rt_cpu_threads()); }

static PyObject *deviceInfo(PyObject *, PyObject *args) {
  int ordinal, capability;
  int64_t memory;
  char name[256];
  if (!PyArg_ParseTuple(args, "i", &ordinal))
    return nullptr;
  npcc_status status = unlocked([&] { return npcc_rt_cuda_device_info(ordinal, &capability, name, &memory); });
  if (status.error)
    return raise(status);
  return Py_BuildValue("{sssisL}", "name", name, "capability", capability, "memory", static_cast<long long>(memory));
}

static PyObject *traceStart(PyObject *, PyObject *) {
  npcc_rt_trace_start();
  return Py_NewRef(Py_None);
}

/// trace_stop() -> [(kind, device, track, label, begin, end, bytes), ...]: what was recorded since trace_start() (npcc_trace_event).
static PyObject *traceStop(PyObject *, PyObject *) {
  std::vector<std::pair<npcc_trace_event, std::string>> events;
  {
    ReleaseGil released;
    npcc_rt_trace_stop(
        [](const npcc_trace_event *event, void *argument) {
          static_cast<decltype(events) *>(argument)->emplace_back(*event, event->label);
        },
        &events);
  }
  PyObject *list = PyList_New(0);
  for (const auto &[event, label] : events) {
    py::Object row = py::Object::take(Py_BuildValue("iiLNLLL", event.kind, event.device, static_cast<long long>(event.track), toPython(label),
                                                    static_cast<long long>(event.begin), static_cast<long long>(event.end),
                                                    static_cast<long long>(event.bytes)));
    if (!row || PyList_Append(list, row.get()))
      break;
  }
  return list;
}

static PyObject *counters(PyObject *, PyObject *) {
  npcc_counters now;
  npcc_rt_counters(&now);
  PyObject *dict = PyDict_New();
#define NPCC_COUNTER(NAME) setItem(dict, #NAME, PyLong_FromLongLong(now.NAME));
  NPCC_COUNTER(allocations)
  NPCC_COUNTER(bytes_allocated)
  NPCC_COUNTER(bytes_in_use)
  NPCC_COUNTER(bytes_cached)
  NPCC_COUNTER(peak_bytes_in_use)
  NPCC_COUNTER(live_buffers)
  NPCC_COUNTER(launches)
  NPCC_COUNTER(replays)
  NPCC_COUNTER(parallel_regions)
  NPCC_COUNTER(bytes_host_to_device)
  NPCC_COUNTER(bytes_device_to_host)
  NPCC_COUNTER(bytes_device_to_device)
#undef NPCC_COUNTER
  setItem(dict, "compilations", PyLong_FromLongLong(compilations));
  setItem(dict, "imports", PyLong_FromLongLong(imports));
  return dict;
}

static PyObject *synchronize(PyObject *, PyObject *args) {
  int device;
  if (!PyArg_ParseTuple(args, "i", &device))
    return nullptr;
  npcc_status status;
  {
    ReleaseGil released;
    status = npcc_rt_synchronize(device);
  }
  return status.error ? raise(status) : Py_NewRef(Py_None);
}

static PyObject *trim(PyObject *, PyObject *) {
  unlocked([] { npcc_rt_trim(); });
  return Py_NewRef(Py_None);
}

static PyObject *failAllocation(PyObject *, PyObject *args) {
  int device;
  long long k;
  if (!PyArg_ParseTuple(args, "iL", &device, &k))
    return nullptr;
  npcc_rt_fail_allocation(device, k);
  return Py_NewRef(Py_None);
}

/// The machine's CPU, as "native" compiles for it: what cached code depends on.
static PyObject *hostCpu(PyObject *, PyObject *) { return toPython(getCpuDescription("native")); }

PyMethodDef npcc::extension::deviceMethods[] = {{"cuda_device_count", cudaDeviceCount, METH_NOARGS, nullptr},
                                                {"cuda_unavailable_reason", cudaUnavailableReason, METH_NOARGS, nullptr},
                                                {"cpu_threads", cpuThreads, METH_NOARGS, nullptr},
                                                {"device_info", deviceInfo, METH_VARARGS, nullptr},
                                                {"counters", counters, METH_NOARGS, nullptr},
                                                {"trace_start", traceStart, METH_NOARGS, nullptr},
                                                {"trace_stop", traceStop, METH_NOARGS, nullptr},
                                                {"synchronize", synchronize, METH_VARARGS, nullptr},
                                                {"trim", trim, METH_NOARGS, nullptr},
                                                {"fail_allocation", failAllocation, METH_VARARGS, nullptr},
                                                {"host_cpu", hostCpu, METH_NOARGS, nullptr},
                                                {"build_ids", npcc::extension::buildIds, METH_NOARGS, nullptr},
                                                {nullptr, nullptr, 0, nullptr}};
