// npcc-lower-device-views: a thread's views of another dtype, of real and imaginary parts and of diagonals (np.part)
// become descriptors, as they do on the host. Kernels of array code have none: their views are made before the launch.
//
//   %v = np.part "imag" %x extents[%n] : memref<?xcomplex<f64>> -> memref<?xf64, strided<[?], offset: ?>>
// becomes
//   %offset = 2 * the offset of %x + 1, %stride = 2 * the stride of %x
//   %v = the descriptor {the address of %x, %offset, [%n], [%stride]}
#include "compiler/codegen/HostLowering.h"
#include "compiler/gpu/Gpu.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Memory.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LOWERDEVICEVIEWS
#include "compiler/gpu/Passes.h.inc"
namespace {

struct LowerDeviceViews : impl::LowerDeviceViewsBase<LowerDeviceViews> {
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    populateViewPatterns(converter, patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<np::PartOp, np::RebaseOp>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace npcc
