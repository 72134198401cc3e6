// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/tune/convolve_trials.hpp"

#include <random>

#include "core/compare.hpp"
#include "core/device.hpp"
#include "core/samples.hpp"

namespace tessera {
namespace {

constexpr Border kBorder = Border::replicate;  // that of the speed lists

int stream_device(const TuneRequest& request) {
  return request.backend == Backend::cuda ? request.device : kHost;
}

double unit(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

Image random_samples(Size size, Type type) {
  Image image(size, type);
  std::mt19937 random(1);
  const double range = type == Type::u8 ? 255 : type == Type::u16 ? 65535 : 1;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      store_sample(image.view(), x, y, 0, 0, range * unit(random));
  return image;
}

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
    : stream_(stream_device(request)), host_(random_samples(size, request.type)) {
  largest_ = largest_magnitude(host_.view());
  if (request.backend == Backend::cpu) {
    host_out_ = Image(host_.info());
    in_ = host_.view();
    out_ = host_out_.view();
    return;
  }
  ImageInfo info = host_.info();
  const auto bytes = static_cast<std::size_t>(bytes_of(info));
  info.device = request.device;
  device_in_ = stream_.scratch(bytes);
  device_out_ = stream_.scratch(bytes);
  const AnyMutableView in = packed(device_in_.data(), info);
  device_stream(stream_).copy(host_.view(), in);
  stream_.wait();
  in_ = in;
  out_ = packed(device_out_.data(), info);
}

std::vector<int> TrialImages::sampled_rows() const {
  const int height = host_.info().size.height;
  return {0, height / 3, height / 2 + height / 64 + 1, height - 1};
}

void TrialImages::poison() {
  Image bad({host_.info().size.width, 1}, host_.info().type);
  unsigned char* bytes = bad.view().address(0, 0, 0);
  std::fill_n(bytes, bytes_of(bad.info()),
              static_cast<unsigned char>(0xff));  // NaN, or the largest
  for (const int row : sampled_rows())
    if (out_.device == kHost)
      std::copy_n(bytes, bytes_of(bad.info()), out_.address(0, row, 0));
    else
      device_stream(stream_).copy(bad.view(), out_.rows(row, 1));
  stream_.wait();
}

Image TrialImages::sampled_output() {
  const std::vector<int> rows = sampled_rows();
  const int width = host_.info().size.width;
  Image sampled({width, static_cast<int>(rows.size())}, host_.info().type);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const AnyMutableView to = sampled.view().rows(static_cast<int>(i), 1);
    if (out_.device == kHost)
      std::copy_n(out_.address(0, rows[i], 0), width * bytes_of(out_.type), to.address(0, 0, 0));
    else
      device_stream(stream_).copy(out_.rows(rows[i], 1), to);
  }
  stream_.wait();
  return sampled;
}

const Image& TrialImages::truth(const Image& filter) {
  if (truth_of_ == filter.view().data) return truth_;
  const std::vector<int> rows = sampled_rows();
  const Convolve reference(host_.info(), filter.view(),
                           {.border = kBorder,
                            .output_type = Type::f64,
                            .backend = Backend::cpu,
                            .method = "reference"});
  truth_ = Image({host_.info().size.width, static_cast<int>(rows.size())}, Type::f64);
  Stream stream;
  for (std::size_t i = 0; i < rows.size(); ++i)
    reference(Piece{std::as_const(host_).view(), 0},
              MutablePiece{truth_.view().rows(static_cast<int>(i), 1), rows[i]}, stream);
  truth_of_ = filter.view().data;
  return truth_;
}

TrialFilter::TrialFilter(std::shared_ptr<TrialImages> images, FilterSize size, FilterRank rank)
    : images_(std::move(images)), filter_(random_filter(size, rank)) {}

Convolve TrialFilter::plan(Backend backend, const std::string& method) const {
  return Convolve(images_->in().info(), filter_.view(),
                  {.border = kBorder,
                   .backend = backend,
                   .method = method,
                   .device = images_->in().device == kHost ? 0 : images_->in().device});
}

Trial TrialFilter::trial(Backend backend, const std::string& method) const {
  const Convolve made = plan(backend, method);
  images_->poison();
  const auto run = [images = images_, made] {
    made(Piece{images->in(), 0}, MutablePiece{images->out(), 0}, images->stream());
  };
  return {run, [images = images_] { images->stream().wait(); },
          [images = images_, filter = filter_, made] {
            const Image rows = images->sampled_output();
            return compare(images->truth(filter).view(), rows.view(),
                           made.error_bound(images->largest()))
                .disagreement;
          }};
}

}  // namespace tessera
