#include "compiler/explain/Remarks.h"
#include "compiler/explain/Places.h"

using namespace mlir;
namespace npcc {

bool wantsRemarks(Operation *op) { return op->getContext()->getRemarkEngine() != nullptr; }

static remark::RemarkOpts about(StringRef name) { return remark::RemarkOpts::name(name).category("npcc"); }

void remarkApart(Location first, Location second, const Twine &reason) {
  if (first->getContext()->getRemarkEngine())
    remark::missed(second, about("fusion"))
        << remark::detail::Remark::Arg("other", getPlace(first).line) << reason.str();
}

void remarkArray(Location value, const Twine &reason) {
  if (value->getContext()->getRemarkEngine())
    remark::missed(value, about("array")) << reason.str();
}

void remarkLoop(Location loop, const Twine &decision) {
  if (loop->getContext()->getRemarkEngine())
    remark::passed(loop, about("loop")) << decision.str();
}

void remarkLoopStays(Location loop, const Twine &reason) {
  if (loop->getContext()->getRemarkEngine())
    remark::missed(loop, about("loop stays")) << reason.str();
}

void remarkCall(Location function, const Twine &decision) {
  if (function->getContext()->getRemarkEngine())
    remark::passed(function, about("call")) << decision.str();
}

std::string lineOf(Location loc) {
  int line = getPlace(loc).line;
  return line ? "line " + std::to_string(line) : "another line";
}

namespace {
class Listener : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Listener(std::vector<Remark> &remarks) : remarks(remarks) {}

  void streamOptimizationRemark(const remark::detail::Remark &from) override {
    Place place = getPlace(from.getLocation());
    Remark remark{from.getRemarkName().str(), place.file.str(), place.line, place.column, 0, ""};
    for (const remark::detail::Remark::Arg &arg : from.getArgs()) {
      if (arg.key == "other")
        remark.other = std::stoi(arg.val);
      else
        remark.text += arg.val;
    }
    // Passes that look twice say it twice.
    for (const Remark &known : remarks)
      if (known.about == remark.about && known.line == remark.line && known.column == remark.column &&
          known.other == remark.other && known.file == remark.file && known.text == remark.text)
        return;
    remarks.push_back(std::move(remark));
  }

private:
  std::vector<Remark> &remarks;
};
} // namespace

void collectRemarks(MLIRContext &context, std::vector<Remark> &remarks) {
  remark::RemarkCategories all;
  all.passed = all.missed = "npcc";
  // The policy and the listener are the context's from here on.
  LogicalResult done = remark::enableOptimizationRemarks(context, std::make_unique<Listener>(remarks),
                                                         std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
  (void)done; // fails without a policy only
}

} // namespace npcc
