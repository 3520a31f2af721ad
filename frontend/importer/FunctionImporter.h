#ifndef NPCC_FRONTEND_IMPORTER_FUNCTIONIMPORTER_H
#define NPCC_FRONTEND_IMPORTER_FUNCTIONIMPORTER_H
// An abstract interpreter over CPython's `ast`. What is known at compile time (None, tuples, modules, dtypes, helper functions) is Python's own
// object here; everything else is an SSA value. Names are bindings of the environment in straight-line code; where control flow joins
// and a name holds different values, it goes through a slot (`np.var`), which mem2reg turns into block arguments.
//
// One class, one file for each kind of node: Statements, ControlFlow, Loops, Joins, Expressions, Operators, Subscripts, Calls, ...
#include "frontend/importer/Dtypes.h"
#include "frontend/importer/Importer.h"
#include "frontend/importer/PyValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <functional>
#include <set>

namespace npcc::frontend {

/// What the names of a frame are bound to.
using Environment = std::map<std::string, PyValue>;

/// A block that still needs its branch, and what the names are bound to at its end.
struct Edge {
  mlir::Block *block;
  Environment environment;
};

/// The targets of `break` and `continue`.
struct LoopTargets {
  std::vector<Edge> breaks, continues;
};

/// One call of a Python function that is being imported.
struct Frame {
  Environment environment;
  std::set<std::string> locals;
  std::shared_ptr<Frame> parent;
  py::Object definition, globals, closure;
  std::string file;
  bool isLibrary = false;
  /// Library functions report and locate everything at the call in the user's code.
  mlir::Location callLoc;
  std::vector<Edge> returns;
  py::Object returnNode;  // the last `return`
  std::vector<LoopTargets *> loops;
  std::map<std::pair<std::string, void *>, mlir::Value> slots;
  /// What loops carry of names that are not bound before them, by the loop's node.
  std::map<const void *, std::map<std::string, PyValue>> carriedUnbound;
  unsigned depth = 0;  // how deep in run-time control flow the call stands

  explicit Frame(mlir::Location loc) : callLoc(loc) {}
};

struct Arguments;

class FunctionImporter {
public:
  FunctionImporter(mlir::ModuleOp module, std::vector<Diagnostic> &diagnostics, ImportReport *report = nullptr);
  bool import(const ImportRequest &request);

  //===---- Errors and locations (Importer.cpp) ------------------------------------------------------------------------===//
  mlir::Location loc(const py::Object &node);
  /// Reports an error at a node; what it would have given is poison.
  PyValue fail(const py::Object &node, const llvm::Twine &message, const llvm::Twine &hint = "");
  /// Reports at the node that is being imported.
  PyValue fail(const llvm::Twine &message, const llvm::Twine &hint = "");
  bool hasErrors() const { return !diagnostics.empty(); }

  //===---- Nodes -------------------------------------------------------------------------------------------------------===//
  PyValue expression(const py::Object &node);                       // Expressions.cpp
  std::vector<PyValue> expressions(const std::vector<py::Object> &nodes);
  void statements(const std::vector<py::Object> &nodes);            // Statements.cpp
  bool reachable() const { return isReachable; }

  //===---- Names and joins (Names.cpp, Joins.cpp) ------------------------------------------------------------------------===//
  PyValue readName(const py::Object &node, const std::string &name);
  void bindName(const std::string &name, PyValue value);
  /// What a name, container or view holds: a temporary's value becomes a new array.
  PyValue bound(PyValue value);
  PyValue readSlot(PyValue &binding, const std::string &name);
  mlir::Value slotFor(const std::string &name, mlir::Type type);
  /// Continues where several edges meet.
  void joinEdges(std::vector<Edge> edges);
  PyValue joinValues(const std::string &name, llvm::ArrayRef<PyValue> values, std::vector<Edge> &edges);
  /// The type that holds both, null if there is none.
  mlir::Type joinTypes(mlir::Type left, mlir::Type right);
  mlir::Type runtimeType(const PyValue &value);
  /// The value as one of `type`, which joinTypes gave.
  mlir::Value convertTo(const PyValue &value, mlir::Type type);
  /// Whether convertTo() checks at run time that the value is one of the type's.
  bool isCheckedAs(const PyValue &value, mlir::Type type);

