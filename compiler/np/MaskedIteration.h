#ifndef NPCC_COMPILER_NP_MASKEDITERATION_H
#define NPCC_COMPILER_NP_MASKEDITERATION_H
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace npcc {

/// The question whether a counter, or the number that many ahead of it, is below a bound.
struct CountQuestion {
  unsigned counter; // among what the loop is given
  int64_t ahead;
  mlir::Value bound, answer;
};

/// One iteration of an `scf.while` that goes on as long as a mask has an element: the condition's region, and then the
/// body. It has the sides of branches on which the loop goes on.
class MaskedIteration {
public:
  explicit MaskedIteration(mlir::scf::WhileOp loop) : loop(loop) {}

  /// Whether the loop is left when the mask has no element, iterations change nothing from then on, and they are
  /// elementwise.
  bool isFound();

  mlir::scf::WhileOp getLoop() { return loop; }
  /// Another operation has the loop's regions.
  void setLoop(mlir::scf::WhileOp other) { loop = other; }
  /// What an iteration begins with.
  mlir::ArrayRef<mlir::BlockArgument> getGiven() { return given; }
  /// How much an iteration adds to a counter: a number from before the loop. Null for what is no counter.
  mlir::Value getCounterStep(unsigned index) { return steps.lookup(index); }
  /// Whether an iteration hands on what it was given, itself.
  bool isHandedOn(unsigned index) { return resolve(loop.getYieldOp().getResults()[index]) == given[index]; }
  const CountQuestion *getCountQuestion() const { return count ? &*count : nullptr; }
  /// Checks of counters: they hold in all iterations between two in which they do.
  mlir::ArrayRef<np::AssertOp> getChecks() const { return checks; }

  /// Clones an iteration that asks and checks nothing. `map` has what it begins with, and gets what it makes.
  void cloneWithoutQuestions(mlir::OpBuilder &builder, mlir::IRMapping &map);
  /// Clones what makes a number of others that `map` has.
  mlir::Value cloneNumber(mlir::Value number, mlir::OpBuilder &builder, mlir::IRMapping &map);

private:
  enum class Content { unknown, empty, same };
  /// What a value is once the mask has no element: zeros and false only, or the same as `of`.
  struct Settled {
    Content content = Content::unknown;
    mlir::Value of;
  };

  bool isInside(mlir::Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  bool takeQuestions(mlir::Value goesOn);
  bool takeQuestion(mlir::Value answer, bool isTrue);
  bool takeMask(mlir::Value number);
  bool takeCount(mlir::arith::CmpIOp comparison);
  /// What a condition is where all answers let the loop go on; none if they do not tell.
  std::optional<bool> decide(mlir::Value condition);
  /// What a branch or the loop hands on as this value, if it is known which.
  mlir::Value resolve(mlir::Value value);
  bool collect(mlir::Block &block);
  void findCounters();
  bool isCheckOfCounters(mlir::Value condition);
  bool isOfCounters(mlir::Value number);
  bool isElementwise(mlir::Operation *op);

  /// Whether iterations change nothing where these have no element. They are as the question finds the mask, or as the
  /// iteration after that begins.
  bool settles(mlir::ArrayRef<mlir::Value> masks, bool isAsked);
  bool settlesFromNextOn();
  bool storesNothing(mlir::Operation *op);
  bool isLeftAsItIs(unsigned result, bool isAsked);
  bool isForElements(mlir::Value result);
  Settled evaluate(mlir::Value value);
  Settled evaluateAnew(mlir::Value value);
  Settled evaluate(np::UfuncOp op);
  bool isLikeMask(mlir::Value value);
  bool areAlike(mlir::Value one, mlir::Value other, int64_t depth);
  /// Whether a value depends on nothing that goes on changing.
  bool isKept(mlir::Value value);
  void cloneOps(mlir::ArrayRef<mlir::Operation *> ops, mlir::OpBuilder &builder, mlir::IRMapping &map);

  mlir::scf::WhileOp loop;
  llvm::SmallVector<mlir::BlockArgument> given;
  mlir::Value mask;
  llvm::DenseMap<mlir::Value, bool> answers;
  llvm::DenseSet<mlir::Value> counts; // numbers of the mask's elements: any above zero goes on
  std::optional<CountQuestion> count;
  llvm::DenseMap<unsigned, mlir::Value> steps;
  llvm::SmallVector<mlir::Operation *> ops;  // all of them, of the sides of branches too
  llvm::SmallVector<mlir::Operation *> body; // those of the body, before it gets others
  llvm::SmallVector<np::AssertOp> checks;
  llvm::DenseSet<mlir::Value> empty, kept;
  llvm::DenseMap<mlir::Value, Settled> known; // where those are empty
};

} // namespace npcc
#endif
