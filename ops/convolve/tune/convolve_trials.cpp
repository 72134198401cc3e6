// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/tune/convolve_trials.hpp"

#include <random>

#include "core/compare.hpp"

namespace tessera {
namespace {

constexpr Border kBorder = Border::replicate;  // that of the speed lists

double unit(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

std::vector<double> random_vector(int count, std::mt19937& random) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = 0.5 + unit(random);
  return values;
}

// Positive weights of sum 1: results stay in the range of the input.
Image random_filter(FilterSize size, FilterRank rank) {
  if (rank == FilterRank::box) return box(size.width, size.height);
  std::mt19937 random(2);
  Image filter({size.width, size.height}, Type::f64);
  double* weights = filter.as<double>().data;
  const int terms = rank == FilterRank::one ? 1 : 2;
  double sum = 0;
  for (int term = 0; term < terms; ++term) {
    const auto across = random_vector(size.width, random),
               down = random_vector(size.height, random);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        weights[y * size.width + x] +=
            rank == FilterRank::full ? unit(random) : across[x] * down[y];
  }
  const long long count = filter.info().size.samples();
  for (long long k = 0; k < count; ++k) sum += weights[k];
  for (long long k = 0; k < count; ++k) weights[k] /= sum;
  return filter;
}

}  // namespace

TrialImages::TrialImages(const TuneRequest& request, Size size)
    : room_(request, random_image_of(size, request.type), {size, request.type}),
      largest_(largest_magnitude(room_.host().view())) {}

const Image& TrialImages::truth(const Image& filter) {
  if (truth_of_ == filter.view().data) return truth_;
  const std::vector<int> rows = room_.sampled_rows();
  const Image& image = room_.host();
  const Convolve reference(image.info(), filter.view(),
                           {.border = kBorder,
                            .output_type = Type::f64,
                            .backend = Backend::cpu,
                            .method = "reference"});
  truth_ = Image({image.info().size.width, static_cast<int>(rows.size())}, Type::f64);
  Stream stream;
  for (std::size_t i = 0; i < rows.size(); ++i)
    reference(Piece{image.view(), 0},
              MutablePiece{truth_.view().rows(static_cast<int>(i), 1), rows[i]}, stream);
  truth_of_ = filter.view().data;
  return truth_;
}

TrialFilter::TrialFilter(std::shared_ptr<TrialImages> images, FilterSize size, FilterRank rank)
    : images_(std::move(images)), filter_(random_filter(size, rank)) {}

Convolve TrialFilter::plan(Backend backend, const std::string& method) const {
  const AnyView in = images_->room().in();
  return Convolve(in.info(), filter_.view(),
                  {.border = kBorder,
                   .backend = backend,
                   .method = method,
                   .device = in.device == kHost ? 0 : in.device});
}

Trial TrialFilter::trial(Backend backend, const std::string& method) const {
  const Convolve made = plan(backend, method);
  const std::shared_ptr<TrialRoom> room(images_, &images_->room());
  return trial_in(
      room,
      [room, made](Stream& stream) {
        made(Piece{room->in(), 0}, MutablePiece{room->out(), 0}, stream);
      },
      [images = images_, filter = filter_, made] {
        const Image rows = images->room().sampled();
        return compare(images->truth(filter).view(), rows.view(),
                       made.error_bound(images->largest()))
            .disagreement;
      });
}

}  // namespace tessera