  //===---- Control flow (ControlFlow.cpp, Loops.cpp, ForLoops.cpp) --------------------------------------------------------===//
  mlir::Block *newBlock();
  void continueIn(mlir::Block *block);
  Edge edgeHere() { return Edge{builder.getInsertionBlock(), frame->environment}; }
  /// The truth of a value: known (`known` is set) or an i1.
  mlir::Value truth(PyValue value, std::optional<bool> &known);
  /// The truth of an expression in a test: `and`, `or` and `not` give bool there.
  PyValue condition(const py::Object &node);
  PyValue choose(const PyValue &condition, llvm::function_ref<PyValue()> ifTrue, llvm::function_ref<PyValue()> ifFalse);
  void ifStatement(const py::Object &node);
  void whileStatement(const py::Object &node);
  void forStatement(const py::Object &node);
  void breakStatement();
  void continueStatement();

  /// A loop of which the parts are given; `header` gives the condition or null for "always".
  struct Loop {
    const void *node = nullptr;
    std::set<std::string> assigned;
    std::function<PyValue()> condition;
    std::function<void()> body;
    std::vector<py::Object> otherwise;
    /// A counted loop: the counter, in the header's block argument.
    mlir::Value lower, upper, step;
    mlir::Value counter;
  };
  void importLoop(Loop &loop);
  /// What a counted loop walks over: the number of items and the item at a position.
  struct Counted {
    mlir::Value lower, upper, step;
    std::function<PyValue(mlir::Value)> item;
  };
  /// Nothing, with or without an error reported, if it cannot be counted.
  std::optional<Counted> counted(const PyValue &iterable);
  /// Runs `body` for each item of known length.
  void unrolledLoop(size_t count, llvm::function_ref<void(size_t)> body, const std::vector<py::Object> &otherwise);

  //===---- Assignment (Assignment.cpp) ---------------------------------------------------------------------------------===//
  void assign(const py::Object &target, PyValue value);
  void augmentedAssignment(const py::Object &node);
  void storeTo(const PyValue &base, const PyValue &index, const PyValue &value);
  /// `words`: what NumPy says where the array is read-only.
  void storeWhole(mlir::Value array, const PyValue &value, llvm::StringRef words = "assignment destination is read-only");
  void assignShape(const std::string &name, const PyValue &array, const PyValue &shape);
  /// Fails with `words` where the array is read-only.
  void checkWritable(mlir::Value array, llvm::StringRef words = "assignment destination is read-only");
  void checkHiddenViews();
  /// Items of something unpacked into `count` targets (or any number: -1).
  bool unpack(const PyValue &value, int64_t count, std::vector<PyValue> &items);

  //===---- Subscripts (Subscripts.cpp, Slices.cpp, Masks.cpp) ------------------------------------------------------------===//
  PyValue subscript(const PyValue &base, const PyValue &index);
  /// One axis of a view.
  struct AxisIndex {
    enum Kind { Position, Slice, Whole, NewAxis, Mask, Positions } kind;
    mlir::Value offset, extent, step;  // Position: offset only
    PyValue array;                     // Mask, Positions
    int64_t axes = 1;                  // Mask: how many axes it covers
  };
  /// a.flat (Flat.cpp): its elements as one axis, read as a copy and stored into the array.
  PyValue flat(const PyValue &base);
  PyValue flatRead(const PyValue &flat, const PyValue &index);
  void flatStore(const PyValue &flat, const PyValue &index, const PyValue &value);
  bool parseIndex(const PyValue &base, const PyValue &index, llvm::SmallVectorImpl<AxisIndex> &axes);
  bool sliceAxis(const PyValue &slice, mlir::Value extent, AxisIndex &axis);
  /// `isObject`: what Python makes a new object of, which also a view of everything is.
  mlir::Value makeView(mlir::Value source, llvm::ArrayRef<AxisIndex> axes, bool isObject = false);
  /// np.part of an array.
  mlir::Value part(llvm::StringRef kind, mlir::Value source);
  mlir::Value permute(mlir::Value source, llvm::ArrayRef<int64_t> order);
  mlir::Value expandDims(mlir::Value source, llvm::ArrayRef<int64_t> positions);  // positions in the result
  mlir::Value reshape(mlir::Value source, llvm::ArrayRef<mlir::Value> extents, llvm::ArrayRef<int64_t> shape, bool ravel = false);

