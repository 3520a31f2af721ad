/* The C ABI of libnpcc_rt, the library that everything npcc generates runs on.
 *
 * Two kinds of callers: generated code (the functions of part 3, inside a frame) and hosts that call a generated
 * function (part 2: the just-in-time extension, an ahead-of-time module's init code, a C++ program).
 * No function throws; none ends the process. Part 1 and 2 return a status; a function of part 3 that fails leaves the
 * frame (npcc_rt_fail), which frees what the frame holds and makes the call return the status.
 */
#ifndef NPCC_RT_H
#define NPCC_RT_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#define NPCC_EXPORT __attribute__((visibility("default")))
#define NPCC_NORETURN __attribute__((noreturn))
#else
#define NPCC_EXPORT
#define NPCC_NORETURN
#endif

#define NPCC_RT_ABI_VERSION 1
#define NPCC_MAX_RANK 16

/* ---- 1. Values, status, devices ------------------------------------------------------------------------------- */

/* Element types, in NumPy's order of kinds; BFLOAT16, which the package ml_dtypes adds to NumPy, is last. The numbers are part of the ABI. */
typedef enum npcc_dtype {
  NPCC_BOOL = 0,
  NPCC_INT8, NPCC_INT16, NPCC_INT32, NPCC_INT64,
  NPCC_UINT8, NPCC_UINT16, NPCC_UINT32, NPCC_UINT64,
  NPCC_FLOAT16, NPCC_FLOAT32, NPCC_FLOAT64,
  NPCC_COMPLEX64, NPCC_COMPLEX128,
  NPCC_BFLOAT16,
  NPCC_DTYPE_COUNT
} npcc_dtype;

NPCC_EXPORT int64_t npcc_rt_dtype_size(npcc_dtype dtype);      /* bytes */
NPCC_EXPORT const char *npcc_rt_dtype_name(npcc_dtype dtype);  /* NumPy's name: "float64" */

/* Which Python exception an error becomes. */
typedef enum npcc_error {
  NPCC_OK = 0,
  NPCC_INDEX_ERROR, NPCC_VALUE_ERROR, NPCC_TYPE_ERROR, NPCC_MEMORY_ERROR, NPCC_ZERO_DIVISION_ERROR,
  NPCC_OVERFLOW_ERROR, NPCC_RUNTIME_ERROR, NPCC_UNBOUND_LOCAL_ERROR, NPCC_LINALG_ERROR, NPCC_ASSERTION_ERROR,
  NPCC_NOT_IMPLEMENTED_ERROR, NPCC_ATTRIBUTE_ERROR, NPCC_KEY_ERROR, NPCC_FLOATING_POINT_ERROR, NPCC_ARITHMETIC_ERROR,
  NPCC_LOOKUP_ERROR, NPCC_RECURSION_ERROR, NPCC_STOP_ITERATION, NPCC_EXCEPTION,
  NPCC_CLASS_ERROR, /* the message begins with a line that names the class: `module:qualified.name` */
  NPCC_AXIS_ERROR,
  NPCC_OTHER_ALTERNATIVES /* of npcc_rt_call only: these arguments need alternatives that were not compiled, nothing was done */
} npcc_error;

typedef struct npcc_status {
  int32_t error;       /* npcc_error */
  int32_t line;        /* of the Python source, 0 if unknown */
  char file[256];      /* of the Python source, "" if unknown */
  char message[512];   /* NumPy's words where NumPy has some */
} npcc_status;

/* Devices: -1 is the CPU; 0.. are CUDA ordinals; NPCC_LOGICAL_CPU + k is logical CPU device k (devices=N on the CPU). */
#define NPCC_CPU (-1)
#define NPCC_LOGICAL_CPU (1 << 16)

typedef enum npcc_target { NPCC_TARGET_CPU = 0, NPCC_TARGET_CUDA = 1 } npcc_target;

NPCC_EXPORT int32_t npcc_rt_abi_version(void);
/* Number of usable CUDA devices: opens libcuda and asks cuInit the first time; 0 without a GPU or driver. */
NPCC_EXPORT int32_t npcc_rt_cuda_device_count(void);
/* Why the count is 0 ("libcuda.so.1 not found", "cuInit: no CUDA-capable device is detected"); "" if it is not. */
NPCC_EXPORT const char *npcc_rt_cuda_unavailable_reason(void);
/* The newest CUDA that the driver knows (13000 for 13.0); 0 without a GPU. */
NPCC_EXPORT int32_t npcc_rt_cuda_driver_version(void);
/* Compute capability times ten (90), name, total memory in bytes, of CUDA device `ordinal`. */
NPCC_EXPORT npcc_status npcc_rt_cuda_device_info(int32_t ordinal, int32_t *capability, char name[256], int64_t *memory);
NPCC_EXPORT int32_t npcc_rt_cpu_threads(void);

/* A strided view of an array. Strides count elements and may be zero or negative. */
typedef struct npcc_array {
  void *base;      /* the allocation: identity for reference counts and for "is this the caller's array" */
  void *data;      /* address of element [0, ..., 0] */
  int32_t dtype;   /* npcc_dtype */
  int32_t rank;
  int32_t device;  /* where data lives */
  int32_t flags;   /* NPCC_READONLY */
  int64_t shape[NPCC_MAX_RANK];
  int64_t strides[NPCC_MAX_RANK];
} npcc_array;
#define NPCC_READONLY 1

/* Reference-counted memory (64-byte aligned on the CPU, 256 on CUDA). Zero bytes are legal and give a unique pointer. */
NPCC_EXPORT npcc_status npcc_rt_buffer_new(int32_t device, int64_t bytes, void **base);
NPCC_EXPORT void npcc_rt_retain(void *base);   /* pointers that are not npcc buffers (the caller's arrays) are left alone */
NPCC_EXPORT void npcc_rt_release(void *base);
NPCC_EXPORT int64_t npcc_rt_refcount(void *base);  /* 0: not an npcc buffer */
/* Copies a view onto one of the same shape and dtype, between any two devices, any strides. Blocking. */
NPCC_EXPORT npcc_status npcc_rt_copy(npcc_array *to, const npcc_array *from);
NPCC_EXPORT npcc_status npcc_rt_synchronize(int32_t device);
/* Makes ready what a later call would wait for: the device, and the library that `routine` runs on, if it is not NULL: "matmul" (matrix products) or a
 * routine of runtime/Routines.h. May run beside anything else. No error where there is no such library: the call finds that out itself. */
