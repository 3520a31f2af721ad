#include "frontend/importer/StatementBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

namespace npcc::frontend {

static constexpr int64_t timesAsMany = 4, fewest = 20'000;

// Both under the GIL.
static StatementBudget *running = nullptr;
/// A weak reference to the function that was imported last without known integers, and how many statements that took.
static std::pair<py::Object, int64_t> latest;

static bool knowsIntegers(const ImportRequest &request) {
  return llvm::any_of(request.constants, [](PyObject *constant) { return constant && PyLong_Check(constant); });
}

StatementBudget::StatementBudget(const ImportRequest &request)
    : request(request), most(std::numeric_limits<int64_t>::max()), outer(running) {
  running = this;
  bool isSame = latest.first && request.function && PyWeakref_GetObject(latest.first.get()) == request.function;
  if (isSame && knowsIntegers(request))
    most = std::max(timesAsMany * latest.second, fewest);
}

StatementBudget::~StatementBudget() {
  running = outer;
  if (request.function && !knowsIntegers(request))
    latest = {py::Object::take(PyWeakref_NewRef(request.function, nullptr)), spent};
}

void StatementBudget::spend(int64_t statements) {
  if (running)
    running->spent += statements;
}

bool StatementBudget::isSpent(int64_t statements) { return running && running->spent + statements > running->most; }

} // namespace npcc::frontend