  //===---- Order of elements (Layouts.cpp)
  //-------------------------------------------------------------------------------===//
  enum class Order { C, F, A, K };
  /// An `order` argument; nothing with an error reported.
  std::optional<Order> asOrder(const PyValue &value, Order otherwise);
  /// Whether elements are taken in F order (else in C order) where `source` is read by a function that was given this
  /// `order`.
  std::optional<bool> isFortranOrder(const PyValue &order, mlir::Value source, bool isReshape);
  /// Whether a new array like `prototype` lies in F order, of a function that was given this `order`.
  std::optional<bool> isFortranLike(const PyValue &order, mlir::Value prototype, Order otherwise);
  /// All axes reversed.
  mlir::Value turned(mlir::Value source);
  /// A new array of a value, in C or F order.
  mlir::Value newArrayIn(mlir::Value value, bool isFortran);
  PyValue advancedRead(mlir::Value base, llvm::ArrayRef<AxisIndex> axes);
  void advancedStore(mlir::Value base, llvm::ArrayRef<AxisIndex> axes, const PyValue &value);
  /// The positions along each axis where a mask is true (numpy.nonzero).
  llvm::SmallVector<mlir::Value> positionsOf(mlir::Value mask);
  /// Whether two values are the same computation of the same inputs.
  bool sameValue(mlir::Value left, mlir::Value right, unsigned depth = 0);

  //===---- Lists whose length is known at run time (Lists.cpp) ------------------------------------------------------------===//
  PyValue listItem(const PyValue &list, const PyValue &index);
  PyValue listItem(const PyValue &list, mlir::Value position);
  void storeListItem(const PyValue &list, const PyValue &index, const PyValue &value);
  /// list(x) of an array or list.
  PyValue listOf(const PyValue &value);
  PyValue runtimeComprehension(const py::Object &node);
  /// One item of a list as a value, with what it is; null with an error reported.
  mlir::Value listItemValue(const PyValue &item, int64_t &levels, bool &isPython);
  mlir::Value listArray(const PyValue &list);
  PyValue growing(const PyValue &list, const PyValue &model);
  std::optional<PyValue> growList(const py::Object &call);
  void grownNames(const py::Object &node, std::set<std::string> &names);
  static bool hasOtherName(const Environment &environment, const std::string &name, const PyValue &list);

  //===---- Operators (Operators.cpp, PythonScalars.cpp) ------------------------------------------------------------------===//
  PyValue binary(llvm::StringRef operation, const PyValue &left, const PyValue &right);  // operation: ast's class name ("Add")
  PyValue unary(llvm::StringRef operation, const PyValue &operand);
  PyValue compare(llvm::StringRef operation, const PyValue &left, const PyValue &right);
  PyValue pythonBinary(llvm::StringRef operation, const PyValue &left, const PyValue &right);
  PyValue pythonCompare(llvm::StringRef operation, const PyValue &left, const PyValue &right);
  PyValue contains(const PyValue &item, const PyValue &container);

  //===---- Ufuncs (numpy/Ufuncs.cpp) -------------------------------------------------------------------------------------===//
  /// NumPy's elementwise function `ufunc` (an object) on operands: NumPy chooses the types. `isScalarMath`: as an
  /// operator between NumPy's scalars, which have an arithmetic of their own.
  PyValue applyUfunc(const py::Object &ufunc, llvm::ArrayRef<PyValue> operands, const py::Object &dtype = {},
                     llvm::StringRef casting = {}, bool isScalarMath = false);
  PyValue applyUfunc(llvm::StringRef numpyName, llvm::ArrayRef<PyValue> operands);
  /// np.ufunc on operands of one element type; what several masked operands share is computed before the selection.
  mlir::Value emitUfunc(llvm::StringRef name, llvm::ArrayRef<mlir::Value> operands);

