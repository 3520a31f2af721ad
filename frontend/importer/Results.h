#ifndef NPCC_FRONTEND_IMPORTER_RESULTS_H
#define NPCC_FRONTEND_IMPORTER_RESULTS_H
// What a compiled function gives to Python: values for its results, and the form in which Python puts them together
// (NPCC_FORM_* of runtime/npcc_rt.h).
#include "frontend/importer/Given.h"

namespace npcc::frontend {

/// "module:qualified.name", by which forms and errors name a class. The report keeps one that no module has.
std::string classKey(Interpreter &in, const py::Object &cls);

class Results {
public:
  /// `given`: the arguments that are containers or objects, or null.
  Results(Interpreter &in, const Given *given) : in(in), given(given) {}

  /// Appends what Python sees of a value, with an error reported where that cannot be.
  void add(const PyValue &value);
  /// Appends what the function gives: the value, or, where containers or objects are given, a pair of it and a list of
  /// what the function changed in them.
  void addAll(const PyValue &value);

  std::string form;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<bool> isWeak; // of each value: Python's scalar, or a list

private:
  /// A part of the results, which is put together apart.
  struct Piece {
    std::string form;
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<bool> isWeak;
  };
  Piece apart(llvm::function_ref<void()> build);
  void append(const Piece &piece);

  void addWithChanges(const PyValue &value);
  void addGivenRows();
  void addTables();
  void addRowsOf(const std::string &key, const PyValue &table);
  /// The number of a table, which Python gets for it.
  void addTable(unsigned id);
  void addColumn(const PyValue &list);
  /// What Python gets by a call of the function or class of this name.
  void addCall(llvm::StringRef name, llvm::function_ref<void()> addArguments);
  void addRecords(const PyValue &records);
  void addRows(const PyValue &rows, llvm::StringRef made);
  void addText(llvm::StringRef text);
  bool addOfGlobal(const PyValue &value);
  void addKnown(const PyValue &value);
  void addUnion(const PyValue &value);
  void addAlternative(const PyValue &read, size_t k, const PyValue &item);
  void addInstance(const PyValue &value);
  void addHeld(const PyValue &value, llvm::ArrayRef<py::Object> keys);
  void addOfLibrary(const PyValue &value);
  void addString(const PyValue &value);
  /// `isColumn`: of a table, whose rows are not made yet.
  void addMixed(const PyValue &list, bool isColumn = false);
  void addTuples(const PyValue &list, llvm::StringRef kind, size_t place, bool isColumn);

  void addNumber(size_t number);
  void addChanges();
  /// `key`: null where all items of the container are others. `addNow`: what is there now.
  void addChange(size_t number, const py::Object &key, llvm::function_ref<void()> addNow);
  /// `now`: what the key is bound to, which an object may hold on some paths only.
  void addHeldChange(size_t number, const PyValue &object, const py::Object &key, PyValue now);
  /// What a key is bound to, or, on paths that leave it unbound, that it is absent.
  void addUncertain(const PyValue &object, const py::Object &key, PyValue now);
  void addAbsent();

  /// Whether the result leads to an object or list more than once: Python gets one, which only rows of a table are.
  bool isThereAlready(const PyValue &value);
  /// A list that only this code has: a column of tuples or of a table.
  void addOwn(const PyValue &list);

  Interpreter &in;
  const Given *given;
  std::set<size_t> wanted;    // the numbers of the tables that the result leads to
  std::set<unsigned> objects; // by their numbers, that the result leads to
  std::vector<PyValue> lists; // that it leads to
  const void *own = nullptr;  // the list that addOwn() adds
  bool holdsRecords = false;
};

} // namespace npcc::frontend
#endif
