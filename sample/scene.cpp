// SPDX-License-Identifier: Apache-2.0
#include "sample/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "core/parallel.hpp"
#include "core/stop.hpp"
#include "sample/leaf_tile.hpp"
#include "sample/random.hpp"
#include "sample/sample_checks.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

void check_size(const Size& size) {
  if (size.width >= 1 && size.height >= 1 && size.planes >= 1 &&
      (size.channels == 1 || size.channels == 3))
    return check_sides("scene", size);
  throw Error(ErrorKind::usage,
              fmt::format("scene: {}x{} pixels with {} and {} cannot be made; it needs "
                          "at least one pixel and 1 or 3 channels",
                          size.width, size.height, counted(size.channels, "channel"),
                          counted(size.planes, "plane")));
}

template <class T>
T sample_of(float value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::lround(static_cast<double>(value) * static_cast<T>(-1)));
  else
    return static_cast<T>(value);
}

/// Luminance according to Rec. 709.
float grey(const Colour& c) { return 0.2126f * c.red + 0.7152f * c.green + 0.0722f * c.blue; }

template <class T>
void store(const LeafTile& tile, const Box& box, const View<T>& to, int first_row, int plane) {
  for (int y = box.top; y < box.bottom; ++y)
    for (int x = box.left; x < box.right; ++x) {
      const Colour colour = tile.at(x, y);
      T* pixel = &to.at(x, y - first_row, 0, plane);
      if (to.size.channels == 1) {
        pixel[0] = sample_of<T>(grey(colour));
      } else {
        pixel[0] = sample_of<T>(colour.red);
        pixel[1] = sample_of<T>(colour.green);
        pixel[2] = sample_of<T>(colour.blue);
      }
    }
}

void store_any(const LeafTile& tile, const Box& box, AnyMutableView to, int first_row, int plane) {
  switch (to.type) {
    case Type::u8:
      return store(tile, box, to.as<unsigned char>(), first_row, plane);
    case Type::u16:
      return store(tile, box, to.as<unsigned short>(), first_row, plane);
    case Type::f32:
      return store(tile, box, to.as<float>(), first_row, plane);
    default:
      return store(tile, box, to.as<double>(), first_row, plane);
  }
}

}  // namespace

Scene::Scene(Size size, std::uint64_t seed, Type type, int threads)
    : info_{size, type, kHost},
      seed_(seed),
      threads_(threads > 0 ? threads : available_threads()),
      levels_(leaf_levels(std::max(size.width, size.height))) {
  check_size(size);
  check_type("scene", type);
}

void Scene::read(Rows rows, AnyMutableView to) {
  const int bands = (rows.count() + kTileSide - 1) / kTileSide;
  parallel_for(bands * info_.size.planes, threads_, [&](int i) {
    const int first = rows.first + i % bands * kTileSide;
    const Rows band{first, std::min(rows.end, first + kTileSide)};
    const AnyMutableView part = to.rows(first - rows.first, band.count());
    paint(band, i / bands, part);
  });
}

void Scene::paint(Rows rows, int plane, AnyMutableView to) const {
  const std::uint64_t seed = mixed(seed_ + static_cast<std::uint64_t>(plane));
  for (int left = 0; left < info_.size.width; left += kTileSide) {
    poll_stop();
    const Box box{left, rows.first, std::min(info_.size.width, left + kTileSide), rows.end};
    store_any(LeafTile(box, seed, levels_), box, to, rows.first, plane);
  }
}

Image scene(Size size, std::uint64_t seed, Type type) {
  Scene source(size, seed, type);
  Image image(source.info());
  source.read({0, size.height}, image.view());
  return image;
}

}  // namespace tessera
