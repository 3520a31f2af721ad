#ifndef NPCC_FRONTEND_IMPORTER_ENVIRONMENT_H
#define NPCC_FRONTEND_IMPORTER_ENVIRONMENT_H
// What names are bound to, and where control flow stands. A name is a binding in straight-line code; where control flow
// meets and a name holds different values, it goes through a slot (`np.var`), which mem2reg turns into block arguments.
#include "frontend/importer/Bindings.h"
#include "frontend/importer/NpBuilder.h"
#include "frontend/importer/PyValue.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include <functional>
#include <set>

namespace npcc::frontend {

class Interpreter;
struct GeneratorLoop;

/// A block that still needs its branch, and what the names are bound to at its end. Names that begin with % are the
/// interpreter's own: "%return", and expressions with branches; those with @ are what objects hold.
struct Edge {
  mlir::Block *block;
  Bindings bindings;
};

/// The targets of `break` and `continue`.
struct LoopTargets {
  std::vector<Edge> breaks, continues;
  mlir::Block *header = nullptr; // of a loop that is not unrolled
};

/// An exception on its way: what a handler is told of it.
struct Raised {
  Edge edge;
  py::Object cls;
  std::string error, message; // as np.assert has them
  llvm::SmallVector<mlir::Value> values;
  PyValue object; // the exception, where its class has an __init__() of its own; poison otherwise
  /// Where it was raised, if it leaves the function.
  mlir::LocationAttr place = nullptr;
};

/// One call of a Python function that is being imported.
struct Frame {
  Bindings bindings;
  std::set<std::string> locals;
  std::shared_ptr<Frame> parent;
  /// Names that functions inside assign to (`nonlocal`): the objects that hold their values.
  std::map<std::string, unsigned> cells;
  py::Object definition, globals, closure;
  std::string file;
  bool isLibrary = false;
  /// Of the code itself: a function of the program that the library calls is none of the library's.
  bool isLibraryCode = false;
  /// Whether its ints are Python's: where they do not fit into 64 bits, that is an error (checkFits).
  bool checksInts = true;
  /// Library functions report and locate everything at the call in the user's code.
  mlir::Location callLoc;
  std::vector<Edge> returns;
  Frame *caller = nullptr;
  py::Object returnNode; // the last `return`
  std::vector<LoopTargets *> loops;
  /// The generators whose bodies are being imported as loops here, Generators.h.
  std::vector<GeneratorLoop *> generatorLoops;
  std::map<std::pair<std::string, void *>, mlir::Value> slots;
  /// Where the slots are made, before this operation: at the call, if that is inside of a loop or branch, so that no
  /// iteration brings what they held in the one before. Null: at the beginning of the function.
  mlir::Operation *entry = nullptr;
  /// What loops carry of names that are not bound before them, by the loop's node.
  std::map<const void *, std::map<std::string, PyValue>> carriedUnbound;
  unsigned depth = 0; // how deep in run-time control flow the call stands
  /// The `finally` clauses around, with how many loops are around each.
  std::vector<std::pair<std::vector<py::Object>, size_t>> finals;
  /// In a handler: what it handles, where that is known.
  std::vector<Raised> handled;

  explicit Frame(mlir::Location loc) : callLoc(loc) {}
};

/// A `try` whose body is being imported: where its exceptions go.
struct Handler {
  std::shared_ptr<Frame> frame;
  /// The classes of each clause; with `catchesAll` what no clause takes comes last (`finally`).
  std::vector<std::vector<py::Object>> clauses;
  bool catchesAll = false;
  std::vector<std::vector<Raised>> raised; // by clause
};

class Environment {
public:
  explicit Environment(Interpreter &in);

