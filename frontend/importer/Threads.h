#ifndef NPCC_FRONTEND_IMPORTER_THREADS_H
#define NPCC_FRONTEND_IMPORTER_THREADS_H
// Thread-level kernels (npcc.cuda.jit): their launches, and what npcc.cuda has for the code of a thread.
#include "frontend/importer/Calls.h"

namespace npcc::frontend {

//===---- Threads.cpp: kernels and their launches ----===//
/// Whether it is what npcc.cuda.jit gives.
bool isKernel(const py::Object &object);
/// kernel[grid, block, ...], which is called by launchMethod.
inline constexpr llvm::StringLiteral launchMethod = "[grid, block]";
PyValue configured(const PyValue &kernel, const PyValue &configuration);
PyValue launchKernel(Interpreter &in, const PyValue &configured, Call &call);

//===---- ThreadFunctions.cpp ----===//
/// Calls an object that npcc.cuda has for the code of a thread, or a device function; nothing if it is neither.
std::optional<PyValue> callThreadFunction(Interpreter &in, const py::Object &callee, Call &call);
/// The value of one (threadIdx.x); nothing if the object is none.
std::optional<PyValue> threadValue(Interpreter &in, const py::Object &object);

/// The arguments of a call in the order of `names`, which may end with defaults ("mask, value, width=32"); false with
/// an error reported.
bool takeArguments(Interpreter &in, llvm::StringRef function, llvm::StringRef names, const Call &call,
                   std::vector<PyValue> &values);
/// A number of the program or a known one: as a scalar of its own type, whose Python kind `wrap` gives back to what is
/// made of it.
struct ThreadScalar {
  mlir::Value value; // null: an error was reported
  bool isNumpy = false;
  PyValue wrap(Interpreter &in, mlir::Value made) const {
    return PyValue::runtime(isNumpy ? in.ir.rankZero(made) : made);
  }
};
ThreadScalar scalarOf(Interpreter &in, const PyValue &value);
/// An integer as i32, whatever its type is; null with an error reported.
mlir::Value bits32(Interpreter &in, const PyValue &value);
/// 32 bits of a mask as one of Python's ints, which is not negative.
PyValue fromMask(Interpreter &in, mlir::Value mask);
/// np.thread
llvm::SmallVector<mlir::Value> threadOp(Interpreter &in, np::ThreadAction action, mlir::TypeRange results,
                                        mlir::ValueRange operands = {});

//===---- ThreadMemory.cpp ----===//
/// shared.array(shape, dtype), local.array(shape, dtype)
PyValue newThreadArray(Interpreter &in, llvm::StringRef kind, Call &call);
/// const.array_like(array)
PyValue newConstants(Interpreter &in, Call &call);
/// A NumPy array of numbers as constants of the kernel; null with an error reported.
mlir::Value constantArray(Interpreter &in, const py::Object &array);
/// member(dtype, name): the dtype and the offset of a field, which is known.
PyValue memberOf(Interpreter &in, Call &call);
/// field(bytes, dtype, shape, alignment): what lies in the bytes of a record, as npcc.threads.records asks for it.
PyValue fieldOf(Interpreter &in, Call &call);

//===---- DeviceFunctions.cpp ----===//
/// libdevice.sincos(x): numbers become what the prototype declares; several results are a tuple.
PyValue callLibdeviceFunction(Interpreter &in, llvm::StringRef name, Call &call);
/// A function of another compiler's code, which cuda.declare_device names: numbers become what is declared.
PyValue callLinkedFunction(Interpreter &in, const py::Object &callee, Call &call);
/// A device function that is declared for one list of types takes numbers as these.
PyValue callDeviceFunction(Interpreter &in, const py::Object &callee, Call &call);
/// returned(value): what a device function that is compiled alone gives. Its dtype is told to the object, or converted
/// to the one that the object declares.
PyValue returnedValue(Interpreter &in, const py::Object &place, Call &call);
/// cuda.float32x4(...): a named tuple of numbers of one type, of numbers and shorter vectors.
PyValue newVector(Interpreter &in, const py::Object &cls, Call &call);

//===---- Atomics.cpp, WarpFunctions.cpp ----===//
std::optional<PyValue> callAtomic(Interpreter &in, llvm::StringRef name, Call &call);
std::optional<PyValue> callWarpFunction(Interpreter &in, llvm::StringRef name, Call &call);

} // namespace npcc::frontend
#endif