  //===---- Values (Values.cpp) ---------------------------------------------------------------------------------------------===//
  mlir::Value index(int64_t value);
  mlir::Value constant(mlir::Type elementType, const py::Object &number);
  mlir::Value constantInteger(mlir::Type elementType, int64_t value);
  mlir::Value load(mlir::Value array);
  void clobber();  // something was written: loads before it are old
  mlir::Value newArray(mlir::Value value);
  /// A tensor or scalar of the value now, in its own element type.
  mlir::Value valueOf(const PyValue &value);
  /// A tensor: Python scalars and constants become rank 0.
  mlir::Value tensorOf(const PyValue &value, mlir::Type elementType = {});
  mlir::Value castTo(mlir::Value value, mlir::Type elementType);
  /// A value of any kind as scalar or tensor of an element type.
  mlir::Value operandAs(const PyValue &value, mlir::Type elementType);
  /// A value that is an array to Python, of no axes too: not the NumPy scalar that a value of rank 0 is otherwise.
  PyValue asNewArray(mlir::Value value);
  /// As an array takes a value that is assigned to it: int() and its errors for a float that becomes an integer.
  /// `isItem`: assigned to elements that basic indices name, where NumPy's own scalars go through int() too.
  mlir::Value itemAs(const PyValue &value, mlir::Type elementType, bool isItem);
  /// Whether a 64-bit integer is within the bounds of a dtype.
  mlir::Value fits(mlir::Value number, mlir::IntegerType type);
  /// OverflowError for a Python int that the dtype does not hold.
  void checkFits(mlir::Value number, mlir::IntegerType type);
  /// Python's errors of int(number).
  void checkWholeNumber(mlir::Value number);
  /// A Python int, of a number that NumPy or Python holds in any way: what 64 bits do not hold is an error.
  mlir::Value wholeNumber(mlir::Value scalar);
  mlir::Value rankZero(mlir::Value scalar);
  mlir::Value item(mlir::Value rankZeroTensor);
  /// Python's int of a value: index, null with an error reported if it is none.
  mlir::Value toIndex(const PyValue &value, llvm::StringRef what = "");
  PyValue fromIndex(mlir::Value index);
  mlir::Value dim(mlir::Value shaped, int64_t axis);
  llvm::SmallVector<mlir::Value> dims(mlir::Value shaped);
  mlir::Value size(mlir::Value shaped);
  mlir::Value broadcastTo(mlir::Value value, llvm::ArrayRef<mlir::Value> extents, llvm::ArrayRef<int64_t> shape);
  mlir::Value full(mlir::Value scalar, llvm::ArrayRef<mlir::Value> extents);
  void check(mlir::Value condition, llvm::StringRef error, const llvm::Twine &message, mlir::ValueRange arguments = {});
  /// Python's integers have no end, compiled ones do: an OverflowError of our own where one does not fit.
  void checkIn64Bits(mlir::Value fits);
  /// OverflowError unless the exact result of Python integers' arithmetic fits into 64 bits.
  void checkFits(np::Arithmetic kind, mlir::Value lhs, mlir::Value rhs);

  mlir::Value compareIndex(mlir::arith::CmpIPredicate predicate, mlir::Value left, mlir::Value right);
  /// Lists, tuples, constants and scalars as numpy.asarray takes them: an array reference, tensor, or null with an error reported.
  mlir::Value asArray(const PyValue &value, mlir::Type elementType = {});
  /// The element type or weak Python type of a value, as NumPy's promotion takes it: a dtype, or int, float, complex. Null: neither.
  py::Object promotionKey(const PyValue &value);
  mlir::Type resultType(llvm::ArrayRef<PyValue> values);
  /// What an error message calls it.
  std::string describe(const PyValue &value);

  //===---- Known things (Constants.cpp) ------------------------------------------------------------------------------------===//
  /// The Python object a value is, if all of it is known at compile time.
  py::Object asObject(const PyValue &value);
  /// Items of tuples, lists, ranges and so on whose length is known.
  bool asSequence(const PyValue &value, std::vector<PyValue> &items);
  std::optional<int64_t> asInteger(const PyValue &value);
  PyValue fromObject(py::Object object);
  /// A dtype argument: null with an error reported, or `otherwise` for None.
  mlir::Type asDtype(const PyValue &value, mlir::Type otherwise);
  /// An axis argument, normalized; false with an error reported.
  /// `parameter` is what NumPy names in its errors, if it does.
  bool asAxes(const PyValue &value, int64_t rank, llvm::SmallVectorImpl<int64_t> &axes, llvm::StringRef parameter = {});
  std::optional<int64_t> asAxis(const PyValue &value, int64_t rank, llvm::StringRef parameter = {});
  bool asShape(const PyValue &value, llvm::SmallVectorImpl<mlir::Value> &extents, llvm::SmallVectorImpl<int64_t> &shape);

