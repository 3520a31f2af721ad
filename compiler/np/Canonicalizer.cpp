// The one canonicalizer of the pipelines.
//
// Upstream's pattern that moves the branch at the end of a `scf.while`'s condition into its body is wrong where the
// condition hands on one result of the branch twice: only the first of the two gets its value, the other one becomes
// what the branch gives when the loop ends, which is poison.
// (`t = a + b; a = t; b = t` in a loop.) RaiseNames has its own pattern for this.
//
// Upstream's pattern that finds what a loop or branch carries twice compares all pairs of results and of arguments: a
// branch with hundreds of results, as where loops are left in the middle, took it seconds. The one here sorts them.
//
// Patterns that look at all that a branch or loop carries take turns with the others. A greedy rewrite visits
// everything around an operation again when the operation changes: in deep branches with hundreds of results, as where
// exceptions leave many calls, that was nearly all of the time.
//
// It keeps the analyses of what it does not change, which upstream's pass does not: most of the pipeline's calls find
// nothing to do.
#include "compiler/np/Canonicalizer.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace npcc {

using namespace mlir;

/// Patterns are named by their C++ class.
static const std::string wrongPatterns[] = {"(anonymous namespace)::WhileMoveIfDown",
                                            "(anonymous namespace)::RemoveDuplicateSuccessorInputUses"};
static const std::string carriedPatterns[] = {"(anonymous namespace)::MakeRegionBranchOpSuccessorInputsDead",
                                              "(anonymous namespace)::RemoveDeadRegionBranchOpSuccessorInputs",
                                              "npcc::(anonymous namespace)::JoinEqualInputs"};

namespace {
/// Results of a loop or branch, and arguments of its blocks, that get the same values from everywhere are one:
///   %r:2 = scf.if %c { scf.yield %x, %x } else { scf.yield %y, %y }    // %r#1 is %r#0
struct JoinEqualInputs : OpInterfaceRewritePattern<RegionBranchOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(RegionBranchOpInterface op, PatternRewriter &rewriter) const override {
    // Of others, what is handed on says not all of what an argument or result is: a warp's, say, is one for each lane.
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::IndexSwitchOp>(op.getOperation()))
      return rewriter.notifyMatchFailure(op, "it is none of these loops and branches");
    RegionBranchInverseSuccessorMapping operandsOf;
    op.getSuccessorInputOperandMapping(operandsOf);
    SmallVector<Value> inputs = llvm::to_vector(operandsOf.keys());
    auto number = [](Value input) {
      auto result = dyn_cast<OpResult>(input);
      return result ? result.getResultNumber() : cast<BlockArgument>(input).getArgNumber();
    };
    // The first one stays: so it does among the arguments as among the results, and what goes together can go.
    llvm::sort(inputs, [&](Value left, Value right) { return number(left) < number(right); });
    // Whose it is, and what it gets from each operation.
    using Source = SmallVector<std::pair<const void *, const void *>, 4>;
    llvm::DenseMap<size_t, SmallVector<std::pair<Source, Value>, 1>> known; // by a hash: most are alone there
    bool changed = false;
    for (Value input : inputs) {
      Source source{
          {isa<OpResult>(input) ? static_cast<const void *>(input.getDefiningOp()) : input.getParentBlock(), nullptr}};
      for (OpOperand *operand : operandsOf[input])
        source.emplace_back(operand->getOwner(), operand->get().getAsOpaquePointer());
      std::sort(source.begin() + 1, source.end());
      size_t hash = llvm::hash_combine_range(source) >> 1; // a map's own keys are the largest ones
      auto &alike = known[hash];
      auto first = llvm::find_if(alike, [&](const auto &one) { return one.first == source; });
      if (first == alike.end()) {
        alike.emplace_back(std::move(source), input);
        continue;
      }
      if (input.use_empty())
        continue;
      rewriter.replaceAllUsesWith(input, first->second);
      changed = true;
    }
    return success(changed);
  }
};

/// Whether anything changed. The driver's own answer leaves out constants that it found to be equal.
struct Changes : RewriterBase::Listener {
  bool any = false;
  void notifyOperationInserted(Operation *, OpBuilder::InsertPoint) override { any = true; }
  void notifyOperationModified(Operation *) override { any = true; }
  void notifyOperationReplaced(Operation *, ValueRange) override { any = true; }
  void notifyOperationErased(Operation *) override { any = true; }
  void notifyBlockInserted(Block *, Region *, Region::iterator) override { any = true; }
  void notifyBlockErased(Block *) override { any = true; }
};

