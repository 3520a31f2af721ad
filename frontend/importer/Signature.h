#ifndef NPCC_FRONTEND_IMPORTER_SIGNATURE_H
#define NPCC_FRONTEND_IMPORTER_SIGNATURE_H
// Types of parameters, and the text forms that declare them:
//
//   --sig 'step(float64[:,:], float)'
//   # npcc export step(float64[:,:], float), norms(float32[:,:,:])
//   #pythran export step(float64[:,:], float or int)
//
// A type is a dtype of NumPy (float64, f64, f8, ...; a NumPy scalar), a Python type (int, float, bool, complex, str), or
// either followed by axes:
// `[:, :]`; `[::, ::]` is an array of any strides; an axis written `1` has extent 1 and broadcasts. In arrays int,
// float, bool and complex are NumPy's default dtypes. `Generator` and `RandomState` are those of numpy.random. `A or B`
// gives one signature for each alternative.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace npcc::frontend {

struct ParamType {
  /// Constant: known at compile time (ImportRequest says what it is); not a parameter of the compiled function.
  /// Generator: of random numbers, whose class (`Generator`, `RandomState`) stands in `dtype`.
  enum class Kind { Scalar, Array, Constant, Generator } kind = Kind::Scalar;
  std::string dtype;      // NumPy's name: "float64"
  int64_t rank = 0;       // arrays
  bool weak = false;      // scalars: Python's, not NumPy's
  bool isString = false;  // scalars: a str, which compiled code has as an integer (Strings.h)
  bool contiguous = true; // arrays: C-contiguous
  uint32_t unitAxes = 0;  // arrays: bit k: axis k has extent 1
  std::string name;
  bool operator==(const ParamType &) const = default;
};

struct Signature {
  std::string function;
  std::vector<ParamType> params;
};

/// "float64[:,:]", "float": as they are written in a declaration and in messages.
std::string toString(const ParamType &type);
std::string toString(const Signature &signature);

/// One type. Empty, with a message in `error`, if it is none.
std::optional<ParamType> parseType(std::string_view text, std::string &error);

/// "step(float64[:,:], float), other(int or float)": alternatives multiplied out, in order.
bool parseSignatures(std::string_view text, std::vector<Signature> &signatures, std::string &error);

/// The export comments of a Python source. Errors name the line.
struct ExportError {
  int line;
  std::string message;
};
void findExports(std::string_view source, std::vector<Signature> &signatures, std::vector<ExportError> &errors);

} // namespace npcc::frontend
#endif