NPCC_EXPORT npcc_status npcc_rt_prepare(int32_t device, const char *routine);

/* The CUDA stream that this thread's work on a device is ordered by (NULL on the CPU), for those who exchange arrays with other libraries; and
 * order against a stream of theirs: ours_waits = 1: our later work waits for what is on theirs now; 0: theirs for ours. */
NPCC_EXPORT npcc_status npcc_rt_stream(int32_t device, void **stream);
NPCC_EXPORT npcc_status npcc_rt_order_streams(int32_t device, void *foreign, int32_t ours_waits);

/* What matrix products run on: the BLAS and the cuBLAS in use, "" where the own loop serves. Opens them. */
NPCC_EXPORT const char *npcc_rt_blas_description(void);
NPCC_EXPORT const char *npcc_rt_cublas_description(void);
NPCC_EXPORT const char *npcc_rt_cublaslt_description(void);
/* The cuFFT and the cuSOLVER in use, "" where there is none. Opens them. */
NPCC_EXPORT const char *npcc_rt_cufft_description(void);
NPCC_EXPORT const char *npcc_rt_cusolver_description(void);

/* Counters, for tests and `npcc explain`: all since the process began, over all devices. */
typedef struct npcc_counters {
  int64_t allocations, bytes_allocated, bytes_in_use, bytes_cached, peak_bytes_in_use;
  int64_t launches, parallel_regions;
  int64_t bytes_host_to_device, bytes_device_to_host, bytes_device_to_device;
  int64_t live_buffers; /* buffers that somebody still holds a reference to */
  int64_t replays; /* runs of launches that went to a GPU as one graph; `launches` has each of them */
} npcc_counters;
NPCC_EXPORT void npcc_rt_counters(npcc_counters *out);
/* Recording, for `npcc profile`: what is done between the two, in no order. `begin` and `end` are nanoseconds of CLOCK_MONOTONIC. `device` is NPCC_CPU for
 * what the host does, and `track` its thread, counted from 0; of a GPU, `track` is the stream. `label` may have a tab and a place in Python's source
 * behind it. stop waits for the devices and gives each event to `take`; it returns how many there were. */
typedef enum npcc_trace_kind {
  NPCC_TRACE_CALL = 0, /* of a compiled function */
  NPCC_TRACE_KERNEL, NPCC_TRACE_LIBRARY, NPCC_TRACE_HOST_TO_DEVICE, NPCC_TRACE_DEVICE_TO_HOST, NPCC_TRACE_DEVICE_TO_DEVICE, NPCC_TRACE_WAIT
} npcc_trace_kind;
typedef struct npcc_trace_event {
  int32_t kind, device;
  int64_t track;
  const char *label;
  int64_t begin, end, bytes;
} npcc_trace_event;
NPCC_EXPORT void npcc_rt_trace_start(void);
NPCC_EXPORT int64_t npcc_rt_trace_stop(void (*take)(const npcc_trace_event *event, void *argument), void *argument);
/* Gives cached memory back to the devices. */
NPCC_EXPORT void npcc_rt_trim(void);
/* Fault injection for tests: the k-th allocation from now on this device fails as out of memory (0: off). */
NPCC_EXPORT void npcc_rt_fail_allocation(int32_t device, int64_t k);

/* ---- 2. Generated functions and how they are called ----------------------------------------------------------- */

/* Kind of a parameter or result. A scalar parameter is declared with a dtype; `weak` says Python scalar (int, float,
 * bool, complex: dtype INT64, FLOAT64, BOOL, COMPLEX128) rather than NumPy scalar. */
typedef enum npcc_kind { NPCC_SCALAR = 0, NPCC_ARRAY = 1, NPCC_NONE = 2, NPCC_GENERATOR = 3 } npcc_kind;

/* What a generator of random numbers is to Python: npcc_param::dtype of a parameter of that kind. */
typedef enum npcc_generator_class { NPCC_RANDOM_GENERATOR = 0, NPCC_RANDOM_STATE = 1 } npcc_generator_class;

/* NumPy's bit generators, whose states the runtime knows how to read. */
typedef enum npcc_bits_kind {
  NPCC_BITS_OTHER = 0, NPCC_BITS_MT19937, NPCC_BITS_PCG64, NPCC_BITS_PCG64DXSM, NPCC_BITS_PHILOX, NPCC_BITS_SFC64
} npcc_bits_kind;

/* A source of random numbers. `bits` is a bitgen_t of NumPy's (numpy/random/bitgen.h): that of the caller's object, whose state goes on where the
 * call leaves it, or of the runtime's own. The caller holds its lock during the call. */
typedef struct npcc_generator {
  void *bits;
  int32_t bits_kind;   /* npcc_bits_kind: numpy.random.seed can set an MT19937; GPUs go on from states that can be read */
  int32_t has_gauss;   /* RandomState: a normal number is kept for the next draw */
  double gauss;
  int32_t is_own;      /* made by the runtime */
  /* The caller's way to a new child of `object`, which lives until the call ends; NULL is returned where it has none. NULL: none has. */
  struct npcc_generator *(*spawn)(void *object);
  void *object;
} npcc_generator;

/* npcc_param::weak of a parameter that takes strings, whose values are their numbers (npcc_rt_text_new), of dtype INT64. */
#define NPCC_WEAK_STRING 2

