// SPDX-License-Identifier: Apache-2.0
#include "tests/support/poison.hpp"

#include <algorithm>
#include <cstring>
#include <random>

namespace tessera::testing {
namespace {

constexpr int kFrame = 5;
constexpr unsigned char kPoison = 0xA5;

template <class T>
void fill_random(const View<T>& view, unsigned seed) {
  std::mt19937 random(seed);
  for (int p = 0; p < view.size.planes; ++p)
    for (int y = 0; y < view.size.height; ++y)
      for (int x = 0; x < view.size.width; ++x)
        for (int c = 0; c < view.size.channels; ++c) {
          const double unit = static_cast<double>(random()) / 4294967296.0;
          if constexpr (std::is_integral_v<T>)
            view.at(x, y, c, p) =
                static_cast<T>(std::floor(unit * (static_cast<std::make_unsigned_t<T>>(-1) + 1.0)) +
                               std::numeric_limits<T>::min());
          else
            view.at(x, y, c, p) = static_cast<T>(2 * unit - 1);
        }
}

}  // namespace

Image random_image(Size size, Type type, unsigned seed) {
  Image image(size, type);
  switch (type) {
    case Type::u8:
      fill_random(image.as<unsigned char>(), seed);
      break;
    case Type::u16:
      fill_random(image.as<unsigned short>(), seed);
      break;
    case Type::f32:
      fill_random(image.as<float>(), seed);
      break;
    case Type::f64:
      fill_random(image.as<double>(), seed);
      break;
    case Type::i16:
      fill_random(image.as<short>(), seed);
      break;
    case Type::i32:
      fill_random(image.as<int>(), seed);
      break;
  }
  return image;
}

Guarded::Guarded(Size size, Type type, int pixel_gap) {
  const long long pixel = size.channels + pixel_gap;
  const long long row = (size.width + 2 * kFrame) * pixel;
  const long long plane = row * (size.height + 2 * kFrame);
  memory_.assign(static_cast<std::size_t>(plane * size.planes * tessera::bytes_of(type)), kPoison);
  view_.type = type;
  view_.size = size;
  view_.pixel = pixel;
  view_.row = row;
  view_.plane = plane;
  view_.data = memory_.data();
  view_.data = view_.address(kFrame, kFrame);
}

bool Guarded::is_poison(const unsigned char* sample) const {
  return std::all_of(sample, sample + tessera::bytes_of(view_.type),
                     [](unsigned char byte) { return byte == kPoison; });
}

bool Guarded::untouched_outside() const {
  std::vector<bool> inside(memory_.size(), false);
  const Size s = view_.size;
  for (int p = 0; p < s.planes; ++p)
    for (int y = 0; y < s.height; ++y)
      for (int x = 0; x < s.width; ++x) {
        const auto first = view_.address(x, y, p) - memory_.data();
        std::fill_n(inside.begin() + first, s.channels * tessera::bytes_of(view_.type), true);
      }
  for (std::size_t k = 0; k < memory_.size(); ++k)
    if (!inside[k] && memory_[k] != kPoison) return false;
  return true;
}

bool Guarded::fully_written() const {
  const Size s = view_.size;
  for (int p = 0; p < s.planes; ++p)
    for (int y = 0; y < s.height; ++y)
      for (int x = 0; x < s.width; ++x)
        for (int c = 0; c < s.channels; ++c)
          if (is_poison(view_.address(x, y, p) + c * tessera::bytes_of(view_.type))) return false;
  return true;
}

std::vector<unsigned char> bytes_of_view(AnyView view) {
  const Image packed_copy = copy(view);
  const auto* first = static_cast<const unsigned char*>(packed_copy.view().data);
  return {first, first + tessera::bytes_of(packed_copy.info())};
}

}  // namespace tessera::testing
