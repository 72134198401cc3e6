// SPDX-License-Identifier: Apache-2.0
// A view of an image that nobody keeps does not compile.
#include "tessera/image.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <utility>

namespace tessera::testing {
namespace {

template <class I, class Any, class Typed>
concept gives_views = requires(I image) {
  { std::forward<I>(image).view() } -> std::same_as<Any>;
  { std::forward<I>(image).template as<float>() } -> std::same_as<Typed>;
};
template <class I>
concept gives_some_view = requires(I image) {
  std::forward<I>(image).view();
}
|| requires(I image) { std::forward<I>(image).template as<float>(); };

static_assert(gives_views<Image&, AnyMutableView, View<float>>);
static_assert(gives_views<const Image&, AnyView, View<const float>>);
static_assert(!gives_some_view<Image>);
static_assert(!gives_some_view<const Image>);

TEST(Image, NamedImagesHaveViews) {
  Image image({3, 2}, Type::f32);
  image.as<float>().at(2, 1) = 5;
  const Image& same = image;
  EXPECT_EQ(same.as<const float>().at(2, 1), 5);
  EXPECT_EQ(image.view().data, same.view().data);
}

}  // namespace
}  // namespace tessera::testing
