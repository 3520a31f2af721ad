// A function is imported again until nothing more is found that the import has to know from its beginning (Findings.h).
#include "frontend/importer/RepeatedImports.h"
#include "frontend/importer/Findings.h"
#include "frontend/importer/Interpreter.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"
#include "frontend/importer/SharedFunctions.h"
#include "frontend/importer/StatementBudget.h"
#include "frontend/importer/TurnTakers.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace npcc::frontend {

bool isSame(const Diagnostic &left, const Diagnostic &right) {
  return left.line == right.line && left.column == right.column && left.file == right.file &&
         left.message == right.message;
}

/// Verifies. What is wrong is in `found`.
static bool complete(Operation *added, std::vector<Diagnostic> &found) {
  std::string text;
  ScopedDiagnosticHandler handler(added->getContext(), [&](mlir::Diagnostic &problem) {
    llvm::raw_string_ostream(text) << problem << "; ";
    return success();
  });
  if (succeeded(verify(added)))
    return true;
  auto at = dyn_cast<FileLineColRange>(added->getLoc());
  int line = at ? at.getStartLine() : 0;
  found.push_back({at ? at.getFilename().str() : "", line, 1, line, 1,
                   "internal error: the imported function is not well-formed: " + text, "", ""});
  return false;
}

/// Erases functions of the module that only attempts at a loop have called, which were taken back.
static void eraseUncalled(ModuleOp module, const Outlines &outlines) {
  SmallVector<func::FuncOp> open;
  llvm::DenseMap<StringRef, func::FuncOp> uncalled;
  for (const std::unique_ptr<Outline> &one : outlines.all)
    if (one->function)
      uncalled[one->function.getSymName()] = one->function;
  for (auto function : module.getOps<func::FuncOp>())
    if (!uncalled.count(function.getSymName()))
      open.push_back(function);
  while (!open.empty())
    open.pop_back_val().walk([&](func::CallOp call) {
      auto found = uncalled.find(call.getCallee());
      if (found == uncalled.end())
        return;
      open.push_back(found->second);
      uncalled.erase(found);
    });
  for (auto [name, function] : uncalled)
    function.erase();
}

/// Imports once; what is wrong is in `found`. With `raised`, what that holds becomes part of the function.
static bool importOnce(const ImportRequest &request, ModuleOp module, std::vector<Diagnostic> &found,
                       const std::vector<Diagnostic> &raised, Outlines &outlines, ImportReport *report) {
  Operation *last = module.getBody()->empty() ? nullptr : &module.getBody()->back();
  if (report)
    ++report->imports;
  Interpreter interpreter(module, found, report);
  interpreter.raised = raised;
  interpreter.outlines = &outlines;
  bool ok = interpreter.import(request) && !outlines.foundMore && !outlines.isGivenUp() &&
            !StatementBudget::isSpent(outlines.statements);
  StatementBudget::spend(outlines.statements);
  if (ok)
    eraseUncalled(module, outlines);
  auto first = last ? std::next(Block::iterator(last)) : module.getBody()->begin();
  for (Operation &added : llvm::make_range(first, module.getBody()->end()))
    ok = ok && complete(&added, found);
  while (!ok && !module.getBody()->empty() && &module.getBody()->back() != last)
    module.getBody()->back().erase();
  return ok;
}

static int64_t definitionLine(const ImportRequest &request) {
  return request.function ? py::Object::borrow(request.function)["__code__"].integer("co_firstlineno")
                          : py::Object::borrow(request.definition).integer("lineno");
}

static constexpr llvm::StringLiteral tooLong = "the function takes too long to import";

namespace {
/// Tells when an import has had the same error too many times in a row: what was found meanwhile does not mend it.
class Standstill {
public:
  explicit Standstill(unsigned most) : most(most) {}

  bool isReached(const std::vector<Diagnostic> &found) {
    std::map<std::tuple<int, int, std::string>, unsigned> now;
    unsigned times = 0;
    for (const Diagnostic &one : found) {
      std::tuple<int, int, std::string> error{one.line, one.column, one.message};
      auto before = last.find(error);
      unsigned &count = now[error];
      count = before == last.end() ? 1 : before->second + 1;
      times = std::max(times, count);
    }
    last = std::move(now);
    return times >= most;
  }

private:
  unsigned most;
  std::map<std::tuple<int, int, std::string>, unsigned> last;
};
} // namespace

