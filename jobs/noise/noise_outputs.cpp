// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/cube_file.hpp"
#include "io/formats.hpp"
#include "io/header_cards.hpp"

namespace tessera {
namespace {

/// As many axes as the input has, with length 1 after the second: its header has their coordinates.
std::vector<long long> axes_of(const HeaderCards& header, const Size& size) {
  const double count = header.number("ZNAXIS").value_or(header.number("NAXIS").value_or(2));
  std::vector<long long> axes{size.width, size.height};
  axes.resize(static_cast<std::size_t>(std::clamp(count, 2.0, 999.0)), 1);
  return axes;
}

/// Tiled images have only two axes: the header's cards for others would be wrong.
void keep_two_axes(HeaderCards& header, std::size_t axes) {
  for (int axis = static_cast<int>(axes); axis > 2; --axis) header.remove_axis(axis);
  if (header.number("WCSAXES").value_or(0) > 2) header.set_number("WCSAXES", 2);
}

std::unique_ptr<ImageSink> create_map(const std::string& path, const ImageInfo& info,
                                      HeaderCards header, WriteOptions how) {
  const std::vector<long long> axes = axes_of(header, info.size);
  const bool plain =
      how.compression == Compression::automatic || how.compression == Compression::none;
  if (!plain) keep_two_axes(header, axes.size());
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
  const ImageInfo map{input.info().size, Type::f32, kHost};
  for (const NoiseProduct& product : products) {
    if (product.file.empty()) continue;
    HeaderCards header(input.file().header());
    if (product.name == "snr") header.remove("BUNIT");
    WriteOptions its = how;
    its.plane = input.plane();
    its.history.push_back("map: " + product.name);
    files_.push_back({product, create_map(product.file, map, std::move(header), std::move(its))});
  }
}

void NoiseOutputs::write(Rows rows, AnyView from) {
  for (const File& file : files_)
    file.sink->write_plane(0, rows, from.only_plane(file.product.plane));
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
