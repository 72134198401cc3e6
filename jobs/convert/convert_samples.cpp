// SPDX-License-Identifier: Apache-2.0
#include "jobs/convert/convert_samples.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "tessera/image.hpp"

namespace tessera {
namespace {

template <class Visit>
void with_type(Type type, Visit visit) {
  switch (type) {
    case Type::u8:
      return visit(std::type_identity<unsigned char>());
    case Type::u16:
      return visit(std::type_identity<unsigned short>());
    case Type::f32:
      return visit(std::type_identity<float>());
    case Type::f64:
      return visit(std::type_identity<double>());
  }
}

template <class To>
To sample_of(double value) {
  if constexpr (std::is_integral_v<To>) {
    constexpr double kMost = std::numeric_limits<To>::max();
    if (!(value > 0)) return 0;
    return static_cast<To>(value < kMost ? std::nearbyint(value) : kMost);
  } else {
    return static_cast<To>(value);
  }
}

template <class Row>
void for_rows(const Size& size, Row row) {
  for (int plane = 0; plane < size.planes; ++plane)
    for (int y = 0; y < size.height; ++y) row(y, plane);
}

template <class From, class To>
void convert(View<const From> from, View<To> to, double gain, double low) {
  const int channels = from.size.channels;
  for_rows(from.size, [&](int y, int plane) {
    const From* in = &from.at(0, y, 0, plane);
    To* out = &to.at(0, y, 0, plane);
    for (int x = 0; x < from.size.width; ++x, in += from.pixel, out += to.pixel)
      for (int c = 0; c < channels; ++c)
        out[c] = sample_of<To>((static_cast<double>(in[c]) - low) * gain);
  });
}

}  // namespace

void convert_samples(AnyView from, AnyMutableView to, double gain, double low) {
  if (from.size.empty()) return;
  if (from.type == to.type && gain == 1 && low == 0) return copy_samples(from, to);
  with_type(from.type, [&]<class From>(std::type_identity<From>) {
    with_type(to.type, [&]<class To>(std::type_identity<To>) {
      convert<From, To>(from.as<const From>(), to.as<To>(), gain, low);
    });
  });
}

void SampleRange::include(double value) {
  if (!std::isfinite(value)) return;
  const bool first = empty();
  least = first || value < least ? value : least;
  greatest = first || value > greatest ? value : greatest;
}

void SampleRange::include(const SampleRange& other) {
  if (other.empty()) return;
  include(other.least);
  include(other.greatest);
}

SampleRange sample_range(AnyView view) {
  SampleRange range;
  with_type(view.type, [&]<class T>(std::type_identity<T>) {
    const View<const T> typed = view.as<const T>();
    for_rows(view.size, [&](int y, int plane) {
      for (int x = 0; x < view.size.width; ++x)
        for (int c = 0; c < view.size.channels; ++c)
          range.include(static_cast<double>(typed.at(x, y, c, plane)));
    });
  });
  return range;
}

}  // namespace tessera
