// SPDX-License-Identifier: Apache-2.0
// The plan of RM-CLEAN: check, choose, run.
#include "tessera/faraday_clean.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "ops/faraday/clean/faraday_clean_check.hpp"

namespace tessera {
namespace {

struct FaradayCleanPlan final : PlanOf<FaradayCleanProblem, FaradayCleanRunner> {
  using PlanOf::PlanOf;
  std::string problem_text() const override {
    return fmt::format("faraday clean {}x{} {}, {} depths, gain {}", problem.spectra.size.width,
                       problem.spectra.size.height, name_of(problem.spectra.type), problem.depths(),
                       problem.options.gain);
  }
};

}  // namespace

FaradayClean::FaradayClean(const ImageInfo& spectra, const FaradayRmsf& rmsf,
                           const FaradayCleanOptions& options)
    : Plan(std::make_shared<const FaradayCleanPlan>("faraday",
                                                    checked_clean_problem(spectra, rmsf, options),
                                                    faraday_clean_methods(), options)) {}

const ImageInfo& FaradayClean::input() const { return impl<FaradayCleanPlan>().problem.spectra; }
const FaradayRmsf& FaradayClean::rmsf() const { return impl<FaradayCleanPlan>().problem.rmsf; }
const FaradayCleanOptions& FaradayClean::options() const {
  return impl<FaradayCleanPlan>().problem.options;
}

void FaradayClean::operator()(const FaradayDirty& dirty, const FaradayCleaned& cleaned) const {
  Stream& stream = thread_stream(*this);
  (*this)(dirty, cleaned, stream);
  stream.wait();
}

void FaradayClean::operator()(const FaradayDirty& dirty, const FaradayCleaned& cleaned,
                              Stream& stream) const {
  const auto& plan = impl<FaradayCleanPlan>();
  check_clean_call(plan.problem, dirty, cleaned);
  check_stream("faraday", stream, device());
  if (dirty.real.size.height > 0) plan.runner->run(dirty, cleaned, stream);
}

}  // namespace tessera
