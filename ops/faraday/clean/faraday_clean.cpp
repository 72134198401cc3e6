// SPDX-License-Identifier: Apache-2.0
// The plan of RM-CLEAN: check, choose, run.
#include "tessera/faraday_clean.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/check.hpp"
#include "ops/faraday/clean/faraday_clean_check.hpp"

namespace tessera {
struct FaradayClean::Impl {
  FaradayCleanProblem problem;
  const FaradayCleanMethod* method;
  FaradayCleanRunnerPointer runner;
};

FaradayClean::FaradayClean(const ImageInfo& spectra, const FaradayRmsf& rmsf,
                           const FaradayCleanOptions& options) {
  auto impl = std::make_shared<Impl>();
  impl->problem = checked_clean_problem(spectra, rmsf, options);
  impl->method = &choose("faraday", faraday_clean_methods(), impl->problem,
                         wanted_backend(options.backend), options.method, this_machine());
  impl->runner = impl->method->make(impl->problem);
  impl_ = std::move(impl);
}

const ImageInfo& FaradayClean::input() const { return impl_->problem.spectra; }
const FaradayRmsf& FaradayClean::rmsf() const { return impl_->problem.rmsf; }
const FaradayCleanOptions& FaradayClean::options() const { return impl_->problem.options; }
Backend FaradayClean::backend() const { return impl_->method->backend; }
std::string FaradayClean::method() const { return impl_->method->name; }
int FaradayClean::device() const {
  return impl_->method->backend == Backend::cuda ? impl_->problem.device : kHost;
}

void FaradayClean::operator()(const FaradayDirty& dirty, const FaradayCleaned& cleaned) const {
  Stream& stream = thread_stream(device());
  (*this)(dirty, cleaned, stream);
  stream.wait();
}

void FaradayClean::operator()(const FaradayDirty& dirty, const FaradayCleaned& cleaned,
                              Stream& stream) const {
  check_clean_call(impl_->problem, dirty, cleaned);
  check_stream("faraday", stream, device());
  if (dirty.real.size.height > 0) impl_->runner->run(dirty, cleaned, stream);
}

std::string FaradayClean::describe() const {
  const FaradayCleanProblem& p = impl_->problem;
  return fmt::format("{} clean {}x{} {}, {} depths, gain {}: {} {}, {}", "faraday",
                     p.spectra.size.width, p.spectra.size.height, name_of(p.spectra.type),
                     p.depths(), p.options.gain, name_of(backend()), method(),
                     impl_->runner->describe());
}

}  // namespace tessera
