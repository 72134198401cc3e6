// SPDX-License-Identifier: Apache-2.0
// Colours that follow their brightest channel.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "ops/enhance/cpu/enhance_value_rows.hpp"
#include "ops/enhance/enhance_problem.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::random_image;

/// By both methods.
template <class T>
std::vector<T> valued(Size size, const std::vector<T>& samples, EnhanceOptions options) {
  Image image(size, TypeOf<T>::value);
  std::copy(samples.begin(), samples.end(), image.as<T>().data);
  options.channels = ChannelCurves::value;
  options.backend = Backend::cpu;
  options.method = "reference";
  const Image truth = enhance(image.view(), options);
  options.method = "steps";
  EXPECT_EQ(bytes_of_view(testing::short_view(enhance(image.view(), options))),
            bytes_of_view(truth.view()));
  const T* first = truth.as<T>().data;
  return {first, first + truth.info().size.samples()};
}

const EnhanceOptions kStretch{.steps = "contrast", .rule = ContrastRule::threshold, .threshold = 0};

TEST(EnhanceValue, ColoursFollowTheirMaximum) {
  using Bytes = std::vector<unsigned char>;
  // V is 100, 50 and 200; of 0 to 255 they become 85, 0 and 255.
  EXPECT_EQ(valued<unsigned char>({3, 1, 3}, {10, 100, 50, 50, 0, 49, 200, 20, 101}, kStretch),
            (Bytes{9, 85, 43, 0, 0, 0, 255, 26, 129}));
  // Black becomes what V becomes, in all channels; a curve of equalise can make it other than 0.
  EXPECT_EQ(valued<unsigned char>({2, 1, 4}, {0, 0, 0, 7, 4, 2, 1, 9}, kStretch),
            (Bytes{0, 0, 0, 7, 255, 128, 64, 9}));
  EXPECT_EQ(valued<unsigned short>({2, 1, 3}, {0, 0, 0, 4, 2, 1}, kStretch),
            (std::vector<unsigned short>{0, 0, 0, 65535, 32768, 16384}));
}

TEST(EnhanceValue, FloatsFollowWithoutRounding) {
  const EnhanceOptions stretch{.steps = "contrast", .low = 0, .high = 100};
  using Values = std::vector<double>;
  // V is 1, 2, 4 and 0.
  EXPECT_EQ(valued<double>({4, 1, 3}, {1, 0.5, 0.25, 2, 1, -2, 4, 4, 2, 0, -1, 0}, stretch),
            (Values{0.25, 0.125, 0.0625, 0.5, 0.25, -0.5, 1, 1, 0.5, 0, 0, 0}));
  // Negative values: the lowest becomes 0 in every channel.
  EXPECT_EQ(valued<double>({2, 1, 3}, {-1, -2, -4, 1, 0.5, 0}, stretch),
            (Values{0, 0, 0, 1, 0.5, 0}));
  constexpr double kHole = std::numeric_limits<double>::quiet_NaN();
  constexpr double kOver = std::numeric_limits<double>::infinity();
  const Values odd =
      valued<double>({4, 1, 3}, {0, 0, 0, 1, kHole, 2, kOver, 5, -kOver, 2, 1, 1}, stretch);
  for (const std::size_t k : {3, 4, 5}) EXPECT_TRUE(std::isnan(odd[k]));
  EXPECT_EQ((Values{odd[6], odd[7], odd[8]}), (Values{1, 0, 0}));
  EXPECT_EQ((Values{odd[9], odd[10], odd[11]}), (Values{1, 0.5, 0.5}));
}

TEST(EnhanceValue, FlatImagesStayAsTheyAre) {
  const std::vector<float> colours{0.3F, 0.1F, 0.7F, 0.7F, 0.2F, 0.6F};
  const std::vector<unsigned char> bytes{3, 1, 7, 7, 2, 6};
  for (const char* steps : {"contrast", "clahe"}) {
    EXPECT_EQ(valued<float>({2, 1, 3}, colours, {.steps = steps}), colours);
    EXPECT_EQ(valued<unsigned char>({2, 1, 3}, bytes, {.steps = steps}), bytes);
  }
}

