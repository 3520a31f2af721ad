// npcc-convert-host-to-llvm: everything that is left in functions of the host goes to the LLVM dialect, in one
// conversion. Upstream's passes, one for each dialect, cost a walk and a set of casts each.
//
//   %a = np.alloc(%n) : memref<?xf64>               %p = llvm.call @npcc_rt_alloc(...), the descriptor of %p
//   %x = memref.load %b[%i]                   ->    llvm.getelementptr, llvm.load
//   %y = arith.addf %x, %x                          %y = llvm.fadd %x, %x
#include "compiler/codegen/HostLowering.h"
#include "dialects/Np/Np.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_CONVERTHOSTTOLLVM
#include "compiler/codegen/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/codegen/Passes.h.inc"
} // namespace npcc

namespace {
struct ConvertHostToLlvm : npcc::impl::ConvertHostToLlvmBase<ConvertHostToLlvm> {
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    addHostTypes(converter);
    RewritePatternSet patterns(&getContext());
    populateRuntimeCallPatterns(converter, patterns);
    populateRandomCallPatterns(converter, patterns);
    populateAccessPatterns(converter, patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateComplexToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    memref::populateExpandStridedMetadataPatterns(patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);

    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    // Device code is the GPU compiler's.
    target.addLegalDialect<gpu::GPUDialect>();
    target.markOpRecursivelyLegal<gpu::GPUModuleOp>();
    target.addIllegalDialect<func::FuncDialect, memref::MemRefDialect, arith::ArithDialect, math::MathDialect,
                             complex::ComplexDialect, cf::ControlFlowDialect, index::IndexDialect, np::NpDialect,
                             affine::AffineDialect, vector::VectorDialect>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    // Views of views are expanded with constants that stay behind, unused, beside what they were converted to.
    getOperation().walk([](arith::ConstantOp constant) {
      if (constant->use_empty())
        constant.erase();
    });
    // Upstream's conversion leaves what scf.for said of its loop as a mere comment on the branch.
    getOperation().walk([](LLVM::BrOp branch) {
      if (auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(branch->removeAttr("llvm.loop_annotation")))
        branch.setLoopAnnotationAttr(annotation);
    });
  }
};
} // namespace

void npcc::buildHostToLlvm(OpPassManager &pm) {
  pm.addPass(createLowerChecks());
  pm.addPass(createExpandMath());
  pm.addPass(createWrapEntries());
  pm.addPass(createLowerBranches());
  pm.addPass(createConvertHostToLlvm());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createBfloatBits());
}

void npcc::registerCodegenPasses() {
  registerNpccCodegenPasses();
  PassPipelineRegistration<>("npcc-host-to-llvm", "Host code of the loop form to the LLVM dialect", buildHostToLlvm);
}
