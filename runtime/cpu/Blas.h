// A BLAS found at run time: one that the process has already loaded (NumPy's bundled OpenBLAS under any of its names), the
// system's OpenBLAS, or the system's BLAS; NPCC_BLAS names another file, or "none".
#ifndef NPCC_RUNTIME_CPU_BLAS_H
#define NPCC_RUNTIME_CPU_BLAS_H

#include "runtime/MatmulPlan.h"

namespace npcc::rt {

class Blas {
public:
  /// Null if there is none. Looked for at the first product.
  static const Blas *get();

  /// False if a size does not fit the library's integers; dtype is FLOAT32/64 or COMPLEX64/128.
  bool multiply(int32_t dtype, const BlasProduct &plan) const;
  /// Whether a product is x @ x.T, of which `multiply` computes half and copies the rest.
  bool isSymmetric(int32_t dtype, const Gemm &gemm) const;
  /// Copies what is below the diagonal of a product to the other side.
  void mirror(int32_t dtype, const Gemm &gemm) const;

  /// It has threads of its own, and can be told how many.
  bool hasThreads() const { return setThreads && getThreads; }
  /// While there is one of these, the library computes in the threads that call it.
  class OneThread {
  public:
    explicit OneThread(const Blas &blas);
    ~OneThread();

  private:
    const Blas &blas;
  };

  /// A routine of LAPACK in the same library ("dpotrf"), with Fortran's conventions; null if it has none.
  void *findFortran(const char *name) const;
  /// Its integers have 64 bits.
  bool isWide() const { return wide; }

  /// File and interface, for npcc-info: "libblas.so.3 (cblas, 32-bit)".
  const std::string &description() const { return text; }

private:
  bool load(void *library, const std::string &file);

  void *gemm[4] = {}; // by dtype from FLOAT32 on
  void *gemv[4] = {};
  void *syrk[4] = {};
  void (*setThreads)(int) = nullptr;
  int (*getThreads)() = nullptr;
  bool wide = false;  // 64-bit integers
  void *library = nullptr;
  std::string prefix, suffix; // of Fortran's names
  std::string text;
};

} // namespace npcc::rt

#endif