  std::shared_ptr<Frame> frame;
  /// How deep in run-time control flow the code stands.
  unsigned depth = 0;
  bool keepsNumbers = false; // what an int and a float give is not made one type: it comes from a union of both
  /// Whether a name may be an array on one path and an array of another type on another: not where a loop may as well
  /// be unrolled.
  bool joinsArrays = true;
  /// Whether values go where control flow meets: the bindings of objects need not be those of here.
  bool isFlushing = false;
  /// How many objects were made so far.
  unsigned instances = 0;

  //===---- Names (Names.cpp) ----===//
  PyValue readName(const py::Object &node, const std::string &name);
  void bindName(const std::string &name, PyValue value);
  /// Makes the frame's cells, once its parameters are bound.
  void makeCells();
  /// The scope that a name is looked for in next; null behind the last one, and where the function says that the name
  /// is global.
  Frame *around(const Frame &scope, const std::string &name);
  /// The cell that a name is in, if it is in one: as the object.
  std::optional<PyValue> cellOf(const std::string &name);
  /// What a name, container or view holds: a temporary's value becomes a new array.
  PyValue bound(PyValue value);
  PyValue readSlot(PyValue &binding, const std::string &name);
  /// UnboundLocalError where the name is not bound at run time.
  void checkBound(const PyValue &binding, const std::string &name);
  mlir::Value slotFor(const std::string &name, mlir::Type type);
  /// Names read before they were bound: in a loop, what an earlier iteration binds.
  std::set<std::string> unboundReads;

  /// The parts of a known list that is about to change: where a jump has left with the list as it is, all names go on
  /// with a copy.
  Composite &changed(const PyValue &list);
  PyValue lastChanged; // lives at least until the next change
  /// What statements started with that may be taken back.
  std::vector<const Bindings *> starts;

  //===---- Where control flow meets (Joins.cpp, LoopNames.cpp) ----===//
  bool isReachable = true;
  /// Blocks that end in a failure (`raise`).
  std::vector<mlir::Block *> failed;
  void continueIn(mlir::Block *block);
  /// Goes on in a block that nothing leads to: what follows in the statement after what always fails.
  void continueLost();
  /// Whether all paths to here begin in such a block.
  bool isLost() const { return isLostIn(ir.getInsertionBlock()); }
  bool isLostIn(mlir::Block *block) const;
  /// Erases a block that nothing branches to.
  void erase(mlir::Block *block);
  /// Whether the statements behind one that has failed are imported in such a block: the import will begin again, and
  /// what else the next one has to know is found by this one.
  bool goesOnLost() const;
  Edge edgeHere() { return Edge{ir.getInsertionBlock(), frame->bindings}; }
  /// Continues where several edges meet.
  void joinEdges(std::vector<Edge> edges);
  /// Continues where the frame's returns meet. What they give is bound to `name`; of the other names only what objects
  /// hold lives on, unless functions that are handed out look for them (`keepsNames`).
  void joinReturns(const std::string &name = "%return", bool keepsNames = false);
  /// What a name is bound to on each edge, null where an edge lacks it.
  using OnEdges = llvm::SmallVector<const PyValue *, 4>;
  static std::vector<std::pair<std::string, OnEdges>> findDifferent(llvm::ArrayRef<Edge> edges);
  void joinInstances(std::vector<Edge> &edges, llvm::ArrayRef<std::pair<std::string, OnEdges>> different,
                     Bindings &joined);
  PyValue joinKeys(llvm::ArrayRef<PyValue> values);
  PyValue joinSome(const std::string &name, llvm::ArrayRef<PyValue> values, std::vector<Edge> &edges);
  PyValue joinObjects(const std::string &name, llvm::ArrayRef<PyValue> values, std::vector<Edge> &edges);
  PyValue joinValues(const std::string &name, llvm::ArrayRef<PyValue> values, std::vector<Edge> &edges);
  /// The binding at a loop's header of a name that holds `value` before the loop.
  PyValue widen(const std::string &name, const PyValue &value);
  /// Where two values meet: in a name that a loop carries, whose counter may tell the value before the loop from those
  /// behind an iteration; in a part of what a loop carries, of which no counter tells; where paths join.
  enum class Meeting { Carried, PartOfCarried, Paths };
  /// The binding that holds what the header's does and `value`; the header's itself where that is enough.
  PyValue unify(const std::string &name, const PyValue &header, const PyValue &value,
                Meeting meeting = Meeting::Carried);
  /// Puts `value` into the slots of `target`, at the insertion point.
  void flush(const PyValue &target, const PyValue &value);
  /// Puts one of the values into the slots of `target` at the end of each edge.
  void flushOn(llvm::ArrayRef<Edge> edges, const PyValue &target, llvm::ArrayRef<PyValue> values);

