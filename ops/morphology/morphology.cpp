// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/morphology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "core/rows.hpp"
#include "ops/morphology/morphology_problem.hpp"

namespace tessera {
namespace {

const char* operation_name(MorphologyKind kind) { return name_of(kind).data(); }

/// One value a pixel: whether it belongs to the element.
std::vector<bool> read_members(MorphologyKind kind, AnyView element) {
  const Size s = element.size;
  if (element.device != kHost)
    refuse(name_of(kind), "the element is on a device; it must be in host memory");
  if (s.width < 1 || s.height < 1)
    refuse(name_of(kind),
           fmt::format("the element is {} by {}; it needs at least one pixel each way", s.width,
                       s.height));
  if (s.channels != 1 || s.planes != 1)
    refuse(name_of(kind),
           fmt::format("the element has {} channels and {} planes; it needs one of each",
                       s.channels, s.planes));
  const std::vector<double> values = samples_as_double(element);
  std::vector<bool> members;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k]))
      refuse(name_of(kind),
             fmt::format("the element's pixel at column {}, row {} is nan; it must be 0 or "
                         "not",
                         k % s.width, k / s.width));
    members.push_back(values[k] != 0);
  }
  if (std::find(members.begin(), members.end(), true) == members.end())
    refuse(name_of(kind),
           fmt::format("all {} pixels of the element are 0; one at least must not be",
                       members.size()));
  return members;
}

std::vector<ElementRun> find_runs(const std::vector<bool>& members, int width) {
  std::vector<ElementRun> runs;
  for (int k = 0; k < std::ssize(members); ++k) {
    if (!members[k]) continue;
    if (k % width != 0 && members[k - 1])
      ++runs.back().length;
    else
      runs.push_back({k / width, k % width, 1});
  }
  return runs;
}

Point find_anchor(MorphologyKind kind, const MorphologyOptions& options, Size element) {
  const Point anchor = options.anchor.value_or(Point{element.width / 2, element.height / 2});
  if (anchor.x < 0 || anchor.x >= element.width || anchor.y < 0 || anchor.y >= element.height)
    refuse(name_of(kind),
           fmt::format("the anchor {},{} is not in the element; it can be 0,0 to {},{}", anchor.x,
                       anchor.y, element.width - 1, element.height - 1));
  return anchor;
}

/// Cuts empty rows and columns off the element's sides; the anchor moves along.
void trim(MorphologyProblem& p) {
  int left = p.element.width, right = 0;
  const int top = p.runs.front().row, bottom = p.runs.back().row + 1;
  for (const ElementRun& run : p.runs) {
    left = std::min(left, run.first);
    right = std::max(right, run.first + run.length);
  }
  for (ElementRun& run : p.runs) {
    run.row -= top;
    run.first -= left;
  }
  p.width = right - left;
  p.height = bottom - top;
  p.anchor = {p.anchor.x - left, p.anchor.y - top};
}

MorphologyProblem make_problem(MorphologyKind kind, const ImageInfo& image, AnyView element,
                               const MorphologyOptions& options) {
  check_image(operation_name(kind), image);
  if (std::isnan(options.constant)) refuse(name_of(kind), "constant is nan; it must be a number");
  MorphologyProblem p;
  p.kind = kind;
  p.image = p.output = image;
  p.element = element.size;
  std::vector<bool> members = read_members(kind, element);
  p.anchor = find_anchor(kind, options, p.element);
  if ((kind == MorphologyKind::dilate) != options.flip) {
    std::reverse(members.begin(), members.end());
    p.anchor = {p.element.width - 1 - p.anchor.x, p.element.height - 1 - p.anchor.y};
  }
  p.runs = find_runs(members, p.element.width);
  p.border = options.border;
  p.constant = options.constant;
  if (p.border == Border::valid) {
    p.output.size.width = std::max(0, image.size.width - p.element.width + 1);
    p.output.size.height = std::max(0, image.size.height - p.element.height + 1);
    p.first_pixel = p.anchor;
    p.anchor = {0, 0};
  }
  trim(p);
  p.device = image.device == kHost ? options.device : image.device;
  return p;
}

Image apply(MorphologyKind kind, AnyView in, AnyView element, const MorphologyOptions& options) {
  const Morphology plan(kind, in.info(), element, options);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

}  // namespace

struct Morphology::Impl {
  MorphologyProblem problem;
  const MorphologyMethod* method;
  std::unique_ptr<const MorphologyRunner> runner;
};

Morphology::Morphology(MorphologyKind kind, const ImageInfo& image, AnyView element,
                       const MorphologyOptions& options) {
  auto impl = std::make_shared<Impl>();
  impl->problem = make_problem(kind, image, element, options);
  impl->method = &choose(operation_name(kind), morphology_methods(), impl->problem,
                         wanted_backend(options.backend), options.method, this_machine());
  impl->runner = impl->method->make(impl->problem);
  impl_ = std::move(impl);
}

const ImageInfo& Morphology::input() const { return impl_->problem.image; }
const ImageInfo& Morphology::output() const { return impl_->problem.output; }
Point Morphology::first_pixel() const { return impl_->problem.first_pixel; }
Rows Morphology::needs(Rows out) const { return impl_->problem.needs(out); }
int Morphology::source_row(int row) const {
  return border_index(row, impl_->problem.image.size.height, impl_->problem.border);
}
Backend Morphology::backend() const { return impl_->method->backend; }
std::string Morphology::method() const { return impl_->method->name; }
int Morphology::device() const {
  return impl_->method->backend == Backend::cuda ? impl_->problem.device : kHost;
}

void Morphology::operator()(AnyView in, AnyMutableView out) const {
  Stream& stream = thread_stream(device());
  (*this)(Piece{in, 0}, MutablePiece{out, 0}, stream);
  stream.wait();
}

void Morphology::operator()(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const MorphologyProblem& p = impl_->problem;
  check_call(operation_name(p.kind), in, out, p.image, p.output, stream, device());
  if (out.view.size.empty()) return;
  impl_->runner->run(in, out, stream);
}

std::string Morphology::describe() const {
  const MorphologyProblem& p = impl_->problem;
  return fmt::format("{} {} by {}x{}: {} {}, {}", name_of(p.kind), image_text(p.image),
                     p.element.width, p.element.height, name_of(impl_->method->backend),
                     impl_->method->name, impl_->runner->describe());
}

Image erode(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::erode, in, element, options);
}
Image dilate(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::dilate, in, element, options);
}

}  // namespace tessera