typedef struct npcc_param {
  const char *name;    /* "" for results */
  int32_t kind;        /* npcc_kind */
  int32_t dtype;       /* npcc_dtype */
  int32_t rank;
  int32_t weak;        /* scalars: a Python scalar; arrays: a list (of lists) of Python scalars; NPCC_WEAK_STRING */
  int32_t written;     /* parameters: the function stores into it (or into a view of it) */
  uint32_t unit_axes;  /* bit k: extent k is 1 and broadcasts; the others are as dynamic as ever */
  int32_t is_view;     /* results: never an argument itself, though a view may show all of one; parameters: need not be contiguous in any variant */
} npcc_param;

/* What a variant takes for granted. */
/* The extents of two axes are equal; array_a and array_b are parameter indices. Where array_a is -1, the extent is the number axis_a. */
typedef struct npcc_extent_guard { int16_t array_a, axis_a, array_b, axis_b; } npcc_extent_guard;

#define NPCC_ASSUME_CONTIGUOUS 1  /* every array argument is C-contiguous, if it is no view, and aligned to its element */
#define NPCC_ASSUME_NO_ALIAS 2    /* no written argument overlaps another argument */
#define NPCC_ASSUME_WRITABLE 4    /* no written argument is NPCC_READONLY; a variant without it looks before each store */
#define NPCC_ASSUME_SMALL_INTEGERS 8 /* every Python int lies between -2^31 and 2^31 */

/* A variant's entry. slots[k], k < parameter count: pointer to the scalar, or to the MLIR memref descriptor
 * {void *allocated, void *aligned, int64_t offset, int64_t sizes[rank], int64_t strides[rank]} (rank 0: the first three
 * fields; the highest bit of `allocated` is set where a written argument is NPCC_READONLY). slots[parameter count + k]: where result k is written, same forms. Called inside a frame. Arguments are borrowed; an
 * array result carries one reference to its base, also if that is an argument's (which the entry retains then). */
typedef void (*npcc_entry)(void **slots);

#define NPCC_VARIANT_DISTRIBUTED 1 /* an SPMD body, to be called once per device of a group (part 4) */
#define NPCC_VARIANT_AWAITS 2      /* it waits for its arguments itself, and says what it writes (npcc_rt_await, npcc_rt_written) */

typedef struct npcc_variant {
  int32_t target;       /* npcc_target */
  int32_t assumptions;  /* NPCC_ASSUME_* */
  int32_t guard_count;
  int32_t flags;        /* NPCC_VARIANT_* */
  const npcc_extent_guard *guards;
  npcc_entry entry;
  /* Of code with some of its alternatives only: whether these are the ones for the arguments. slots[k], k < parameter count: as for `entry`;
   * slots[parameter count]: an int8, 1 if they are. It calls nothing of the runtime. NULL: code with all alternatives. */
  npcc_entry choice;
} npcc_variant;

/* What a function gives to Python, made of its results in order. One character says what it is; text is `<bytes>:<the bytes>`.
 *   .           the next result            N  None             "text       a string
 *   ( ... )     a tuple                    [ ... ]  a list      { ... }     a dict: key, value, key, value, ...
 *   L .         list() of what follows
 *   Z( ... )    a list of tuples, of lists of their items; ZC text( ... ): of named tuples
 *   C text( ... )  a call of the class `module:qualified.name` with these arguments (a named tuple)
 *   O text{ ... }  an object of the class: attribute name, value, ...; made without its __init__
 *   S( ... )    a string, of the strings of these forms one behind the other
 *   %text ...   a string: format(what follows, text), or str() of it if there is no text
 *   b ...       a string: str() of a complex number, without its parentheses
 *   T .         a string, by its number (npcc_rt_text_new)
 *   K .         an array, by its number (npcc_rt_keep), or a list of them; a number below 0 is None
 *   ?n ... ... .   one of n forms; which one the next result says. All results of all n forms are there. */
#define NPCC_FORM_RESULT '.'
#define NPCC_FORM_NONE 'N'
#define NPCC_FORM_TEXT '"'
#define NPCC_FORM_LIST 'L'
#define NPCC_FORM_ROWS 'Z'
#define NPCC_FORM_CALL 'C'
#define NPCC_FORM_OBJECT 'O'
#define NPCC_FORM_STRING 'S'
#define NPCC_FORM_FORMAT '%'
#define NPCC_FORM_BARE 'b'
#define NPCC_FORM_NUMBERED 'T'
#define NPCC_FORM_KEPT 'K'
#define NPCC_FORM_CHOICE '?'

typedef struct npcc_function {
  const char *name;
  const char *signature;  /* for messages: "step(float64[:,:], float)" */
  const char *file;       /* Python source */
  int32_t line;
  int32_t param_count, result_count, variant_count;
  const char *result_form; /* how Python puts the results together: see NPCC_FORM_* */
  int32_t generator_count; /* captured generators: the highest number that it uses, plus 1 */
  const npcc_param *params;
  const npcc_param *results;
  const npcc_variant *variants;  /* tried in order; the last of a target has no assumptions */
} npcc_function;

typedef struct npcc_complex { double re, im; } npcc_complex;

/* One argument or result. Scalars are stored as the dtype says: integers and bool in `i` (unsigned ones in `u`),
 * FLOAT16/32/64 and BFLOAT16 as double in `f`, complex in `c`. */
typedef union npcc_value {
  int64_t i;
  uint64_t u;
  double f;
  npcc_complex c;
  npcc_array *a;
  npcc_generator *g;
} npcc_value;

typedef struct npcc_call_options {
  int32_t device;        /* where to run: NPCC_CPU, a logical CPU device, or a CUDA ordinal */
  int32_t device_count;  /* over how many devices (>= 1), from `device` on; on NPCC_CPU: logical devices 0.. and the caller's arrays as they are */
  int32_t asynchronous;  /* 1: leave device work running; errors found later are raised by the next synchronize/read */
  /* Generators that the function uses without taking them as arguments (npcc_rt_captured_generator): numpy.random's own, then those of globals.
   * Without any, the first is one of the runtime's. */
  int32_t generator_count;
  npcc_generator *const *generators;
} npcc_call_options;