  //===---- Exceptions that the program catches (Try.cpp) ----===//
  std::vector<Handler *> handlers;
  /// Where the current block ends with an exception of this class, goes to the handler that takes it. False: none does.
  bool catches(const py::Object &cls, llvm::StringRef error, const std::string &message, mlir::ValueRange values,
               const PyValue &object = PyValue::poison());
  /// Ends the current block with an exception, for the handler that takes it or for the caller.
  void raise(const py::Object &cls, llvm::StringRef error, const std::string &message, mlir::ValueRange values,
             const PyValue &object = PyValue::poison());
  /// Where exceptions go that no clause takes once the function has changed what outlives it (LeavingErrors.h), and
  /// whether it has. Null in a function that changes nothing of the kind.
  Handler *outermost = nullptr;
  std::function<bool()> hasChanged;
  /// Whether one that no clause takes goes there.
  bool leavesChanges() const;
  /// The lists that are objects, were given, and have been stored to so far, by their numbers, and whether rows of
  /// tables have been.
  struct ChangedLists {
    unsigned firstOwn = 0; // the number of the first object that the function makes
    llvm::DenseSet<unsigned> boxes;
    bool ofTables = false;
    size_t size() const { return boxes.size() + ofTables; }
  } changedLists;
  /// All of them, from the outside inwards.
  std::vector<Handler *> allHandlers() const;
  /// The handler and clause for a class, null if there is none.
  std::pair<Handler *, size_t> handlerOf(const py::Object &cls);

  //===---- Trying: what a loop is imported with until its names' types settle (Snapshots.cpp) ----===//
  struct Snapshot {
    mlir::Block *block, *lastBlock;
    mlir::Operation *lastOp;
    size_t diagnostics, returns, failed;
    Bindings bindings;
    bool isReachable;
    std::vector<std::pair<size_t, size_t>> jumps;      // breaks and continues of each loop around
    std::vector<std::pair<size_t, size_t>> generators; // ends and breaks of the loop over each
    std::vector<std::vector<size_t>> raised;           // of each handler around, by clause
    size_t reached;                                    // how many blocks were known to be
  };
  Snapshot snapshot();
  void rollBack(const Snapshot &snapshot);

private:
  /// Blocks in the order in which they came.
  class Blocks {
  public:
    void insert(mlir::Block *block) {
      if (places.try_emplace(block, blocks.size()).second)
        blocks.push_back(block);
    }
    bool contains(mlir::Block *block) const { return places.contains(block); }
    size_t size() const { return blocks.size(); }
    void truncate(size_t count) {
      for (; blocks.size() > count; blocks.pop_back())
        places.erase(blocks.back());
    }
    void clear() { truncate(0); }

  private:
    llvm::SmallVector<mlir::Block *> blocks;
    llvm::DenseMap<mlir::Block *, size_t> places;
  };

  std::set<mlir::Block *> lost; // where continueLost() went on
  /// Blocks that are known not to be lost, so that a long function is not walked through for each question.
  mutable Blocks reached;
  /// Blocks that are known to be.
  mutable llvm::SmallPtrSet<mlir::Block *, 16> knownLost;
  Interpreter &in;
  NpBuilder &ir;
};

} // namespace npcc::frontend
#endif
