// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/refuse.hpp"
#include "ops/beam/beam_matrix.hpp"

namespace tessera {
namespace {

const ImageInfo& checked_image(const ImageInfo& image) {
  const bool floats = image.type == Type::f32 || image.type == Type::f64;
  if (!floats || image.size.channels != 1 || image.device != kHost)
    refuse("beam", fmt::format("the image is {} with {} channels{}; it must be f32 or f64 with one "
                               "channel, in host memory",
                               name_of(image.type), image.size.channels,
                               image.device == kHost ? "" : " on a device"));
  return image;
}

double factor_of(const BeamChange& change, const BeamOptions& options) {
  return options.flux == BeamFlux::per_beam ? change.to.area() / change.from.area() : 1;
}

ConvolveOptions filter_options(const BeamOptions& options, double factor) {
  ConvolveOptions filter;
  filter.border = Border::constant;
  filter.scale = factor;
  filter.backend = options.backend;
  filter.method = options.method;
  filter.device = options.device;
  return filter;
}

// Terms of low rank may leave out 2e-5 of a source's peak, which convolve's bound allows and a flux
// scale does not: FFTs take their place.
Convolve plan_of(const ImageInfo& image, const Image& weights, const BeamOptions& options,
                 double factor) {
  ConvolveOptions filter = filter_options(options, factor);
  Convolve plan(image, weights.view(), filter);
  if (options.method != "auto" || plan.method() != "lowrank") return plan;
  filter.backend = plan.backend();
  filter.method = "fft";
  return {image, weights.view(), filter};
}

/// Calls visit(row of one plane) for all rows, over the threads.
template <class Visit>
void each_row(const Size& size, int threads, Visit visit) {
  parallel_for(size.planes * size.height, threads,
               [&](int i) { visit(i % size.height, i / size.height); });
}

template <class T>
void copy_finite(View<const T> from, View<T> to, int threads) {
  each_row(from.size, threads, [&](int y, int p) {
    for (int x = 0; x < from.size.width; ++x) {
      const T value = from.at(x, y, 0, p);
      to.at(x, y, 0, p) = std::isfinite(value) ? value : T{0};
    }
  });
}

template <class T>
void blank_like(View<const T> from, View<T> to, int threads) {
  each_row(to.size, threads, [&](int y, int p) {
    for (int x = 0; x < to.size.width; ++x)
      if (!std::isfinite(from.at(x, y, 0, p)))
        to.at(x, y, 0, p) = std::numeric_limits<T>::quiet_NaN();
  });
}

}  // namespace

BeamSmooth::BeamSmooth(const ImageInfo& image, const BeamChange& change, const BeamOptions& options)
    : copies_(false), factor_(factor_of(change, options)), plan_([&] {
        const Image weights = beam_kernel(change);
        copies_ = weights.info().size.pixels() == 1;
        if (copies_) factor_ = 1;
        return plan_of(checked_image(image), weights, options, factor_);
      }()) {}

std::string BeamSmooth::describe() const {
  if (copies_)
    return fmt::format("beam {}x{}: equal, copied", input().size.width, input().size.height);
  const std::string ran = plan_.describe(), start = "convolve ";
  return fmt::format("beam {} times {:.6g}",
                     ran.starts_with(start) ? ran.substr(start.size()) : ran, factor_);
}

void BeamSmooth::operator()(AnyView in, AnyMutableView out) const {
  Stream stream(device());
  (*this)(Piece{in, 0}, MutablePiece{out, 0}, stream);
}

void BeamSmooth::operator()(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const AnyView same = in.view.rows(out.first_row - in.first_row, out.view.size.height);
  if (copies_) return copy_samples(same, out.view);
  const Scratch memory = host_scratch(static_cast<std::size_t>(bytes_of(in.view.info())));
  const AnyMutableView finite = packed(memory.data(), in.view.info());
  const int threads = stream.threads();
  if (in.view.type == Type::f32)
    copy_finite(in.view.as<const float>(), finite.as<float>(), threads);
  else
    copy_finite(in.view.as<const double>(), finite.as<double>(), threads);
  plan_(Piece{finite, in.first_row}, out, stream);
  stream.wait();
  if (in.view.type == Type::f32)
    blank_like(same.as<const float>(), out.view.as<float>(), threads);
  else
    blank_like(same.as<const double>(), out.view.as<double>(), threads);
}

Image beam_smooth(AnyView image, const BeamChange& change, const BeamOptions& options) {
  const BeamSmooth plan(image.info(), change, options);
  Image out(plan.output());
  plan(image, out.view());
  return out;
}

}  // namespace tessera
