// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "ops/correlate/scene/scene_colour.hpp"

namespace tessera {
namespace {

using Table = std::vector<float>;

Table linear_table(int most, ColourCoding coding) {
  Table table(static_cast<std::size_t>(most) + 1);
  for (int i = 0; i <= most; ++i) {
    const double coded = static_cast<double>(i) / most;
    const double light = coded <= 0.04045 ? coded / 12.92 : std::pow((coded + 0.055) / 1.055, 2.4);
    table[static_cast<std::size_t>(i)] =
        static_cast<float>(coding == ColourCoding::srgb ? light : coded);
  }
  return table;
}

template <class T>
const Table& table_of(ColourCoding coding) {
  static const Table srgb = linear_table(static_cast<T>(-1), ColourCoding::srgb),
                     linear = linear_table(static_cast<T>(-1), ColourCoding::linear);
  return coding == ColourCoding::srgb ? srgb : linear;
}

// Red, green and blue, or grey; alpha is ignored.
int colours(int channels) { return channels >= 3 ? 3 : 1; }

template <class T, class Convert>
void read_row(const AnyView& from, int y, float* to, std::size_t step, Convert convert) {
  const int count = colours(from.size.channels);
  const T* pixel = from.as<const T>().data + y * from.row;
  for (int x = 0; x < from.size.width; ++x, pixel += from.pixel)
    for (int c = 0; c < count; ++c)
      to[static_cast<std::size_t>(c) * step + static_cast<std::size_t>(x)] = convert(pixel[c]);
}

template <class T>
void read_integers(const AnyView& from, int y, ColourCoding coding, float* to, std::size_t step) {
  const float* table = table_of<T>(coding).data();
  read_row<T>(from, y, to, step, [table](T sample) { return table[sample]; });
}

}  // namespace

std::vector<float> light_of_samples(Type type, ColourCoding coding) {
  if (type == Type::u8) return table_of<unsigned char>(coding);
  if (type == Type::u16) return table_of<unsigned short>(coding);
  return {};
}

void read_linear_row(const AnyView& photograph, int y, ColourCoding coding,
                     LinearFunction from_srgb, float* to, std::size_t step) {
  switch (photograph.type) {
    case Type::u8:
      return read_integers<unsigned char>(photograph, y, coding, to, step);
    case Type::u16:
      return read_integers<unsigned short>(photograph, y, coding, to, step);
    case Type::f32:
      read_row<float>(photograph, y, to, step, [](float sample) { return sample; });
      break;
    default:
      read_row<double>(photograph, y, to, step,
                       [](double sample) { return static_cast<float>(sample); });
      break;
  }
  if (coding == ColourCoding::linear) return;
  for (int c = 0; c < colours(photograph.size.channels); ++c)
    from_srgb(to + static_cast<std::size_t>(c) * step, photograph.size.width);
}

}  // namespace tessera