/* Calls `function`: picks the first variant of the device's target whose assumptions and guards hold, brings arrays that
 * live elsewhere to the device (C-contiguous copies), runs, copies written ones back, and gives results. Array results:
 * `results[k].a` points to an npcc_array the caller provides; the result owns one reference to its base, unless its base
 * is an argument's base (then data, shape and strides are given in the caller's own array, and no reference is owned). If
 * all array arguments live on the CPU, array results are brought to the CPU; else they stay where they were computed. */
NPCC_EXPORT npcc_status npcc_rt_call(const npcc_function *function, const npcc_call_options *options,
                                     const npcc_value *args, npcc_value *results);

/* What the C functions of an ahead-of-time module call: npcc_rt_call on one device (a GPU if there is one and the function has code for it, else the
 * CPU), waiting for the end. Returns the npcc_error; its text stays with the thread. */
NPCC_EXPORT int32_t npcc_rt_invoke(const npcc_function *function, const npcc_value *args, npcc_value *results);
NPCC_EXPORT const char *npcc_rt_last_error(void);

/* From begin to end, calls of this thread on a GPU return when they have read their arrays of the host: arrays that they write, or give as new ones,
 * hold their values at the end (a later call that reads one waits for it), and so do errors that are found on the device come at the end. Arrays in
 * page-locked memory are not to be changed, and no array that is written is to be freed, until four more calls have returned. Pairs nest. */
NPCC_EXPORT void npcc_rt_begin_overlap(void);
NPCC_EXPORT npcc_status npcc_rt_end_overlap(void);
NPCC_EXPORT int32_t npcc_rt_is_overlapping(void);

/* Strings and kept arrays at the border (what compiled code does with them: part 3), which are numbers. Whoever calls a function that takes or gives
 * them holds them from before it makes the arguments' numbers until it has read the results, on one thread. The table of strings is emptied when nobody
 * holds it. */
NPCC_EXPORT void npcc_rt_hold(void);
NPCC_EXPORT void npcc_rt_let_go(void);
/* A kept array, with one more reference to its base as a result has it. `to_host`: it is brought to the CPU, with those that share its memory.
 * IndexError where the number is none. */
NPCC_EXPORT npcc_status npcc_rt_take_kept(int64_t number, int32_t to_host, npcc_array *array);
NPCC_EXPORT int64_t npcc_rt_text_new(const char *utf8, int64_t bytes); /* the number */
/* Copies at most so many bytes of UTF-8; the number of all. */
NPCC_EXPORT int64_t npcc_rt_text_read(int64_t number, char *utf8, int64_t bytes);
/* What makes strings as only Python and NumPy do. Both store a string's number (a method: what its type says) and return 0, or return 1 with
 * "<error's name>: <message>".
 * method: as npcc_rt_text_method. array: kind 's' is str(), 'r' repr(), 'l' str() of the list of the items; 'e' what a Python expression of `numpy` and
 * `a`, the array, gives, which stands in dtype behind a space: "float64 numpy.array2string(a, precision=2)". The array lies in host memory. */
typedef struct npcc_text_hooks {
  int (*method)(const char *method, int32_t count, const int64_t *arguments, int64_t *result, char *message, int64_t bytes);
  int (*array)(const npcc_array *array, const char *dtype, int32_t kind, int64_t *result, char *message, int64_t bytes);
} npcc_text_hooks;
NPCC_EXPORT void npcc_rt_set_text_hooks(const npcc_text_hooks *hooks);

/* Where print() from compiled code goes; NULL: standard output. */
NPCC_EXPORT void npcc_rt_set_print(void (*write)(const char *text, int64_t bytes));

/* ---- 3. What generated code calls (inside a frame, on the frame's device and stream) -------------------------- */

NPCC_EXPORT void *npcc_rt_alloc(int64_t bytes);  /* a buffer with one reference; fails the frame with MemoryError */
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail(int32_t error, const char *message, const char *file, int32_t line);
/* RecursionError if the thread's stack is nearly used up. */
NPCC_EXPORT void npcc_rt_check_stack(const char *file, int32_t line);
/* Seconds of a clock of Python's module `time` ("time", "perf_counter", "monotonic", "process_time"), after the device's work so far. */
NPCC_EXPORT double npcc_rt_clock(const char *kind);
/* IndexError in NumPy's words: "index 7 is out of bounds for axis 0 with size 5". */
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail_index(int64_t index, int64_t axis, int64_t size, const char *file, int32_t line);
/* ValueError in NumPy's words: "operands could not be broadcast together with shapes (3,) (4,)". extents: ranks[0] of the first,
 * then ranks[1] of the second, ... */
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail_broadcast(int32_t operands, const int64_t *ranks, const int64_t *extents,
                                                      const char *file, int32_t line);
/* What an array is given by, which decides the words of a ValueError: "could not broadcast input array from shape (3,) into shape (4,)",
 * "non-broadcastable output operand with shape (4,) doesn't match the broadcast shape (3,)", "shape mismatch: value array of shape (3,) could
 * not be broadcast to indexing result of shape (4,)". */
enum { NPCC_STORE_ASSIGNMENT = 0, NPCC_STORE_OUTPUT = 1, NPCC_STORE_POSITIONS = 2 };
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail_broadcast_store(int32_t kind, int32_t from_rank, const int64_t *from, int32_t to_rank,
                                                            const int64_t *to, const char *file, int32_t line);
/* `{0}`, `{1}`, ... of the format stand for the arguments. */
NPCC_EXPORT NPCC_NORETURN void npcc_rt_fail_format(int32_t error, const char *format, int32_t count, const int64_t *args, const char *file,
                                                   int32_t line);

/* CPU: body(lo, hi, context) over [0, n) in chunks of at least `grain`; inline if n <= grain. An error inside a chunk
 * fails the frame after the join. Chunk borders are multiples of `grain`, whatever the number of threads. */
