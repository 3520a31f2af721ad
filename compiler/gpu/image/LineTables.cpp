// The Python lines of kernels, for profilers and debuggers: a DISubprogram for each kernel that asks for them, and the
// locations of operations as LLVM knows them. Locations of other files are of a lexical block of that file.
#include "compiler/gpu/image/LineTables.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

using namespace mlir;
namespace npcc {
namespace {

/// The place in a source that a location names; null if it names none.
FileLineColRange placeOf(Location loc) {
  FileLineColRange place;
  loc->walk([&](Location part) {
    if (auto range = dyn_cast<FileLineColRange>(part); range && range.getStartLine() > 0) {
      place = range;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return place;
}

LLVM::DIFileAttr fileOf(MLIRContext *context, StringRef path) {
  return LLVM::DIFileAttr::get(context, llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
}

void addTo(LLVM::LLVMFuncOp kernel, LLVM::DIEmissionKind kind) {
  MLIRContext *context = kernel.getContext();
  FileLineColRange start = placeOf(kernel.getLoc());
  if (!start)
    return;
  // Code that npcc writes around a function stands in no file: "<function 1 of f>".
  auto isInFile = [](FileLineColRange place) { return place && !place.getFilename().getValue().starts_with("<"); };
  if (!isInFile(start))
    kernel.getBody().walk([&](Operation *op) {
      FileLineColRange place = placeOf(op->getLoc());
      start = isInFile(place) ? place : start;
      return isInFile(place) ? WalkResult::interrupt() : WalkResult::advance();
    });
  LLVM::DIFileAttr file = fileOf(context, start.getFilename());
  auto distinct = [&] { return DistinctAttr::create(UnitAttr::get(context)); };
  auto unit =
      LLVM::DICompileUnitAttr::get(distinct(), llvm::dwarf::DW_LANG_Python, file, StringAttr::get(context, "npcc"),
                                   /*isOptimized=*/true, kind);
  auto type = LLVM::DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal, {});
  auto function = LLVM::DISubprogramAttr::get(
      context, distinct(), unit, file, kernel.getNameAttr(), kernel.getNameAttr(), file, start.getStartLine(),
      start.getStartLine(), LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized, type, {}, {});
  kernel->setLoc(FusedLoc::get({FileLineColLoc::get(start.getFilename(), start.getStartLine(), start.getStartColumn())},
                               function, context));
  kernel.getBody().walk([&](Operation *op) {
    FileLineColRange place = placeOf(op->getLoc());
    if (!place)
      place = start;
    Location point = FileLineColLoc::get(place.getFilename(), place.getStartLine(), place.getStartColumn());
    if (place.getFilename() != start.getFilename()) {
      auto block = LLVM::DILexicalBlockFileAttr::get(context, function, fileOf(context, place.getFilename()),
                                                     /*discriminator=*/0);
      point = FusedLoc::get({point}, block, context);
    }
    op->setLoc(point);
  });
}

} // namespace

void addLineTables(gpu::GPUModuleOp kernels) {
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>()) {
    auto lines = kernel->getAttrOfType<IntegerAttr>("np.lines");
    if (!lines)
      continue;
    kernel->removeAttr("np.lines");
    addTo(kernel,
          lines.getInt() == debugInformation ? LLVM::DIEmissionKind::Full : LLVM::DIEmissionKind::DebugDirectivesOnly);
  }
}

} // namespace npcc
