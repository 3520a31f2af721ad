#ifndef NPCC_FRONTEND_IMPORTER_STATEMENTBUDGET_H
#define NPCC_FRONTEND_IMPORTER_STATEMENTBUDGET_H
// How many statements the imports of a function may have that could not be compiled, and is tried with integers that
// are known: they may be axes, or lengths of tuples. Where they make the function much longer, they say how often its
// loops go round, and all of these would be straight code, which takes minutes and rarely helps.
#include "frontend/importer/Importer.h"

namespace npcc::frontend {

class StatementBudget {
public:
  explicit StatementBudget(const ImportRequest &request);
  StatementBudget(const StatementBudget &) = delete;
  ~StatementBudget();

  /// Adds the statements of an import that has ended.
  static void spend(int64_t statements);
  /// Whether an import that has had so many has to stop.
  static bool isSpent(int64_t statements);

private:
  const ImportRequest &request;
  int64_t most, spent = 0;
  StatementBudget *outer;
};

} // namespace npcc::frontend
#endif
