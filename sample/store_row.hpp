// SPDX-License-Identifier: Apache-2.0
/// Stores a row of computed values in a view of a type that samples are made in.
#pragma once

#include <vector>

#include "tessera/view.hpp"

namespace tessera {

/// sample.operator()<T>(value) converts a value to a sample of the view's type.
template <class Value, class MakeSample>
void store_row(const std::vector<Value>& values, AnyMutableView to, int row, MakeSample sample) {
  const auto store = [&]<class T>(const View<T>& view) {
    for (int x = 0; x < view.size.width; ++x)
      view.at(x, row) = sample.template operator()<T>(values[static_cast<std::size_t>(x)]);
  };
  switch (to.type) {
    case Type::u8:
      return store(to.as<unsigned char>());
    case Type::u16:
      return store(to.as<unsigned short>());
    case Type::f32:
      return store(to.as<float>());
    default:
      return store(to.as<double>());
  }
}

}  // namespace tessera
