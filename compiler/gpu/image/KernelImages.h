#ifndef NPCC_COMPILER_GPU_IMAGE_KERNELIMAGES_H
#define NPCC_COMPILER_GPU_IMAGE_KERNELIMAGES_H
#include "compiler/Options.h"
#include "compiler/codegen/Object.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/FunctionExtras.h"
#include <deque>
#include <future>

namespace npcc {

/// A gpu.module's code for the device. No cubin where there is no ptxas.
struct KernelImage {
  std::string ptx, cubin;
};

/// PTX of the least architecture runs on all later ones; the cubin is for the greatest.
struct Architectures {
  std::string least, greatest;
  int capability = 0; // the greatest's number
};
/// "sm_80,sm_90"
llvm::Expected<Architectures> parseArchitectures(llvm::StringRef text);

bool isKernel(mlir::LLVM::LLVMFuncOp function);

llvm::Expected<LlvmCode> translateKernels(mlir::gpu::GPUModuleOp kernels);
/// May run on any thread.
llvm::Expected<KernelImage> compileImage(const LlvmCode &code, const Architectures &archs, llvm::StringRef cudaPath, bool ptxOnly);

/// The images of one compilation, made by threads of their own while the caller goes on with the host's code.
class PendingImages {
public:
  /// Makes the assembler ready meanwhile.
  PendingImages();
  PendingImages(const PendingImages &) = delete;
  PendingImages &operator=(const PendingImages &) = delete;
  /// Waits.
  ~PendingImages();

  /// Cuts large gpu.modules and begins with them all. What they are called in the object is their attribute np.image.
  llvm::Error start(mlir::ModuleOp module, const Options &options);
  bool isEmpty() const { return images.empty(); }
  /// Waits for the images, and puts them into an object that defines the symbols.
  llvm::Expected<std::string> finish(const Options &options);

private:
  struct Pending {
    std::string symbol;
    KernelImage image;
    std::future<llvm::Error> work;
  };
  /// What makes an image.
  using Task = llvm::unique_function<llvm::Error()>;

  std::deque<Pending> images, done;
  std::promise<Task> next;            // of the thread that makes the assembler ready: the first image, or nothing
  std::future<llvm::Error> assembler; // that thread, until it has an image
  Architectures archs;
};

/// The PTX of the module after buildLaunchesToImages, "" if it has no kernels.
std::string getPtx(mlir::ModuleOp module);

} // namespace npcc
#endif
