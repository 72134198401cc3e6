// SPDX-License-Identifier: Apache-2.0
/// Code for samples of any type, written once.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// The result of `use` with the typed view of an image that plans take: View<const float> and the
/// others.
template <class Use>
decltype(auto) with_samples(const AnyView& view, Use use) {
  switch (view.type) {
    case Type::u8:
      return use(view.as<const unsigned char>());
    case Type::u16:
      return use(view.as<const unsigned short>());
    case Type::f32:
      return use(view.as<const float>());
    default:
      return use(view.as<const double>());
  }
}

}  // namespace tessera
