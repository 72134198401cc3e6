// SPDX-License-Identifier: Apache-2.0
#include "jobs/convert/convert_samples.hpp"

#include <cmath>
#include <type_traits>

#include "core/samples.hpp"
#include "core/typed_samples.hpp"
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
    case Type::i16:
      return visit(std::type_identity<short>());
    case Type::i32:
      return visit(std::type_identity<int>());
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
        out[c] = rounded<To>((static_cast<double>(in[c]) - low) * gain);
  });
}

}  // namespace

void convert_samples(AnyView from, AnyMutableView to, double gain, double low) {
  if (from.size.empty()) return;
  if (from.type == to.type && gain == 1 && low == 0) return copy_samples(from, to);
  with_samples(from, [&]<class From>(View<const From> samples) {
    with_type(to.type, [&]<class To>(std::type_identity<To>) {
      convert<From, To>(samples, to.as<To>(), gain, low);
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
  with_samples(view, [&](const auto& typed) {
    for_rows(view.size, [&](int y, int plane) {
      for (int x = 0; x < view.size.width; ++x)
        for (int c = 0; c < view.size.channels; ++c)
          range.include(static_cast<double>(typed.at(x, y, c, plane)));
    });
  });
  return range;
}

}  // namespace tessera
