// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_cube_axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

#include "jobs/faraday/faraday_stokes.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// A tiled FITS has its axes as ZNAXISn.
std::vector<long long> header_lengths(const HeaderCards& header) {
  const std::string prefix = header.has("ZNAXIS") ? "Z" : "";
  const double axes = header.number(prefix + "NAXIS").value_or(0);
  std::vector<long long> lengths;
  for (int axis = 1; axis <= axes; ++axis)
    lengths.push_back(
        static_cast<long long>(header.number(fmt::format("{}NAXIS{}", prefix, axis)).value_or(1)));
  return lengths;
}

int named_axis(const HeaderCards& header, int axes, const std::string& word) {
  for (int axis = axes; axis >= 1; --axis)
    if (names_axis(header.text(fmt::format("CTYPE{}", axis)), word)) return axis - 1;
  return -1;
}

/// The last axis that is longer than 1; if there is none, the last of all.
int last_axis(const std::vector<long long>& lengths) {
  for (int axis = static_cast<int>(lengths.size()) - 1; axis >= 0; --axis)
    if (lengths[static_cast<std::size_t>(axis)] > 1) return axis;
  return static_cast<int>(lengths.size()) - 1;
}

}  // namespace

bool names_axis(const std::string& type, const std::string& word) {
  return upper(type).find(word) != std::string::npos;
}

Size FaradayCubeAxes::file_size() const {
  long long planes = 1;
  for (std::size_t axis = 2; axis < lengths.size(); ++axis) planes *= lengths[axis];
  return {static_cast<int>(lengths[0]), lengths.size() > 1 ? static_cast<int>(lengths[1]) : 1, 1,
          static_cast<int>(planes)};
}

FaradayCubeAxes FaradayCubeAxes::with_spectral(int planes) const {
  FaradayCubeAxes axes = *this;
  axes.lengths[static_cast<std::size_t>(spectral)] = planes;
  if (stokes >= 0) axes.lengths[static_cast<std::size_t>(stokes)] = 1;
  axes.stokes = -1;
  return axes;
}

FaradayCubeAxes FaradayCubeAxes::map() const { return {{length(x), length(y)}, 0, 1, -1}; }

long long FaradayCubeAxes::planes_apart(int axis) const {
  long long planes = 1;
  for (int before = 2; before < axis; ++before) planes *= lengths[static_cast<std::size_t>(before)];
  return planes;
}

void FaradayCubeAxes::each_plane(Rows rows, AnyMutableView cube, const Visit& visit) const {
  struct Along {
    int axis, count;
    long long step;
  };
  const Along all[] = {{x, cube.size.width, cube.pixel},
                       {y, rows.count(), cube.row},
                       {spectral, cube.size.planes, cube.plane}};
  AnyMutableView part = cube;
  part.size = {1, 1, 1, 1};
  part.pixel = part.row = part.plane = 1;
  for (const Along& along : all) {
    if (along.axis == 0) part.size.width = along.count, part.pixel = along.step;
    if (along.axis == 1) part.size.height = along.count, part.row = along.step;
  }
  if (part.size.height == 1) part.row = part.size.width;  // packed, whatever the step was
  const Rows file_rows = y == 1 ? rows : Rows{0, part.size.height};
  const auto times = [](const Along& along) { return along.axis >= 2 ? along.count : 1; };
  const long long first = stokes_planes() + (y >= 2 ? rows.first * planes_apart(y) : 0);
  for (int k = 0; k < times(all[2]); ++k)
    for (int j = 0; j < times(all[1]); ++j)
      for (int i = 0; i < times(all[0]); ++i) {
        const long long plane =
            first + i * planes_apart(x) + j * planes_apart(y) + k * planes_apart(spectral);
        part.data = cube.address(i, j, k);
        visit(static_cast<int>(plane), file_rows, part);
      }
}

FaradayCubeAxes find_cube_axes(const std::string& path, const ImageSource& source,
                               const std::string& word, char parameter) {
  const HeaderCards header(source.header());
  const Size size = source.info().size;
  FaradayCubeAxes axes;
  axes.lengths = header_lengths(header);
  if (axes.lengths.empty()) axes.lengths = {size.width, size.height, size.planes};
  axes.spectral = named_axis(header, static_cast<int>(axes.lengths.size()), word);
  if (axes.spectral < 0)
    axes.spectral =
        header.list().empty() ? last_axis(axes.lengths) : static_cast<int>(axes.lengths.size()) - 1;
  const int stokes = stokes_axis_of(header) - 1, count = static_cast<int>(axes.lengths.size());
  if (parameter && stokes >= 2 && stokes < count && stokes != axes.spectral &&
      axes.lengths[static_cast<std::size_t>(stokes)] > 1) {
    axes.stokes = stokes;
    axes.stokes_at =
        stokes_index(path, header, stokes + 1,
                     static_cast<int>(axes.lengths[static_cast<std::size_t>(stokes)]), parameter);
  }
  for (int axis = 0; axis < count; ++axis) {
    if (axis == axes.spectral || axis == axes.stokes ||
        axes.lengths[static_cast<std::size_t>(axis)] == 1)
      continue;
    if (axes.y >= 0 || size.channels != 1)
      throw Error(ErrorKind::input,
                  fmt::format("{}: its axes are {}; a cube has x, y and one more axis longer than "
                              "1: extract one Stokes parameter first",
                              path, fmt::join(axes.lengths, " x ")));
    (axes.x < 0 ? axes.x : axes.y) = axis;
  }
  return axes;
}

}  // namespace tessera
