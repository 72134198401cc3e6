// SPDX-License-Identifier: Apache-2.0
#include "core/samples_past_cache.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tessera/image.hpp"

namespace tessera {
namespace {

// Rows of every length around a line, at every place in one, with steps between rows and pixels.
TEST(SamplesPastCache, AreThoseOfCopySamplesAndNothingAroundThemChanges) {
  constexpr int kRows = 3;
  std::vector<unsigned char> from(20000), to(20000), expected(20000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 131 >> 3);
  for (const int width : {1, 15, 16, 63, 64, 65, 127, 128, 129, 500})
    for (const int offset : {0, 1, 17, 63})
      for (const int pixel : {1, 2})
        for (const int planes : {1, 2}) {
          const Size size{width, kRows, 1, planes};
          const long long row = width * pixel + 5, plane = row * kRows + 3;
          const auto view = [&](std::vector<unsigned char>& memory, int at) {
            return View<unsigned char>{memory.data() + at, size, pixel, row, plane};
          };
          std::fill(to.begin(), to.end(), 7);
          std::fill(expected.begin(), expected.end(), 7);
          copy_samples_past_cache(AnyView(view(from, 9)), AnyMutableView(view(to, offset)));
          copy_samples(AnyView(view(from, 9)), AnyMutableView(view(expected, offset)));
          ASSERT_EQ(to, expected) << width << " at " << offset << ", step " << pixel;
        }
}

}  // namespace
}  // namespace tessera