TEST(EnhanceValue, HistogramsCountTheMaximum) {
  Image image({2, 1, 4}, Type::u8);
  const unsigned char samples[] = {1, 9, 3, 200, 9, 2, 1, 100};
  std::copy_n(samples, 8, image.as<unsigned char>().data);
  const auto found = histogram(image.view(), ChannelCurves::value);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].channel.has_value());
  EXPECT_EQ(found[0].counts[9], 2U);
  EXPECT_EQ(std::count(found[0].counts.begin(), found[0].counts.end(), 0U), 255);
}

/// Grey images have nothing to follow.
TEST(EnhanceValue, OneAndTwoChannelsAreAsTogether) {
  for (const Type type : {Type::u8, Type::u16, Type::f32})
    for (const int channels : {1, 2})
      for (const char* steps : {"contrast", "clahe"}) {
        const Image in = random_image({61, 40, channels}, type, 4);
        const auto with = [&](ChannelCurves curves) {
          return bytes_of_view(
              testing::short_view(enhance(in.view(), {.steps = steps, .channels = curves})));
        };
        EXPECT_EQ(with(ChannelCurves::value), with(ChannelCurves::together));
      }
  // After grey, too: then the fused method may run.
  const Enhance plan(
      {{64, 48, 3}, Type::u8},
      {.steps = "grey,contrast", .channels = ChannelCurves::value, .backend = Backend::cpu});
  EXPECT_EQ(plan.method(), "fused");
}

/// Its steps are those of an image of the maxima.
TEST(EnhanceValue, MaximaAreAnImage) {
  for (const Type type : {Type::u8, Type::u16})
    for (const char* steps : {"contrast", "equalise", "clahe"}) {
      const Image in = random_image({70, 50, 3}, type, 9);
      Image value({70, 50}, type);
      for (int k = 0; k < 3500; ++k)
        if (type == Type::u8) {
          const unsigned char* p = in.as<unsigned char>().data + 3 * k;
          value.as<unsigned char>().data[k] = std::max({p[0], p[1], p[2]});
        } else {
          const unsigned short* p = in.as<unsigned short>().data + 3 * k;
          value.as<unsigned short>().data[k] = std::max({p[0], p[1], p[2]});
        }
      const Image made = enhance(in.view(), {.steps = steps, .channels = ChannelCurves::value});
      const Image alone = enhance(value.view(), {.steps = steps});
      for (int k = 0; k < 3500; ++k) {
        const auto largest = [&](const auto* p) { return int(std::max({p[0], p[1], p[2]})); };
        if (type == Type::u8)
          ASSERT_EQ(largest(made.as<unsigned char>().data + 3 * k),
                    alone.as<unsigned char>().data[k]);
        else
          ASSERT_EQ(largest(made.as<unsigned short>().data + 3 * k),
                    alone.as<unsigned short>().data[k]);
      }
    }
}

/// Quotients on both sides of every whole number.
template <class T>
void check_quotients(const std::string& isa) {
  std::mt19937 random(5);
  constexpr unsigned kMost = std::numeric_limits<T>::max();
  std::vector<T> colours, values, made;
  for (unsigned k = 0; k < 40000; ++k) {
    const unsigned v = k < 256 ? k : random() % (kMost + 1);
    const unsigned m = k % 3 == 0 ? kMost : random() % (kMost + 1);
    values.push_back(static_cast<T>(v));
    made.push_back(static_cast<T>(m));
    for (const unsigned c : {v, v / 2, static_cast<unsigned>(random()) % (v + 1)})
      colours.push_back(static_cast<T>(c));
  }
  std::vector<T> out(colours.size());
  value_rows<T>().follow(colours.data(), 3, values.data(), made.data(),
                         static_cast<long long>(values.size()), out.data());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const unsigned long long c = colours[k], v = values[k / 3], m = made[k / 3];
    ASSERT_EQ(out[k], v == 0 ? m : (c * m + v / 2) / v) << isa << ": " << c << " " << v << " " << m;
  }
}

TEST(EnhanceValue, QuotientsAreExact) {
  for (const auto& isa : isa_names()) {
    const ForcedIsa forced(isa);
    check_quotients<unsigned char>(isa);
    check_quotients<unsigned short>(isa);
  }
}

}  // namespace
}  // namespace tessera
