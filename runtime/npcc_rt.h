/* The C ABI of libnpcc_rt, the library that everything npcc generates runs on: all of it. Code of this project
 * includes the parts that it uses.
 *
 * Two kinds of callers: generated code, inside a frame, and hosts that call a generated function (the just-in-time
 * extension, an ahead-of-time module's init code, a C++ program). No function throws; none ends the process. Functions
 * for hosts return a status; one for generated code that fails leaves the frame (npcc_rt_fail), which frees what the
 * frame holds and makes the call return the status. */
#ifndef NPCC_RT_H
#define NPCC_RT_H
/* Values, devices, and what is known of both. */
#include "runtime/abi/export.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/status.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/arrays.h"
#include "runtime/abi/counters.h"
#include "runtime/abi/trace.h"
/* Generated functions, and how hosts call them. */
#include "runtime/abi/functions.h"
#include "runtime/abi/values.h"
#include "runtime/abi/calls.h"
#include "runtime/abi/repeated.h"
#include "runtime/abi/kept.h"
#include "runtime/abi/text.h"
/* What generated code calls, on the frame's device and stream. */
#include "runtime/abi/frame.h"
#include "runtime/abi/kernels.h"
#include "runtime/abi/threads.h"
#include "runtime/abi/products.h"
#include "runtime/abi/routines.h"
#include "runtime/abi/random.h"
#include "runtime/abi/debug.h"
#include "runtime/abi/group.h"
/* The user's own streams, kernels and memory on a GPU. */
#include "runtime/abi/streams.h"
#include "runtime/abi/own_kernels.h"
#include "runtime/abi/host_memory.h"
#endif
