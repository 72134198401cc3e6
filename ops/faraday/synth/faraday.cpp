// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/faraday.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "core/plan_impl.hpp"
#include "ops/faraday/faraday_views.hpp"
#include "ops/faraday/synth/faraday_problem.hpp"
#include "tessera/error.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "faraday";

FaradayProblem make_problem(const ImageInfo& image, const FaradayAxes& axes,
                            const FaradayOptions& options) {
  check_faraday_cube(kName, "q", image);
  if (image.size.planes != axes.channels())
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "{}: q has {} and there {} {}; give one frequency per plane", kName,
            counted(image.size.planes, "plane"), axes.channels() == 1 ? "is" : "are",
            axes.channels() == 1 ? "1 frequency" : fmt::format("{} frequencies", axes.channels())));
  if (axes.depths() < 1 || !(axes.weight_sum > 0))
    throw Error(ErrorKind::usage, fmt::format("{}: the axes have {} depths and weights that add up "
                                              "to {}; make them with faraday_axes",
                                              kName, axes.depths(), axes.weight_sum));
  check_faraday_weights(kName, axes);
  FaradayProblem p{image, image, axes};
  p.output.size.planes = axes.depths();
  p.device = image.device == kHost ? options.device : image.device;
  return p;
}

void check_host_view(const char* function, const char* which, const AnyView& view,
                     const char* remedy) {
  if (view.device != kHost)
    throw Error(ErrorKind::usage, fmt::format("{}: {} is on device {} and {} takes host views; {}",
                                              kName, which, view.device, function, remedy));
}

/// Checks that Q and U fit together and are on the host.
void check_host_cubes(const char* function, const AnyView& q, const AnyView& u,
                      const char* remedy) {
  check_host_view(function, "q", q, remedy);
  check_host_view(function, "u", u, remedy);
  check_faraday_cube(kName, "q", q.info());
  check_faraday_view(kName, "u", u.info(), q.info(), q.size.height);
}

/// Whether any pixel of two planes has both values.
template <class T>
bool has_pixel(View<const T> q, View<const T> u) {
  for (int y = 0; y < q.size.height; ++y)
    for (int x = 0; x < q.size.width; ++x)
      if (std::isfinite(q.at(x, y)) && std::isfinite(u.at(x, y))) return true;
  return false;
}

struct FaradaySynthPlan final : ImagePlanOf<FaradayProblem, FaradayRunner> {
  using ImagePlanOf::ImagePlanOf;
  std::string problem_text() const override {
    return fmt::format("{} {}x{} {}, {}, {}", kName, problem.image.size.width,
                       problem.image.size.height, name_of(problem.image.type),
                       counted(problem.axes.channels(), "channel"),
                       counted(problem.axes.depths(), "depth"));
  }
};

}  // namespace

FaradaySynth::FaradaySynth(const ImageInfo& image, const FaradayAxes& axes,
                           const FaradayOptions& options)
    : ImagePlan(std::make_shared<const FaradaySynthPlan>(kName, make_problem(image, axes, options),
                                                         faraday_methods(), options)) {}

const FaradayAxes& FaradaySynth::axes() const { return impl<FaradaySynthPlan>().problem.axes; }

void FaradaySynth::operator()(AnyView q, AnyView u, AnyMutableView real,
                              AnyMutableView imaginary) const {
  Stream& stream = thread_stream(*this);
  (*this)(q, u, real, imaginary, stream);
  stream.wait();
}

void FaradaySynth::operator()(AnyView q, AnyView u, AnyMutableView real, AnyMutableView imaginary,
                              Stream& stream) const {
  const int rows = q.size.height;
  check_faraday_view(kName, "q", q.info(), input(), rows);
  check_faraday_view(kName, "u", u.info(), input(), rows);
  check_faraday_view(kName, "real part", real.info(), output(), rows);
  check_faraday_view(kName, "imaginary part", imaginary.info(), output(), rows);
  for (const AnyView& in : {q, u})
    for (const AnyMutableView& out : {real, imaginary}) check_apart(kName, in, out);
  check_parts_apart(kName, real, imaginary);
  check_stream(kName, stream, device());
  if (rows > 0) impl<FaradaySynthPlan>().runner->run({q, u, real, imaginary}, stream);
}

std::vector<unsigned char> find_dead_channels(AnyView q, AnyView u) {
  check_host_cubes("find_dead_channels", q, u, "copy the cubes to the host");
  std::vector<unsigned char> dead;
  for (int k = 0; k < q.size.planes; ++k) {
    const AnyView qk = q.only_plane(k), uk = u.only_plane(k);
    dead.push_back(q.type == Type::f64 ? !has_pixel(qk.as<const double>(), uk.as<const double>())
                                       : !has_pixel(qk.as<const float>(), uk.as<const float>()));
  }
  return dead;
}

FaradaySpectra faraday_synth(AnyView q, AnyView u, const FaradayChannels& channels,
                             const FaradayOptions& options) {
  check_host_cubes("faraday_synth", q, u, "make a FaradaySynth plan for device cubes");
  FaradayChannels counting = channels;
  if (counting.weight.empty()) counting.weight.assign(channels.frequency.size(), 1.0);
  if (std::ssize(counting.weight) == q.size.planes) {
    const std::vector<unsigned char> dead = find_dead_channels(q, u);
    for (std::size_t k = 0; k < dead.size(); ++k)
      if (dead[k]) counting.weight[k] = 0;
  }
  FaradaySpectra spectra;
  spectra.axes = faraday_axes(counting, options);
  const auto plan = kept_plan<FaradaySynth>(q.info(), spectra.axes, options);
  spectra.real = Image(plan.output());
  spectra.imaginary = Image(plan.output());
  plan(q, u, spectra.real.view(), spectra.imaginary.view());
  return spectra;
}

}  // namespace tessera
