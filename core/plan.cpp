// SPDX-License-Identifier: Apache-2.0
#include "tessera/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/check.hpp"
#include "core/plan_impl.hpp"

namespace tessera {

namespace {

/// Each thread has at least this much to do: waking the others takes about as long.
constexpr double kThreadSeconds = 10e-6;

}  // namespace

int threads_worth(double seconds) {
  const int most = this_machine().threads;
  return static_cast<int>(std::clamp<double>(seconds * most / kThreadSeconds, 1, most));
}

Stream& thread_stream(const Plan& plan) {
  const int worth = plan.impl_->worth_threads();
  Stream& whole = thread_stream(plan.device());
  if (plan.device() != kHost || worth >= whole.threads()) return whole;
  thread_local std::map<int, Stream> smaller;
  const auto found = smaller.find(worth);
  return found != smaller.end() ? found->second
                                : smaller.emplace(worth, Stream(kHost, worth)).first->second;
}

Backend Plan::backend() const { return impl_->backend(); }
std::string Plan::method() const { return impl_->method_name(); }
int Plan::device() const { return impl_->device(); }
std::string Plan::describe() const {
  return fmt::format("{}: {} {}, {}", impl_->problem_text(), name_of(backend()), method(),
                     impl_->runner_text());
}

ImagePlan::ImagePlan(std::shared_ptr<const Impl> impl) : Plan(std::move(impl)) {}
const ImageInfo& ImagePlan::input() const { return impl<Impl>().input(); }
const ImageInfo& ImagePlan::output() const { return impl<Impl>().output(); }

RowsPlan::RowsPlan(std::shared_ptr<const Impl> impl) : ImagePlan(std::move(impl)) {}
Rows RowsPlan::needs(Rows out) const { return impl<Impl>().needs(out); }
int RowsPlan::row_step() const { return impl<Impl>().row_step(); }
int RowsPlan::source_row(int row) const { return impl<Impl>().source_row(row); }

void RowsPlan::operator()(AnyView in, AnyMutableView out) const {
  Stream& stream = thread_stream(*this);
  (*this)(Piece{in, 0}, MutablePiece{out, 0}, stream);
  stream.wait();
}

void RowsPlan::operator()(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const Impl& own = impl<Impl>();
  check_call(own.operation, in, out, input(), output(), stream, device());
  if (!out.view.size.empty()) own.run(in, out, stream);
}

}  // namespace tessera