NPCC_EXPORT void npcc_rt_parallel_for(int64_t n, int64_t grain, void (*body)(int64_t lo, int64_t hi, void *context), void *context);
/* The same of a kernel; label: as npcc_kernel's. */
NPCC_EXPORT void npcc_rt_run_kernel(int64_t n, int64_t grain, void (*body)(int64_t lo, int64_t hi, void *context), void *context, const char *label);

/* CPU: thread-level kernels. Generated code is called with the thread that it is, whose first fields it reads. */
typedef struct npcc_thread {
  int64_t thread[3], block[3];             /* positions: of the thread in its block, of the block in the grid */
  int64_t block_size[3], grid_size[3];     /* in threads, in blocks */
  char *shared, *dynamic_shared;           /* the block's memory: what the kernel declares, and what the launch gives it */
  int64_t dynamic_bytes;
  void *runtime;                           /* the runtime's; NULL where the threads of a block run one after the other */
} npcc_thread;
typedef struct npcc_grid {
  int64_t grid[3], block[3];
  int64_t shared_bytes, dynamic_bytes;     /* of shared memory for each block */
  int32_t flags;                           /* NPCC_THREADS_... */
  int32_t line;
  const char *name, *file;                 /* of the kernel, for messages */
} npcc_grid;
enum { NPCC_THREADS_MEET = 1, NPCC_THREADS_COOPERATIVE = 2 };
/* Runs body(thread, context) for all blocks: with NPCC_THREADS_MEET for each thread, on a stack of its own, so that threads may wait for each other;
 * else once for each block, and the body runs over its threads. ValueError for grids, blocks and shared memory that no GPU has. */
NPCC_EXPORT void npcc_rt_launch_threads(const npcc_grid *grid, void (*body)(npcc_thread *thread, void *context), void *context);
/* All threads of the block that have not ended (of the grid: `grid` = 1) arrive before one goes on; the number of those whose `value` is not 0. */
NPCC_EXPORT int32_t npcc_rt_thread_barrier(npcc_thread *thread, int32_t grid, int32_t value);
/* The lanes of `mask` meet: each gives a value. `result` gets those of all 32 lanes, and the mask of the lanes that gave one. */
NPCC_EXPORT int32_t npcc_rt_warp_meet(npcc_thread *thread, int32_t mask, int64_t value, int64_t result[32]);

/* CUDA: an image (fatbin, cubin or PTX text) and the kernels in it; both are static data of the module, loaded and looked up
 * once per device. */
typedef struct npcc_image {
  const void *cubin; int64_t cubin_bytes; int32_t cubin_capability; /* e.g. 90 */
  const char *ptx;  /* NUL-terminated, or NULL */
  void *state;      /* the runtime's; starts NULL */
} npcc_image;
typedef struct npcc_kernel {
  npcc_image *image;
  const char *name;
  void *state;      /* the runtime's; starts NULL */
  const char *label; /* for recordings: "its name<tab>file.py:line", or NULL */
} npcc_kernel;
/* params[k] points to parameter k. flags: 1 = cooperative (all blocks run at once), 2 = and grid_x is the most that is wanted: the runtime takes as
 * many blocks as the device runs at once. 4 = the first of several launches, 8 = one of the others: none of them needs or changes what another one
 * writes, nothing is allocated or freed between them, and the runtime may run them side by side. 16 = it may reach memory that it must not: errors that end the
 * context name it. An empty grid is legal and launches nothing. */
NPCC_EXPORT void npcc_rt_launch(npcc_kernel *kernel, int64_t grid_x, int64_t grid_y, int64_t grid_z, int64_t block_x, int64_t block_y,
                                int64_t block_z, int64_t shared_bytes, int32_t flags, void **params);
/* Where kernels on this frame's device record an error found on the device: int64 record[8] = {error, line, a, b, c, file
 * pointer (host address), message pointer (host address) or 0, place}. `place` orders errors, and the earliest stays: it is 0 without an error, -1
 * while a thread writes, and else a positive number of which the bits from 46 on are npcc_rt_launch_number() and the others say where in the launch
 * the program makes the check, 1 or more. A thread that fails writes if `place` is 0 or greater than its own, which it has replaced by -1 with a
 * compare-and-swap. For NPCC_INDEX_ERROR without a message a, b, c are index, axis, size. Checked at every synchronisation, and reset. The record is in host memory
 * that the device can address; on the CPU it is the frame's own. `{0}`, `{1}`, `{2}` of a message stand for a, b, c. */
NPCC_EXPORT int64_t *npcc_rt_error_record(void);
/* A number for the next launch on this frame's device: greater than that of the launches before in the call, but that it begins again after 2^17 of
 * them. */
NPCC_EXPORT int64_t npcc_rt_launch_number(void);
NPCC_EXPORT int32_t npcc_rt_multiprocessors(void);
/* What follows on the device comes after the copy of these bytes, if they are of an argument that is on its way from the host; counted from `address`, in an
 * argument; high < 0: up to its end. */
NPCC_EXPORT void npcc_rt_await(int64_t address, int64_t low, int64_t high);
/* What is launched next may write these bytes of an argument, counted as above, and no others of it. What was written before, elsewhere, may go to the host
 * from now on. Said once for each launch and argument by code that says it for all of them (NPCC_VARIANT_AWAITS). */
NPCC_EXPORT void npcc_rt_written(int64_t address, int64_t low, int64_t high);

/* Scalars between host code and the frame's device (a plain copy on the CPU). read waits for the stream. */
NPCC_EXPORT void npcc_rt_read(void *to, const void *from, int64_t bytes);
NPCC_EXPORT void npcc_rt_write(void *to, const void *from, int64_t bytes);

