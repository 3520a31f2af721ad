// Arguments of the user's own kernels: Python objects to the bytes that a launch takes.
#ifndef NPCC_FRONTEND_EXTENSION_KERNELARGUMENTS_H
#define NPCC_FRONTEND_EXTENSION_KERNELARGUMENTS_H
#include "frontend/extension/Extension.h"
#include "runtime/abi/values.h"
#include <deque>

namespace npcc::extension {

/// A parameter of a kernel, as far as it is known.
struct KernelParameter {
  enum Kind : char { Pointer = 'P', Scalar = 'S', Bytes = 'B', Unknown = 'U' } kind = Unknown;
  int dtype = -1;     // npcc_dtype of a scalar, or of what is pointed to; -1: any
  int64_t bytes = -1; // of Bytes and Unknown; -1: not known
  std::string text;   // as it is declared, for messages; "" if that is not known
};

/// An argument as it was found, before it is known what the kernel wants.
struct KernelArgument {
  enum Kind : char { Array, Address, Number, Memory } kind = Address;
  bool isWeak = false;    // a number of Python's
  bool isOrdered = false; // `stream` is the producer's
  int dtype = -1;
  int32_t device = -1;
  void *address = nullptr; // of an array, and of bytes in the host's memory
  void *base = nullptr;    // of one of npcc's arrays
  void *stream = nullptr;
  int64_t bytes = 0; // of Memory
  npcc_value value;
  PyObject *object = nullptr; // borrowed
};

/// The arguments of one launch. Small ones cost no allocation.
class KernelArguments {
public:
  explicit KernelArguments(const char *kernel) : kernel(kernel) {}
  ~KernelArguments();
  KernelArguments(const KernelArguments &) = delete;
  KernelArguments &operator=(const KernelArguments &) = delete;

  /// False with an exception set, as everywhere here.
  bool read(PyObject *tuple);
  /// The device that the arrays are on, `otherwise` if there are none.
  bool findDevice(int32_t otherwise, int32_t &device) const;
  /// Converts to what the parameters are; null: they are not known, and Python's numbers are int64, float64,
  /// complex128, bool.
  bool pack(const std::vector<KernelParameter> *parameters);

  /// The stream that another library works on with its array; null if there is none.
  void *producer() const;
  /// Before and after the launch, this thread's stream being the launch's, `ours`: order against those that work with
  /// the arrays.
  npcc_status orderBefore(int32_t device, void *ours) const;
  npcc_status orderAfter(int32_t device, void *ours) const;

  void **pointers() { return slots; }
  size_t size() const { return count; }
  /// The bytes of argument k, for tests.
  const void *bytes(size_t k) const { return slots[k]; }
  size_t packedBytes(size_t k) const { return sizes[k]; }

private:
  static constexpr size_t few = 24;
  union Slot {
    double align[2];
    char bytes[16];
    void *address;
  };

  bool readOne(PyObject *object, KernelArgument &out);
  bool readForeign(PyObject *object, KernelArgument &out);
  bool readMemory(PyObject *object, KernelArgument &out);
  bool packOne(size_t k, const KernelParameter &parameter);
  bool packNumber(size_t k, int dtype, const KernelParameter &parameter);
  bool packUnknown(size_t k, const KernelParameter &parameter);
  bool wrong(size_t k, const KernelParameter &parameter, const char *why = nullptr) const;
  bool reserve(size_t size);
  bool isProducer(size_t k, void *ours) const;

  const char *kernel;
  size_t count = 0;
  KernelArgument fewArguments[few], *arguments = fewArguments;
  Slot fewValues[few], *values = fewValues;
  void *fewSlots[few], **slots = fewSlots;
  size_t fewSizes[few], *sizes = fewSizes;
  std::vector<PyObject *> owners;
  std::deque<std::string> memories;
};

/// From ("P", dtype number, bytes, text) tuples.
bool readParameters(PyObject *tuple, std::vector<KernelParameter> &out);

} // namespace npcc::extension
#endif