/// The canonicalization of all operations of a context, collected once: pipelines have dozens of canonicalizers, and
/// each would collect and sort the patterns of thousands of operations anew. It lives as long as its dialect.
struct CollectedPatterns : DialectInterface::Base<CollectedPatterns> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CollectedPatterns)
  explicit CollectedPatterns(Dialect *dialect) : Base(dialect) {}
  /// Those that look at all that a branch or loop carries, and the others.
  std::shared_ptr<const FrozenRewritePatternSet> carried, others;
  size_t dialects = 0; // that were loaded when the patterns were collected

  static const CollectedPatterns &get(MLIRContext *context) {
    Dialect *dialect = context->getOrLoadDialect<np::NpDialect>();
    auto *kept = dialect->getRegisteredInterface<CollectedPatterns>();
    if (!kept)
      kept = &dialect->addInterface<CollectedPatterns>();
    if (size_t loaded = context->getLoadedDialects().size(); kept->dialects != loaded) {
      kept->carried = std::make_shared<const FrozenRewritePatternSet>(collect(RewritePatternSet(context)),
                                                                      wrongPatterns, carriedPatterns);
      kept->others =
          std::make_shared<const FrozenRewritePatternSet>(freezeSafePatterns(collect(RewritePatternSet(context))));
      kept->dialects = loaded;
    }
    return *kept;
  }

  static RewritePatternSet collect(RewritePatternSet patterns) {
    MLIRContext *context = patterns.getContext();
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(patterns, context);
    patterns.add<JoinEqualInputs>(context);
    return patterns;
  }
};

struct SafeCanonicalizer : PassWrapper<SafeCanonicalizer, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SafeCanonicalizer)
  explicit SafeCanonicalizer(GreedyRewriteConfig config) : config(config) {}
  StringRef getName() const override { return "Canonicalizer"; }
  StringRef getArgument() const override { return "canonicalize"; }

  LogicalResult initialize(MLIRContext *context) override {
    patterns = CollectedPatterns::get(context).others;
    return success();
  }

  void runOnOperation() override {
    if (!applySafely(getOperation(), *patterns, getRewriteConfig(getOperation(), config)))
      markAllAnalysesPreserved();
  }

  GreedyRewriteConfig config;
  std::shared_ptr<const FrozenRewritePatternSet> patterns;
};
} // namespace

std::unique_ptr<Pass> createSafeCanonicalizer(GreedyRewriteConfig config) {
  return std::make_unique<SafeCanonicalizer>(config);
}

void addCleanup(OpPassManager &pm, GreedyRewriteConfig config) {
  pm.addPass(createSafeCanonicalizer(config));
  pm.addPass(createCSEPass());
}

GreedyRewriteConfig getRewriteConfig(Operation *root, GreedyRewriteConfig config) {
  bool hasBranches =
      root->walk([](Operation *op) {
            bool branches =
                llvm::any_of(op->getRegions(), [](Region &region) { return !region.empty() && !region.hasOneBlock(); });
            return branches ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (!hasBranches)
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return config;
}

bool applySafely(Operation *root, const FrozenRewritePatternSet &patterns, GreedyRewriteConfig config) {
  constexpr int mostTurns = 16; // what did not come to an end is right all the same
  std::shared_ptr<const FrozenRewritePatternSet> carried = CollectedPatterns::get(root->getContext()).carried;
  Changes changes;
  config.setListener(&changes);
  auto hasChanged = [&](llvm::function_ref<void(bool *)> apply) {
    bool says = false;
    changes.any = false;
    apply(&says);
    return says || changes.any;
  };
  bool any = false;
  for (int turn = 0; turn < mostTurns; ++turn) {
    any |= hasChanged([&](bool *says) { (void)applyPatternsGreedily(root, patterns, config, says); });
    SmallVector<Operation *> carrying;
    root->walk([&](RegionBranchOpInterface op) {
      if (op != root)
        carrying.push_back(op);
    });
    GreedyRewriteConfig only = config;
    only.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    only.setScope(&root->getRegion(0)); // to look for one that they have in common takes the square of their number
    if (!hasChanged([&](bool *says) { (void)applyOpPatternsGreedily(carrying, *carried, only, says); }))
      break;
    any = true;
  }
  return any;
}

FrozenRewritePatternSet freezeCanonicalization(RewritePatternSet &&patterns) {
  return freezeSafePatterns(CollectedPatterns::collect(std::move(patterns)));
}

FrozenRewritePatternSet freezeSafePatterns(RewritePatternSet &&patterns) {
  SmallVector<std::string> without(std::begin(wrongPatterns), std::end(wrongPatterns));
  llvm::append_range(without, carriedPatterns);
  return FrozenRewritePatternSet(std::move(patterns), without);
}

} // namespace npcc
