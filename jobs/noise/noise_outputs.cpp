// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/cube_file.hpp"
#include "io/formats.hpp"
#include "io/header_cards.hpp"

namespace tessera {
namespace {

/// As many axes as the input has, with its planes along those that have them, or with length 1
/// after the second: its header has their coordinates.
std::vector<long long> axes_of(const HeaderCards& header, const Size& size) {
  const auto number = [&](const std::string& keyword, double otherwise) {
    return header.number("Z" + keyword).value_or(header.number(keyword).value_or(otherwise));
  };
  std::vector<long long> axes{size.width, size.height};
  axes.resize(static_cast<std::size_t>(std::clamp(number("NAXIS", 2), 2.0, 999.0)), 1);
  if (size.planes == 1) return axes;
  long long planes = 1;
  for (std::size_t axis = 2; axis < axes.size(); ++axis) {
    axes[axis] = static_cast<long long>(number(fmt::format("NAXIS{}", axis + 1), 1));
    planes *= std::max(1LL, axes[axis]);
  }
  return planes == size.planes ? axes
                               : std::vector<long long>{size.width, size.height, size.planes};
}

/// Tiled images have two axes, or three with planes: the header's cards for others would be wrong.
void keep_tiled_axes(HeaderCards& header, const std::vector<long long>& axes, int planes) {
  const int kept = planes > 1 && axes[2] == planes ? 3 : 2;
  for (int axis = static_cast<int>(axes.size()); axis > kept; --axis) header.remove_axis(axis);
  if (header.number("WCSAXES").value_or(0) > kept) header.set_number("WCSAXES", kept);
}

std::unique_ptr<ImageSink> create_map(const std::string& path, const ImageInfo& info,
                                      HeaderCards header, WriteOptions how) {
  const std::vector<long long> axes = axes_of(header, info.size);
  const bool plain =
      how.compression == Compression::automatic || how.compression == Compression::none;
  if (!plain) keep_tiled_axes(header, axes, info.size.planes);
  how.header = header.list();
  if (axes.size() == 2 || !plain) return create_image(path, info, how);
  return std::move(create_cubes(path, {{info, axes, how, {}}})[0]);
}

}  // namespace

std::string percent_text(double order) { return fmt::format("{:.6g}", 100 * order); }

std::string noise_ending(const ImageSource& file) {
  for (const Format& format : formats())
    if (format.name == file.format() && format.can_write() &&
        (file.format() == "FITS" || file.format() == "TIFF"))
      return format.extensions[0];
  return ".npy";
}

NoiseOutputs::NoiseOutputs(const std::vector<NoiseProduct>& products, const NoiseInput& input,
                           const WriteOptions& how) {
  ImageInfo map{input.info().size, Type::f32, kHost};
  map.size.planes = input.planes().count();
  for (const NoiseProduct& product : products) {
    if (product.file.empty()) continue;
    HeaderCards header(input.file().header());
    if (product.name == "snr") header.remove("BUNIT");
    WriteOptions its = how;
    its.plane = input.planes().first;
    its.history.push_back("map: " + product.name);
    files_.push_back({product, create_map(product.file, map, std::move(header), std::move(its))});
  }
}

void NoiseOutputs::write(Rows rows, AnyView from) {
  for (const File& file : files_)
    file.sink->write_plane(plane_, rows, from.only_plane(file.product.plane));
}

int NoiseOutputs::block_rows() const {
  int rows = 1;
  for (const File& file : files_) rows = std::lcm(rows, file.sink->block_rows());
  return rows;
}

void NoiseOutputs::place() {
  for (const File& file : files_) file.sink->finish();
}

std::vector<std::string> NoiseOutputs::files() const {
  std::vector<std::string> names;
  for (const File& file : files_) names.push_back(file.product.file);
  return names;
}

}  // namespace tessera