  //===---- Calls (Calls.cpp, Functions.cpp, Attributes.cpp, Builtins.cpp) ----------------------------------------------------===//
  struct Call {
    py::Object node;
    std::vector<PyValue> args;
    std::vector<std::pair<std::string, PyValue>> keywords;
  };
  PyValue call(const PyValue &callee, Call &call);
  PyValue callObject(const py::Object &callee, Call &call);
  PyValue callMethod(const PyValue &receiver, const std::string &name, Call &call);
  PyValue callFunction(const PyValue &function, Call &call);
  void reportCall(const py::Object &function, const Call &call);
  PyValue attribute(const PyValue &base, const std::string &name);
  PyValue functionOf(const py::Object &pythonFunction, bool isLibrary = false);
  PyValue closure(const py::Object &definition);
  bool bindParameters(const PyValue &function, Call &call, Environment &environment);
  bool iterate(const PyValue &value, std::vector<PyValue> &items);
  PyValue text(const PyValue &value, const std::string &spec, bool isRepr = false);
  py::Object format(const py::Object &known, const std::string &spec);
  /// The text of an exception as np.assert has it; `values` are what it shows of the program.
  std::string message(const PyValue &shown, llvm::SmallVectorImpl<mlir::Value> &values);
  void print(Call &call);
  void raise(const py::Object &node);
  void assertion(const py::Object &node);

  mlir::OpBuilder builder;
  mlir::MLIRContext *context;
  Dtypes dtypes;
  std::shared_ptr<Frame> frame;
  py::Object currentNode;
  bool isReachable = true;
  unsigned depth = 0;

  mlir::Location here() { return loc(currentNode); }

private:
  struct Snapshot {
    mlir::Block *block, *lastBlock;
    mlir::Operation *lastOp;
    size_t diagnostics, returns, failed;
    Environment environment;
    bool isReachable;
    std::vector<std::pair<size_t, size_t>> jumps; // breaks and continues of each loop around
  };
  Snapshot snapshot();
  void rollBack(const Snapshot &snapshot);
  friend struct NodeScope;

  bool importBody(const ImportRequest &request, const py::Object &definition);
  void finish(const py::Object &definition);
  void statement(const py::Object &node);
  void deleteStatement(const py::Object &node);
  void withStatement(const py::Object &node);
  PyValue subscriptIndex(const py::Object &node);
  PyValue boolOperation(const py::Object &node);
  PyValue comparison(const py::Object &node);
  PyValue comprehension(const py::Object &node);
  void withOwnTargets(const std::vector<py::Object> &generators, llvm::function_ref<void()> body);
  PyValue joinedString(const py::Object &node);
  PyValue callExpression(const py::Object &node);

  mlir::ModuleOp module;
  mlir::func::FuncOp function;
  std::vector<Diagnostic> &diagnostics;
  ImportReport *report;
  std::vector<PyObject *> callStack;
  /// What the block that is written holds already: one load of an array between two stores, one constant, one extent.
  void enterBlock();
  void forgetCaches();
  mlir::Block *cacheBlock = nullptr;
  llvm::DenseMap<mlir::Value, mlir::Value> loads;
  llvm::DenseMap<int64_t, mlir::Value> indices;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> extents;
  unsigned temporaries = 0;
  /// Names read before they were bound: in a loop, what an earlier iteration binds.
  std::set<std::string> unboundReads;
  /// Blocks that end in a failure (`raise`).
  std::vector<mlir::Block *> failed;

  PyValue widen(const std::string &name, const PyValue &value);
  PyValue unify(const std::string &name, const PyValue &header, const PyValue &value);
  void flush(const PyValue &target, const PyValue &value);
  bool importLoopOnce(Loop &loop, std::map<std::string, PyValue> &header);
  bool spliceable(const Edge &edge, mlir::Block *block);
  bool spliceFailure(mlir::Block *block, mlir::cf::CondBranchOp branch, mlir::Value bit, bool side);
};

/// While it lives, `node` is where errors and operations are located.
struct NodeScope {
  NodeScope(FunctionImporter &importer, const py::Object &node) : importer(importer), saved(importer.currentNode) {
    importer.currentNode = node;
  }
  ~NodeScope() { importer.currentNode = saved; }
  FunctionImporter &importer;
  py::Object saved;
};

} // namespace npcc::frontend
#endif