/// Lets functions that another one comes to itself by be imported in place again. False where there are none.
static bool copyTurnTakers(TurnTakers &takers, Outlines &outlines) {
  if (takers.definitions.empty())
    return false;
  for (PyObject *definition : takers.definitions)
    outlines.recursive.erase(definition);
  takers.definitions.clear();
  takers.areCopied = true;
  return true;
}

/// Imports again as long as more is found that the next import has to know, beginning with what is known. `shareable`:
/// where it is given, that stops as soon as it holds a definition that the next import would be much smaller with.
static bool importAll(const ImportRequest &request, ModuleOp module, std::vector<Diagnostic> &found,
                      const std::vector<Diagnostic> &raised, ImportReport *report, Findings &known, PythonParts *parts,
                      Outlines &outlines, std::vector<std::vector<PyObject *>> *shareable = nullptr) {
  static_cast<Findings &>(outlines) = known;
  outlines.parts = parts;
  TurnTakers takers;
  llvm::scope_exit keep([&] { known = outlines; });
  // What Python runs is an end where nothing else helps, so it is tried soon; compiled code may need more imports.
  Standstill standstill(parts ? 4 : 7);
  while (true) {
    if (outlines.isTooLong() || StatementBudget::isSpent(0)) {
      // It needs ever more of something, each time for a longer function.
      Diagnostic late;
      late.file =
          request.function ? py::Object::borrow(request.function)["__code__"].string("co_filename") : request.file;
      late.line = late.endLine = static_cast<int>(definitionLine(request));
      late.message = tooLong.str();
      late.hint = "make smaller functions of it";
      found.push_back(std::move(late));
      return false;
    }
    bool ok = importOnce(request, module, found, raised, outlines, report);
    if (outlines.isGivenUp() || StatementBudget::isSpent(0)) {
      found.clear();
      continue;
    }
    bool isComplete = !outlines.foundMore && (ok || !outlines.foundInTime);
    if (shareable)
      *shareable = worthSharing(outlines);
    if (!ok && llvm::any_of(found, [](const Diagnostic &one) { return one.isOfForm; }))
      return false;
    bool isRetried = isComplete && !ok && copyTurnTakers(takers, outlines);
    if (!isRetried && (isComplete || (report && !report->objectParameters.empty())))
      return ok && !outlines.foundMore;
    if (!isRetried && shareable && !shareable->empty())
      return false;
    if (!isRetried && standstill.isReached(found))
      return false;
    outlines.foundMore = outlines.foundInTime = false;
    outlines.all.clear();
    outlines.earlier.clear();
    outlines.imported.clear();
    outlines.statementsBefore += outlines.statements;
    outlines.statements = 0;
    found.clear();
  }
}

/// The same with functions of the module for what most of the import would otherwise be copies of: of the definitions
/// `shareable` the first ones that can be such functions. A string that its calls know is one of any value to it, if
/// that can be, so that they all have one function.
static bool importWithShared(const ImportRequest &request, ModuleOp module, const std::vector<Diagnostic> &raised,
                             ImportReport *report, Findings &known, ArrayRef<std::vector<PyObject *>> shareable) {
  for (const std::vector<PyObject *> &definitions : shareable)
    for (bool takesAnyString : {true, false}) {
      Findings shared = known;
      // An import that stops early does not come to all of them: the next one may find more.
      std::vector<PyObject *> next = definitions;
      while (!next.empty()) {
        shared.recursive.insert(next.begin(), next.end());
        if (takesAnyString)
          shared.takingAnyString.insert(next.begin(), next.end());
        next.clear();
        ImportReport again;
        again.imports = report ? report->imports : 0;
        std::vector<Diagnostic> problems;
        std::vector<std::vector<PyObject *>> more;
        Outlines outlines;
        bool ok =
            importAll(request, module, problems, raised, report ? &again : nullptr, shared, nullptr, outlines, &more);
        if (ok && report)
          *report = again;
        else if (report)
          report->imports = again.imports;
        if (ok) {
          known = shared;
          return true;
        }
        if (!more.empty())
          next = more.front();
      }
    }
  return false;
}

