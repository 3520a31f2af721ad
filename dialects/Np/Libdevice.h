#ifndef NPCC_DIALECTS_NP_LIBDEVICE_H
#define NPCC_DIALECTS_NP_LIBDEVICE_H
// The functions of NVIDIA's libdevice, by the prototypes of runtime/Libdevice.def.
#include "mlir/IR/Builders.h"
#include "mlir/IR/ValueRange.h"
#include <optional>
#include <string>
#include <vector>

namespace npcc::np {

struct LibdevicePrototype {
  mlir::Type returned; // null: void
  /// Parameters in their order; those that point to further results have the type that is pointed to.
  struct Parameter {
    mlir::Type type;
    bool isResult;
  };
  llvm::SmallVector<Parameter, 3> parameters;

  llvm::SmallVector<mlir::Type> operandTypes() const;
  llvm::SmallVector<mlir::Type> resultTypes() const;
};

/// Nothing for a name that libdevice does not have.
std::optional<LibdevicePrototype> findLibdeviceFunction(mlir::MLIRContext *context, llvm::StringRef name);

/// All names, in the order of the alphabet.
std::vector<std::string> libdeviceFunctions();

} // namespace npcc::np
#endif
