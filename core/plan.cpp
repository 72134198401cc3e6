// SPDX-License-Identifier: Apache-2.0
#include "tessera/plan.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/plan_impl.hpp"

namespace tessera {

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
  Stream& stream = thread_stream(device());
  (*this)(Piece{in, 0}, MutablePiece{out, 0}, stream);
  stream.wait();
}

void RowsPlan::operator()(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const Impl& own = impl<Impl>();
  check_call(own.operation, in, out, input(), output(), stream, device());
  if (!out.view.size.empty()) own.run(in, out, stream);
}

}  // namespace tessera