/// The same; where most of it is copies of a function of the program, that is a function of the module. Where it cannot
/// be one, the copies stay.
static bool importShared(const ImportRequest &request, ModuleOp module, std::vector<Diagnostic> &found,
                         const std::vector<Diagnostic> &raised, ImportReport *report, Findings &known) {
  Block *body = module.getBody();
  Operation *last = body->empty() ? nullptr : &body->back();
  std::vector<std::vector<PyObject *>> shareable;
  Outlines outlines;
  bool ok = importAll(request, module, found, raised, report, known, nullptr, outlines, &shareable);
  if (shareable.empty())
    return ok;
  SmallVector<Operation *> copies;
  while (ok && !body->empty() && &body->back() != last) {
    copies.push_back(&body->back());
    copies.back()->remove();
  }
  bool isShared = importWithShared(request, module, raised, report, known, shareable);
  for (Operation *copy : llvm::reverse(copies))
    isShared ? copy->dropAllReferences() : body->push_back(copy);
  if (isShared) {
    for (Operation *copy : copies)
      copy->destroy();
    found.clear();
    return true;
  }
  if (ok)
    return true;
  found.clear();
  Outlines others;
  return importAll(request, module, found, raised, report, known, nullptr, others);
}

/// Imports with what compiled code has no types for as Python's objects: with more of them until that suffices.
/// `known`: what was found without any. An attempt with more of them begins without that: where a value becomes
/// Python's, the lists and dicts that it would have been in are others, and so is what calls itself.
static bool importWithPython(const ImportRequest &request, ModuleOp module, std::vector<Diagnostic> &found,
                             ImportReport &report, Findings known) {
  int64_t statements = 0;
  PythonParts parts;
  while (statements < 2 * Outlines::mostStatements) {
    std::vector<Diagnostic> problems;
    int64_t imports = report.imports;
    report = ImportReport();
    report.imports = imports;
    Outlines outlines;
    bool ok = importAll(request, module, problems, {}, &report, known, &parts, outlines);
    statements += outlines.statementsBefore + outlines.statements;
    if (found.empty() || found.back().message == tooLong) // other words say more
      found = problems;
    report.holdsObjects = !parts.isPortable;
    size_t installed = parts.installed.size();
    if (ok || !report.objectParameters.empty() || !noteFailures(parts, problems))
      return ok;
    if (parts.installed.size() > installed)
      statements = 0; // those of a package, whose functions no later import goes into
    known = Findings();
  }
  return false;
}

namespace {
/// While it lives, Python does not look for cycles of objects. An import makes many lists of nodes and lets go of them,
/// and each look would go over all that the program and its modules have made.
class WithoutCollections {
public:
  WithoutCollections() : wasEnabled(PyGC_Disable()) {}
  WithoutCollections(const WithoutCollections &) = delete;
  ~WithoutCollections() {
    if (wasEnabled)
      PyGC_Enable();
  }

private:
  bool wasEnabled;
};
} // namespace

bool importFunction(const ImportRequest &request, ModuleOp module, std::vector<Diagnostic> &diagnostics,
                    ImportReport *report) {
  StatementBudget budget(request);
  WithoutCollections withoutCollections;
  LatestImport latest = latestImport(request);
  std::vector<Diagnostic> found;
  bool ok;
  if (request.usesPython) {
    ok = report && importWithPython(request, module, found, *report, latest.findings);
  } else {
    found = request.raiseErrors ? latest.failures : std::vector<Diagnostic>();
    ok = found.empty() && importShared(request, module, found, {}, report, latest.findings);
    if (!ok && request.raiseErrors && llvm::all_of(found, [](const Diagnostic &one) { return !one.error.empty(); })) {
      std::vector<Diagnostic> others;
      ok = importShared(request, module, others, found, report, latest.findings);
    }
  }
  if (ok) {
    keepImport(request, {});
    return true;
  }
  latest.failures = request.usesPython ? std::vector<Diagnostic>() : found;
  keepImport(request, std::move(latest));
  llvm::stable_sort(found, [](const Diagnostic &left, const Diagnostic &right) {
    return std::tie(left.line, left.column) < std::tie(right.line, right.column);
  });
  // A loop's body or a helper imported twice says the same thing twice.
  for (const Diagnostic &one : found)
    if (llvm::none_of(diagnostics, [&](const Diagnostic &other) { return isSame(other, one); }))
      diagnostics.push_back(one);
  return false;
}

} // namespace npcc::frontend
