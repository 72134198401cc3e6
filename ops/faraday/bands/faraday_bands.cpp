// SPDX-License-Identifier: Apache-2.0
// The plan of the bands: check, choose, run.
#include "tessera/faraday_bands.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/faraday/bands/faraday_bands_problem.hpp"
#include "ops/faraday/faraday_views.hpp"

namespace tessera {
namespace {

constexpr const char* kBands = "faraday bands";

static_assert(static_cast<int>(FaradayBand::fwhm) == kFaradayBandFwhm &&
              static_cast<int>(FaradayBand::channels) == kFaradayBandChannels &&
              Names<FaradayBand>::list.size() == kFaradayBandPlaces);

void check_sigma(const std::vector<double>& sigma, int channels) {
  if (!sigma.empty() && std::ssize(sigma) != channels)
    refuse(kBands, fmt::format("{} noise values are given for {} channels; give one per channel",
                               sigma.size(), channels));
  for (std::size_t k = 0; k < sigma.size(); ++k)
    if (sigma[k] < 0)
      refuse(kBands,
             fmt::format("the noise of channel {} is {}; it can be 0 or more", k, sigma[k]));
}

FaradayBandsProblem bands_problem(const ImageInfo& image, const FaradayAxes& axes,
                                  const FaradayBandsOptions& options) {
  check_faraday_cube(kBands, "Q", image);
  check_faraday_weights(kBands, axes);
  if (image.size.planes != axes.channels())
    refuse(kBands,
           fmt::format("Q has {} planes and the axes {} channels; give one plane per channel",
                       image.size.planes, axes.channels()));
  check_sigma(options.sigma, axes.channels());
  FaradayBandsProblem p{image, image, {}, {axes.lambda2_0, axes.fwhm, axes.channels()}};
  for (std::size_t k = 0; k < axes.lambda2.size(); ++k)
    p.channels.push_back(
        {axes.lambda2[k], axes.weight[k], options.sigma.empty() ? std::nan("") : options.sigma[k]});
  p.output.size.planes = kFaradayBandPlaces;
  p.device = image.device == kHost ? options.device : image.device;
  return p;
}

struct FaradayBandsPlan final : PlanOf<FaradayBandsProblem, FaradayBandsRunner, ImagePlan::Impl> {
  using PlanOf::PlanOf;
  const ImageInfo& input() const override { return problem.image; }
  const ImageInfo& output() const override { return problem.output; }
  std::string problem_text() const override {
    return fmt::format("{} {}x{} {}, {}", kBands, problem.image.size.width,
                       problem.image.size.height, name_of(problem.image.type),
                       counted(problem.rule.channels, "channel"));
  }
};

void check_voxels(const FaradayVoxels& voxels, const ImageInfo& cube) {
  const int rows = voxels.q.size.height;
  check_faraday_view(kBands, "Q", voxels.q.info(), cube, rows);
  check_faraday_view(kBands, "U", voxels.u.info(), cube, rows);
  if (voxels.weight.data)
    check_faraday_view(kBands, "cube of weights", voxels.weight.info(), cube, rows);
  if (!voxels.sigma.data) return;
  ImageInfo noise = cube;
  if (voxels.sigma.size.planes == 1) noise.size.planes = 1;
  check_faraday_view(kBands, "noise", voxels.sigma.info(), noise, rows);
}

}  // namespace

FaradayBands::FaradayBands(const ImageInfo& image, const FaradayAxes& axes,
                           const FaradayBandsOptions& options)
    : ImagePlan(std::make_shared<const FaradayBandsPlan>(
          kBands, bands_problem(image, axes, options), faraday_bands_methods(), options)) {}

void FaradayBands::operator()(const FaradayVoxels& voxels, AnyMutableView bands) const {
  Stream& stream = thread_stream(*this);
  (*this)(voxels, bands, stream);
  stream.wait();
}

void FaradayBands::operator()(const FaradayVoxels& voxels, AnyMutableView bands,
                              Stream& stream) const {
  const int rows = voxels.q.size.height;
  check_voxels(voxels, input());
  check_faraday_view(kBands, "output", bands.info(), output(), rows);
  for (const AnyView& in : {voxels.q, voxels.u, voxels.weight, voxels.sigma})
    if (in.data) check_apart(kBands, in, bands);
  check_stream(kBands, stream, device());
  if (rows > 0) impl<FaradayBandsPlan>().runner->run(voxels, bands, stream);
}

void FaradayBands::weigh(const FaradayVoxels& voxels, AnyMutableView q, AnyMutableView u) const {
  Stream& stream = thread_stream(*this);
  weigh(voxels, q, u, stream);
  stream.wait();
}

void FaradayBands::weigh(const FaradayVoxels& voxels, AnyMutableView q, AnyMutableView u,
                         Stream& stream) const {
  const int rows = voxels.q.size.height;
  check_voxels(voxels, input());
  check_faraday_view(kBands, "weighted Q", q.info(), input(), rows);
  check_faraday_view(kBands, "weighted U", u.info(), input(), rows);
  if (voxels.weight.data) {
    check_apart(kBands, voxels.weight, q);
    check_apart(kBands, voxels.weight, u);
  }
  check_stream(kBands, stream, device());
  if (rows > 0) impl<FaradayBandsPlan>().runner->weigh(voxels, q, u, stream);
}

}  // namespace tessera
