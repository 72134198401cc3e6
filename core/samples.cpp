// SPDX-License-Identifier: Apache-2.0
#include "core/samples.hpp"

namespace tessera {
namespace {

template <class Integer>
constexpr ValueLimits kLimits{std::numeric_limits<Integer>::min(),
                              std::numeric_limits<Integer>::max()};

}  // namespace

ValueLimits limits_of(Type type) {
  switch (type) {
    case Type::u8:
      return kLimits<unsigned char>;
    case Type::u16:
      return kLimits<unsigned short>;
    case Type::i16:
      return kLimits<short>;
    default:
      return kLimits<int>;
  }
}

double sample_at(const AnyView& view, int x, int y, int channel, int plane) {
  switch (view.type) {
    case Type::u8:
      return view.as<const unsigned char>().at(x, y, channel, plane);
    case Type::u16:
      return view.as<const unsigned short>().at(x, y, channel, plane);
    case Type::f32:
      return static_cast<double>(view.as<const float>().at(x, y, channel, plane));
    case Type::i16:
      return view.as<const short>().at(x, y, channel, plane);
    case Type::i32:
      return view.as<const int>().at(x, y, channel, plane);
    default:
      return view.as<const double>().at(x, y, channel, plane);
  }
}

void store_sample(const AnyMutableView& view, int x, int y, int channel, int plane, double value) {
  const auto store = [&]<class T>(const View<T>& typed) {
    typed.at(x, y, channel, plane) = rounded<T>(value);
  };
  switch (view.type) {
    case Type::u8:
      return store(view.as<unsigned char>());
    case Type::u16:
      return store(view.as<unsigned short>());
    case Type::f32:
      return store(view.as<float>());
    case Type::i16:
      return store(view.as<short>());
    case Type::i32:
      return store(view.as<int>());
    default:
      return store(view.as<double>());
  }
}

}  // namespace tessera