/* C[m,n] = A[m,k] B[k,n]; row and column strides in elements, dtype FLOAT32/64, COMPLEX64/128 (cuBLAS, OpenBLAS; an own loop where no
 * BLAS is found, or where neither stride of an operand is 1) and every other dtype (own loop, NumPy's accumulation type). `dtype` is that of A
 * and B; `result_dtype`, that of C, is the same, or FLOAT32 where `dtype` is FLOAT16 or BFLOAT16: products of these are summed in float32, and
 * rounded once if C is narrow. */
typedef struct npcc_matrix { void *data; int64_t row_stride, column_stride; } npcc_matrix;
/* flags: products of FLOAT32 may round their operands to 11 bits (TF32), where the device has units for that. */
enum { NPCC_MATMUL_TF32 = 1 };
NPCC_EXPORT void npcc_rt_matmul(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n, int64_t k, const npcc_matrix *a,
                                const npcc_matrix *b, const npcc_matrix *c);

/* What is done to the elements of a product before they are stored: activation(alpha A B + beta addend + bias). Sums of narrow floats are rounded behind
 * it, or before and behind it where no library does both at once.
 * The addend is a matrix as large as C, the bias has an element for each column; a stride of 0 means the same element all along. Both have the dtype
 * of C. C shares no memory with them, but the addend may be C itself: the product is added to it. What is NULL is left out. */
enum { NPCC_ACTIVATION_NONE = 0, NPCC_ACTIVATION_RELU = 1 };
typedef struct npcc_epilogue {
  double alpha, beta;
  npcc_matrix addend;
  void *bias;
  int64_t bias_stride;
  int32_t activation;
} npcc_epilogue;

/* npcc_rt_matmul with an epilogue, for C of FLOAT16, BFLOAT16, FLOAT32 or FLOAT64. Where cuBLASLt is found it does both at once. */
NPCC_EXPORT void npcc_rt_matmul_epilogue(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n, int64_t k, const npcc_matrix *a,
                                         const npcc_matrix *b, const npcc_matrix *c, const npcc_epilogue *epilogue);

/* npcc_rt_matmul for each matrix of stacks with `rank` axes of these extents. `a`, `b` and `c` are the first matrices; the strides say how far, in
 * elements, the next ones along each axis are: 0 where it is the same matrix. */
NPCC_EXPORT void npcc_rt_matmul_stack(int32_t dtype, int32_t result_dtype, int32_t flags, int64_t m, int64_t n, int64_t k, int32_t rank,
                                      const int64_t *extents, const npcc_matrix *a, const int64_t *a_strides, const npcc_matrix *b,
                                      const int64_t *b_strides, const npcc_matrix *c, const int64_t *c_strides);

/* A routine of a library (runtime/Routines.h names them) on arrays of the frame's device; the first `inputs` of the `count` operands are only
 * read. Of each operand data, dtype, rank, shape and strides count. Returns the number, from 1, of the first matrix for which there is no
 * result; 0 if there is none. */
NPCC_EXPORT int64_t npcc_rt_routine(const char *name, int32_t inputs, int32_t count, const npcc_array *operands);

/* Random numbers (np.new_generator and its like in dialects/Np/NpOps.td). Generators live until the frame ends. seed: `count` int64 on the frame's
 * device, or NULL. */
NPCC_EXPORT npcc_generator *npcc_rt_new_generator(const char *bits, const char *seeding, npcc_generator *parent, const int64_t *seed, int64_t count);
NPCC_EXPORT void npcc_rt_seed_generator(const char *seeding, npcc_generator *generator, const int64_t *seed, int64_t count);
NPCC_EXPORT npcc_generator *npcc_rt_captured_generator(int64_t number);
/* One draw. distribution: a row of runtime/random/Distributions.def. Scalars are float64 or int64, as are the elements of arrays, which are contiguous.
 * npcc_rt_draw: out and arrays are on the frame's device. npcc_rt_draw_scalar: of one element, which is widened to float64 or int64. */
typedef union npcc_number { double f; int64_t i; } npcc_number;
typedef struct npcc_draw_array { const void *data; int64_t count; } npcc_draw_array;
typedef struct npcc_draw {
  int32_t distribution, dtype;
  int32_t scalar_count, array_count;
  int64_t count;
  const npcc_number *scalars;
  const npcc_draw_array *arrays;
  void *out;
} npcc_draw;
NPCC_EXPORT void npcc_rt_draw(npcc_generator *generator, const npcc_draw *draw);
NPCC_EXPORT void npcc_rt_draw_scalar(npcc_generator *generator, const npcc_draw *draw);
/* Whether the state that `bits` (a bitgen_t) has lies in memory as the runtime takes it to lie for such a bit generator (npcc_bits_kind). Draws from it. */
NPCC_EXPORT int32_t npcc_rt_reads_bits(void *bits, int32_t kind);
/* The NumPy whose streams these are: "2.4.6". */
NPCC_EXPORT const char *npcc_rt_random_version(void);

/* numpy.reshape: fills base, data and strides of `to` (dtype, rank and shape are given): a view of `from` with one more reference if its
 * strides allow, a new buffer otherwise. ravel: a view only of what is C-contiguous. */
NPCC_EXPORT void npcc_rt_reshape(const npcc_array *from, npcc_array *to, int32_t ravel);

/* A number for an array, which lives until the caller lets go of it (npcc_rt_let_go), and what it stands for: fills all of `array` but dtype and rank,
 * which are given, with one more reference; an array of no elements where the number stands for none of these. */
NPCC_EXPORT int64_t npcc_rt_keep(const npcc_array *array);
NPCC_EXPORT void npcc_rt_kept(int64_t number, npcc_array *array);

/* The elements of contiguous lines, or (positions) where in their line they stood (int64, stable), in NumPy's order: NaN last. bound: all
 * elements are integers from 0 to below it; 0: not known. */
NPCC_EXPORT void npcc_rt_sort(int32_t dtype, int32_t positions, int64_t lines, int64_t length, int64_t bound, const void *in, void *out);

