// npcc-share-kernels: kernels whose code is the same become one function of the image. A statement that stands in a
// program many times, or in a helper that is called many times, gives as many kernels.
//
//   gpu.launch_func @kernels::@f_map_0 ... args(%a)         gpu.launch_func @kernels::@f_map_0 ... args(%a)
//   gpu.launch_func @kernels::@f_map_1 ... args(%b)    ->   gpu.launch_func @kernels::@f_map_0 ... args(%b)
//   gpu.module @kernels { @f_map_0 {...} @f_map_1 {...} }   gpu.module @kernels { @f_map_0 {...} }
//
// Which line of the program they come from may differ: a profile then names the first. Kernels that keep their lines,
// and those with names of their own, differ by their attributes.
#include "compiler/gpu/Gpu.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_SHAREKERNELS
#include "compiler/gpu/Passes.h.inc"
namespace {

DictionaryAttr getAttributesButName(gpu::GPUFuncOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(kernel.getContext());
}

/// The same for equal kernels.
llvm::hash_code getHash(gpu::GPUFuncOp kernel) {
  llvm::hash_code hash = llvm::hash_value(getAttributesButName(kernel).getAsOpaquePointer());
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash = llvm::hash_combine(hash, op->getName().getAsOpaquePointer(), op->getAttrDictionary().getAsOpaquePointer(),
                              op->getNumOperands(), op->getNumResults());
  });
  return hash;
}

bool areEqual(gpu::GPUFuncOp left, gpu::GPUFuncOp right) {
  return getAttributesButName(left) == getAttributesButName(right) &&
         OperationEquivalence::isRegionEquivalentTo(&left.getBody(), &right.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

struct ShareKernels : impl::ShareKernelsBase<ShareKernels> {
  void runOnOperation() override {
    llvm::DenseMap<SymbolRefAttr, SymbolRefAttr> replaced;
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      share(module, replaced);
    if (replaced.empty())
      return;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (SymbolRefAttr other = replaced.lookup(launch.getKernel()))
        launch.setKernelAttr(other);
    });
  }

  void share(gpu::GPUModuleOp module, llvm::DenseMap<SymbolRefAttr, SymbolRefAttr> &replaced) {
    llvm::DenseMap<size_t, SmallVector<gpu::GPUFuncOp>> kept;
    auto getReference = [&](gpu::GPUFuncOp kernel) {
      return SymbolRefAttr::get(module.getNameAttr(), {FlatSymbolRefAttr::get(kernel.getNameAttr())});
    };
    for (auto kernel : llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>())) {
      if (!kernel.isKernel())
        continue;
      SmallVector<gpu::GPUFuncOp> &candidates = kept[size_t(getHash(kernel))];
      auto *same = llvm::find_if(candidates, [&](gpu::GPUFuncOp other) { return areEqual(kernel, other); });
      if (same == candidates.end()) {
        candidates.push_back(kernel);
        continue;
      }
      replaced[getReference(kernel)] = getReference(*same);
      kernel.erase();
    }
  }
};

} // namespace
} // namespace npcc
