// How the threads of all blocks wait for each other.
#include "compiler/gpu/emit/GridEmitter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
namespace npcc::cuda {

// What a block goes through while all blocks would wait for each other.
constexpr int64_t edgeElements = 4 * threadsOfGrid;

Value GridEmitter::emitHasFewEdges() {
  IndexMath h = host.math();
  Value areFew = h.truth(true);
  kernel.walk([&](scf::ParallelOp loop) {
    if (!barriers.isEdge(loop))
      return;
    Value elements = h.product(loop.getUpperBound());
    areFew = h.both(areFew, h.compare(arith::CmpIPredicate::sle, elements, h.constant(edgeElements)));
  });
  return areFew;
}

void GridEmitter::emitBarrier() {
  if (isCluster) {
    auto choice = scf::IfOp::create(builder, loc, isCluster, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    NVVM::ClusterArriveOp::create(builder, loc, UnitAttr());
    NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
    builder.setInsertionPointToStart(choice.elseBlock());
    emitBarrierInMemory();
  } else {
    emitBarrierInMemory();
  }
  forget();
}

/// The first thread of each block says that its block has come, and asks until all have. LLVM prints an atomicrmw that
/// releases without the release, so the instructions are written out.
void GridEmitter::emitBarrierInMemory() {
  IndexMath m = math();
  Type i64 = builder.getI64Type();
  auto assemble = [&](TypeRange results, ValueRange operands, StringRef text, StringRef constraints) {
    return LLVM::InlineAsmOp::create(builder, loc, results, operands, text, constraints, /*has_side_effects=*/true,
                                     /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                     LLVM::AsmDialectAttr(), ArrayAttr());
  };
  gpu::BarrierOp::create(builder, loc);
  Value all = arith::IndexCastOp::create(builder, loc, i64, blocks);
  Value needed = arith::AddIOp::create(builder, loc, LLVM::LoadOp::create(builder, loc, i64, target), all);
  LLVM::StoreOp::create(builder, loc, needed, target);
  auto first = scf::IfOp::create(builder, loc, m.compare(arith::CmpIPredicate::eq, thread, m.constant(0)),
                                 /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(first.thenBlock());
    assemble({}, {counter}, "red.release.gpu.global.add.u64 [$0], 1;", "l,~{memory}");
    auto wait = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    builder.createBlock(&wait.getBefore());
    Value come = assemble({i64}, {counter}, "ld.acquire.gpu.global.u64 $0, [$1];", "=l,l,~{memory}").getResult(0);
    scf::ConditionOp::create(builder, loc, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, come, needed),
                             ValueRange());
    builder.createBlock(&wait.getAfter());
    scf::YieldOp::create(builder, loc);
  }
  gpu::BarrierOp::create(builder, loc);
}

/// The first block alone has the edges where they are short: then its threads wait for each other, and nobody else.
void GridEmitter::emitEdgeBarrier() {
  auto isFew = scf::IfOp::create(builder, loc, hasFewEdges, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(isFew.thenBlock());
  gpu::BarrierOp::create(builder, loc);
  builder.setInsertionPointToStart(isFew.elseBlock());
  emitBarrier();
}

} // namespace npcc::cuda
