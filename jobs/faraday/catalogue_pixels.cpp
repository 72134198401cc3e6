// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/catalogue_pixels.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kMostGathered = 512;  ///< pixels that are transformed together

std::vector<FaradayMap> every_map() {
  std::vector<FaradayMap> maps;
  for (const auto& [name, map] : Names<FaradayMap>::list) maps.push_back(map);
  return maps;
}

/// Rows of the cubes around those asked for, read in blocks.
class RowBlocks {
 public:
  RowBlocks(FaradayVoxelInput& voxels, int last_row, FaradayMemory& memory)
      : voxels_(voxels), last_row_(last_row) {
    ImageInfo info = voxels.info();
    const double row = 4.0 * info.size.width * info.size.planes +
                       static_cast<double>(voxels.scratch_bytes_a_row());
    constexpr double kEnough = 1 << 26;
    const double rows = std::min(memory.left() / 4, std::max(kEnough, row)) / row;
    info.size.height = std::clamp(static_cast<int>(rows), 1, info.size.height);
    memory.hold("rows of the cubes", row * info.size.height);
    rows_ = Image(info);
  }

  /// Copies a pixel to column `to_x` of a row of pixels.
  void copy(Point pixel, AnyMutableView to, int to_x) {
    if (pixel.y < first_ || pixel.y >= end_) {
      first_ = pixel.y;
      end_ = std::min(first_ + rows_.info().size.height, last_row_ + 1);
      AnyMutableView view = rows_.view();
      view.size.height = end_ - first_;
      voxels_.read({first_, end_}, view);
    }
    for (int p = 0; p < to.size.planes; ++p)
      to.as<float>().at(to_x, 0, 0, p) = rows_.as<float>().at(pixel.x, pixel.y - first_, 0, p);
  }

 private:
  FaradayVoxelInput& voxels_;
  int last_row_, first_ = 0, end_ = 0;
  Image rows_;
};

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

void take_channels(const FaradayVoxels& voxels, int x, const FaradayJobChannels& channels,
                   CataloguePixel& pixel) {
  const FaradayAxes& axes = channels.axes;
  std::vector<double> noise;
  for (int k = 0; k < axes.channels(); ++k) {
    const auto n = static_cast<std::size_t>(k);
    const float sum =
        voxels.q.as<const float>().at(x, 0, 0, k) + voxels.u.as<const float>().at(x, 0, 0, k);
    const bool weighs = !voxels.weight.data || voxels.weight.as<const float>().at(x, 0, 0, k) > 0;
    if (!std::isfinite(sum) || !(axes.weight[n] > 0) || !weighs) continue;
    pixel.low = pixel.channels == 0 ? axes.frequency[n] : std::min(pixel.low, axes.frequency[n]);
    pixel.high = std::max(pixel.high, axes.frequency[n]);
    ++pixel.channels;
    double sigma = std::numeric_limits<double>::quiet_NaN();
    if (voxels.sigma.data)
      sigma = voxels.sigma.as<const float>().at(x, 0, 0, voxels.sigma.size.planes > 1 ? k : 0);
    else if (!channels.sigma.empty())
      sigma = channels.sigma[n];
    if (std::isfinite(sigma)) noise.push_back(sigma);
  }
  pixel.noise_chan = median(std::move(noise));
}

/// The second moment of the components of a pixel, as RM-Tools' mom2CCFDF.
double components_width(AnyView row, int x, const FaradayLayout& layout, const FaradayAxes& axes) {
  const View<const float> values = row.as<const float>();
  std::vector<std::complex<double>> components;
  for (int p = 0; p < axes.depths(); ++p)
    components.emplace_back(values.at(x, 0, 0, layout.part_real + p),
                            values.at(x, 0, 0, layout.part_imaginary + p));
  constexpr double kNotNeeded = 0;  // of the width and noise, on which moments do not depend
  return faraday_peak(components, axes, axes.fwhm, kNotNeeded).second_moment;
}

}  // namespace

CataloguePixels measure_pixels(const CataloguePixelsOf& of, const std::vector<Point>& pixels,
                               FaradayMemory& memory, const Progress& progress) {
  CataloguePixels found;
  found.pixels.resize(pixels.size());
  if (pixels.empty()) return found;
  std::vector<std::size_t> order(pixels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(pixels[a].y, pixels[a].x) < std::pair(pixels[b].y, pixels[b].x);
  });
  const FaradayAxes& axes = of.channels.axes;
  std::optional<FaradayPatterns> patterns;
  if (axes.regular())
    patterns.emplace(axes, of.fit_rmsf || axes.lambda2_0 == 0, of.voxels.has_weights());
  else if (of.clean)
    throw Error(ErrorKind::usage,
                "faraday: a grid of one depth cannot be cleaned; leave out --clean");
  FaradayLayout layout;
  const std::vector<FaradayMap> maps = every_map();
  layout.maps = layout.add(static_cast<int>(maps.size()));
  layout.fwhm = layout.add(1);
  if (of.clean) {
    layout.part_real = layout.add(axes.depths());
    layout.part_imaginary = layout.add(axes.depths());
  }
  const int width = static_cast<int>(std::min<std::size_t>(pixels.size(), kMostGathered));
  FaradayStrips strips({of.voxels, axes, of.channels.sigma, of.options, maps,
                        patterns ? patterns->rmsf(0).fwhm : axes.fwhm, layout,
                        patterns ? &*patterns : nullptr, of.clean, width});
  found.ran = strips.synth().describe();
  if (strips.clean()) found.clean_ran = strips.clean()->plan().describe();
  RowBlocks blocks(of.voxels, pixels[order.back()].y, memory);
  const StripPlan plan = strips.plan();
  Stream stream = memory.stream_for(plan, strips.synth().device(),
                                    static_cast<double>(strips.scratch_bytes_a_row()));
  Image in(plan.inputs[0]), out(plan.outputs[0]);
  for (std::size_t first = 0; first < order.size(); first += static_cast<std::size_t>(width)) {
    const int count = static_cast<int>(std::min<std::size_t>(order.size() - first, width));
    for (int i = 0; i < count; ++i)
      blocks.copy(pixels[order[first + static_cast<std::size_t>(i)]], in.view(), i);
    for (int p = 0; p < in.info().size.planes; ++p)  // the last row is not full
      for (int i = count; i < width; ++i)
        in.as<float>().at(i, 0, 0, p) = std::numeric_limits<float>::quiet_NaN();
    const Piece from{in.view(), 0};
    const MutablePiece to{out.view(), 0};
    plan.run({&from, 1}, {&to, 1}, stream);
    stream.wait();
    const FaradayVoxels voxels = of.voxels.voxels(in.view());
    for (int i = 0; i < count; ++i) {
      const std::size_t n = order[first + static_cast<std::size_t>(i)];
      CataloguePixel& pixel = found.pixels[n];
      pixel.at = pixels[n];
      for (std::size_t m = 0; m < maps.size(); ++m)
        pixel.maps[static_cast<std::size_t>(maps[m])] =
            out.as<float>().at(i, 0, 0, layout.maps + static_cast<int>(m));
      pixel.fwhm = out.as<float>().at(i, 0, 0, layout.fwhm);
      if (of.clean) pixel.width = components_width(out.view(), i, layout, axes);
      take_channels(voxels, i, of.channels, pixel);
    }
    if (progress) progress(static_cast<long long>(first) + count, std::ssize(order));
  }
  return found;
}

}  // namespace tessera