/* print(): items joined by the separator, then end; written at once. Item kinds: 's' NUL-terminated text, 'i' int64, 'u'
 * uint64, 'f' double as Python's repr, 'b' bool, 'c' complex; 'g', 'h', 'n', 'k' are float32, float16, bfloat16 (in `f`) and complex64 (in `c`) with the
 * shortest text of their own precision, as str() of NumPy's scalars; 'C', 'K': complex without its parentheses; 't' a string's number. spec: Python format spec (".3f"), or NULL; a bad one fails the
 * frame with Python's ValueError. separator and end: NULL for " " and "\n". */
typedef struct npcc_print_item { int32_t kind; int32_t reserved; const char *spec; npcc_value value; } npcc_print_item;
NPCC_EXPORT void npcc_rt_print(int32_t count, const npcc_print_item *items, const char *separator, const char *end);

/* Strings that are known at run time only are numbers of a table of the runtime's (runtime/Text.h): equal strings have equal numbers. A character
 * alone is the number of its code point, the empty string 0x110000; a number below 0 is None. Positions count code points. The items of npcc_rt_text stand one behind the
 * other. A position outside the string: the empty string. slice: start, stop and step as Python's slice.indices() has them. compare: -1, 0, 1.
 * find: -1 where there is none, start and stop as str.find takes them. method: a method of Python's str, by `name:types`, the
 * types of arguments and result being 't' for strings, 'i' for integers, 'u' for those without a sign, 'f' for a double's bits, 'b' for bools:
 * "center:ti>t". */
NPCC_EXPORT int64_t npcc_rt_text(int32_t count, const npcc_print_item *items);
NPCC_EXPORT int64_t npcc_rt_text_length(int64_t text);
NPCC_EXPORT int64_t npcc_rt_text_at(int64_t text, int64_t position);
NPCC_EXPORT int64_t npcc_rt_text_slice(int64_t text, int64_t start, int64_t stop, int64_t step);
NPCC_EXPORT int64_t npcc_rt_text_repeat(int64_t text, int64_t count);
NPCC_EXPORT int64_t npcc_rt_text_compare(int64_t left, int64_t right);
NPCC_EXPORT int64_t npcc_rt_text_find(int64_t text, int64_t part, int64_t start, int64_t stop);
NPCC_EXPORT int64_t npcc_rt_text_starts_with(int64_t text, int64_t part);
NPCC_EXPORT int64_t npcc_rt_text_ends_with(int64_t text, int64_t part);
/* int() and float(), whose result are a double's bits; 0 for what is none. */
NPCC_EXPORT int64_t npcc_rt_text_is_integer(int64_t text, int64_t base);
NPCC_EXPORT int64_t npcc_rt_text_to_integer(int64_t text, int64_t base);
NPCC_EXPORT int64_t npcc_rt_text_is_float(int64_t text);
NPCC_EXPORT int64_t npcc_rt_text_to_float(int64_t text);
NPCC_EXPORT int64_t npcc_rt_text_method(const char *method, int32_t count, const int64_t *arguments);

/* What code for the target "debug" calls besides. The runtime keeps, for each frame, what it has heard of each byte of memory: whether it was ever
 * written, and by which iterations it was accessed last (runtime/debug/Shadow.h). It fails the frame with a RuntimeError
 *   where two iterations of one space access one place, one of them writing (updates that meet are none of that),
 *   where a place is updated, or read with all of its array, that was never written since its array was made,
 *   and where an array is accessed that was released.
 * Memory that it has not heard of counts as written.
 *
 * A space of iterations begins; spaces may be inside each other. ordered: next counts from 0; otherwise it gives each number below `iterations`
 * once, in random order, which the environment variable NPCC_SEED decides. */
NPCC_EXPORT void npcc_rt_debug_begin(int64_t iterations, int32_t ordered);
NPCC_EXPORT int64_t npcc_rt_debug_next(void);
NPCC_EXPORT void npcc_rt_debug_end(void);
/* A new array, and the one reference less that it is about to have. */
NPCC_EXPORT void npcc_rt_debug_new(const void *base, int64_t bytes);
NPCC_EXPORT void npcc_rt_debug_release(const void *base);
/* npcc_rt_reshape made `to` of `from`: a view of it, or an array of its own, of so many bytes, which counts as written. */
NPCC_EXPORT void npcc_rt_debug_reshaped(const void *from, const void *to, int64_t bytes);
/* Was the element written since its array was made? A single read of one that was not is no failure: it may be a copy. */
NPCC_EXPORT int32_t npcc_rt_debug_is_written(const void *address, int64_t bytes);
/* What was stored there was never written itself: so it is again. */
NPCC_EXPORT void npcc_rt_debug_forget(const void *address, int64_t bytes);
/* An access is about to be made. An update reads and writes; several iterations may do that to one place. */
NPCC_EXPORT void npcc_rt_debug_read(const void *address, int64_t bytes, const char *file, int32_t line);
NPCC_EXPORT void npcc_rt_debug_write(const void *address, int64_t bytes, const char *file, int32_t line);
NPCC_EXPORT void npcc_rt_debug_update(const void *address, int64_t bytes, const char *file, int32_t line);
/* Of all elements of an array; strides count elements. */
NPCC_EXPORT void npcc_rt_debug_read_all(const void *address, int64_t element_bytes, int64_t rank, const int64_t *extents, const int64_t *strides,
                                        const char *file, int32_t line);
NPCC_EXPORT void npcc_rt_debug_write_all(const void *address, int64_t element_bytes, int64_t rank, const int64_t *extents, const int64_t *strides,
                                         const char *file, int32_t line);

/* ---- 4. Many devices: one frame (and one thread) per device of the group, all running the same body ------------- */

NPCC_EXPORT int64_t npcc_rt_rank(void);  /* 0 outside a group */
NPCC_EXPORT int64_t npcc_rt_size(void);  /* 1 outside a group */
/* out holds size * bytes, in rank order, the same bits on every device. Pointers are on the frame's device. */
NPCC_EXPORT void npcc_rt_all_gather(void *out, const void *in, int64_t bytes);
/* Tiles of rows with `lo` ghost rows before and `hi` after the `rows` own ones, in one buffer of (lo + rows + hi) * row_bytes: fills
 * the ghost rows from the neighbours' own rows. Ranks at the ends leave their outer ghosts alone. */
NPCC_EXPORT void npcc_rt_halo_exchange(void *tile, int64_t rows, int64_t row_bytes, int64_t lo, int64_t hi);

/* ---- 5. The user's own streams, kernels and memory on a GPU -----------------------------------------------------
 *
 * Device numbers are CUDA ordinals. Work is ordered by the device's one stream unless a thread enters another one; what work on
 * several streams shares by way of npcc's buffers is ordered too (runtime/cuda/Streams.h). Streams and events are the driver's
 * handles; CUDA's default streams are 1 (legacy) and 2 (the thread's). */

/* This thread's work on the device goes to `stream` until npcc_rt_leave_stream(previous). */
typedef struct npcc_stream_use { void *streams; int32_t index; } npcc_stream_use;
NPCC_EXPORT npcc_status npcc_rt_enter_stream(int32_t device, void *stream, npcc_stream_use *previous);
NPCC_EXPORT void npcc_rt_leave_stream(const npcc_stream_use *previous);
NPCC_EXPORT int32_t npcc_rt_has_entered_stream(int32_t device);
/* This thread's work is about to use the buffer (anything else is left alone): it waits for what other streams do with it. */
NPCC_EXPORT npcc_status npcc_rt_order_buffer(int32_t device, void *base);

/* flags: the driver's (1: does not wait for the legacy default stream); priority: lower numbers go first. */
NPCC_EXPORT npcc_status npcc_rt_stream_new(int32_t device, int32_t flags, int32_t priority, void **stream);
NPCC_EXPORT npcc_status npcc_rt_stream_destroy(int32_t device, void *stream);
NPCC_EXPORT npcc_status npcc_rt_stream_synchronize(int32_t device, void *stream);
NPCC_EXPORT npcc_status npcc_rt_stream_query(int32_t device, void *stream, int32_t *done);
NPCC_EXPORT npcc_status npcc_rt_stream_wait_event(int32_t device, void *stream, void *event);
/* flags: the driver's (1: blocking synchronisation, 2: no timing). */
NPCC_EXPORT npcc_status npcc_rt_event_new(int32_t device, int32_t flags, void **event);
NPCC_EXPORT npcc_status npcc_rt_event_destroy(int32_t device, void *event);
NPCC_EXPORT npcc_status npcc_rt_event_record(int32_t device, void *event, void *stream);
NPCC_EXPORT npcc_status npcc_rt_event_synchronize(int32_t device, void *event);
NPCC_EXPORT npcc_status npcc_rt_event_query(int32_t device, void *event, int32_t *done);
NPCC_EXPORT npcc_status npcc_rt_event_elapsed(int32_t device, void *from, void *to, float *milliseconds);

/* Modules and their kernels stay loaded as long as the process. image: cubin, fatbin or NUL-terminated PTX. symbol: as it stands in the
 * module; name: for messages. */
#define NPCC_FUNCTION_ATTRIBUTES 10 /* the driver's CU_FUNC_ATTRIBUTE_*, from MAX_THREADS_PER_BLOCK on */
NPCC_EXPORT npcc_status npcc_rt_module_load(int32_t device, const void *image, void **module);
NPCC_EXPORT npcc_status npcc_rt_module_function(int32_t device, void *module, const char *symbol, const char *name, void **kernel);
NPCC_EXPORT npcc_status npcc_rt_module_global(int32_t device, void *module, const char *symbol, void **address, int64_t *bytes);
NPCC_EXPORT void npcc_rt_function_attributes(void *kernel, int32_t values[NPCC_FUNCTION_ATTRIBUTES]);
NPCC_EXPORT npcc_status npcc_rt_function_set_attribute(void *kernel, int32_t attribute, int32_t value);
/* The number of parameters, and the sizes of the first `capacity`; -1 if the driver cannot tell. */
NPCC_EXPORT int32_t npcc_rt_function_parameters(void *kernel, int32_t capacity, int64_t *bytes);

/* params[k] points to parameter k. An empty grid is legal and launches nothing. */
#define NPCC_LAUNCH_COOPERATIVE 1
typedef struct npcc_launch {
  void *kernel;
  int64_t grid[3], block[3];
  int64_t shared_bytes; /* dynamic */
  int32_t flags;
  void **params;
} npcc_launch;
NPCC_EXPORT npcc_status npcc_rt_launch_function(const npcc_launch *launch);

/* Page-locked memory of the host (flags: the driver's; 2: kernels can reach it) and memory that moves between host and device. */
NPCC_EXPORT npcc_status npcc_rt_host_alloc(int32_t device, int64_t bytes, int32_t flags, void **host);
NPCC_EXPORT void npcc_rt_host_free(int32_t device, void *host);
NPCC_EXPORT npcc_status npcc_rt_managed_alloc(int32_t device, int64_t bytes, void **memory);
NPCC_EXPORT void npcc_rt_managed_free(int32_t device, void *memory);
NPCC_EXPORT npcc_status npcc_rt_host_register(int32_t device, void *host, int64_t bytes, int32_t flags);
NPCC_EXPORT npcc_status npcc_rt_host_unregister(int32_t device, void *host);
/* Free bytes, what npcc keeps for later allocations included, and all bytes. */
NPCC_EXPORT npcc_status npcc_rt_memory_info(int32_t device, int64_t *free, int64_t *total);
/* npcc_rt_copy that does not wait where both are contiguous and one is in (page-locked) host memory: the host's array stays alive and
 * alone until the stream is synchronised. */
NPCC_EXPORT npcc_status npcc_rt_copy_async(npcc_array *to, const npcc_array *from);

#ifdef __cplusplus
}
#endif
#endif
