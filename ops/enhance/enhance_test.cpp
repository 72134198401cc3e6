// SPDX-License-Identifier: Apache-2.0
// Every way to run against the reference, byte by byte.
#include "tessera/enhance.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ops/enhance/enhance_problem.hpp"
#include "tessera/error.hpp"
#include "tessera/filters.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::Guarded;
using testing::Picker;
using testing::random_image;
using testing::Way;

/// One problem of the sweep.
struct Case {
  Size size;
  Type type;
  EnhanceOptions options;
  std::string weights;  ///< by name, or random ones
  std::string content;
  int pixel_gap;
  bool upwards;

  std::string name() const {
    return fmt::format("{}x{}x{}x{} {}, {}, {} {}, {}, gap {}, upwards {}", size.width, size.height,
                       size.channels, size.planes, name_of(type), options.steps, weights,
                       changed_options(options), content, pixel_gap, upwards);
  }
};

/// "random:WxH" and "signed:WxH": whole numbers with no factors; else weights by name.
Image weights_of(const std::string& text, unsigned seed) {
  if (!text.starts_with("random:") && !text.starts_with("signed:"))
    return smoothing_from_text(text);
  const std::size_t by = text.find('x');
  const Size size{std::stoi(text.substr(7, by - 7)), std::stoi(text.substr(by + 1))};
  Image weights = random_image(size, Type::f64, seed);
  for (long long k = 0; k < size.samples(); ++k) {
    double& w = weights.as<double>().data[k];
    w = text.starts_with("random") ? std::floor(8 + 8 * w) : std::floor(3 + 9 * w);
  }
  weights.as<double>().data[size.samples() / 2] = 5;
  return weights;
}

template <class T>
void narrow(const View<T>& view, const std::string& content) {
  const long long largest = static_cast<T>(-1);
  for (long long k = 0; k < view.size.samples(); ++k) {
    T& v = view.data[k];
    if (content == "band") v = static_cast<T>(largest / 3 + v / 5);
    if (content == "few") v = static_cast<T>(v / (largest / 4) * (largest / 5));
    if (content == "two") v = v > largest / 2 ? static_cast<T>(largest) : T{0};
    if (content == "flat") v = static_cast<T>(largest / 2);
    if (content == "black") v = 0;
    if (content == "white") v = static_cast<T>(largest);
  }
}

Image image_of(const Case& c, unsigned seed) {
  Image image = random_image(c.size, c.type, seed);
  if (c.type == Type::u8)
    narrow(image.as<unsigned char>(), c.content);
  else
    narrow(image.as<unsigned short>(), c.content);
  return image;
}

// Sides around one vector, one tile and one strip: where fast paths go wrong.
Case make_case(int k, bool small) {
  Picker p(k);
  Case c;
  c.size.width = p.pick<int>({1,  2,  3,  4,  5,  7,  8,   9,   15,  16,  17,  31,  32,  33,
                              47, 48, 49, 63, 64, 65, 127, 128, 130, 255, 256, 257, 300, 600});
  c.size.height = p.pick<int>({1, 5, 2, 3, 4, 1, 6, 7, 8, 31, 32, 33, 34, 63, 64, 65, 130, 200});
  c.size.channels = p.pick<int>({3, 1, 2, 4, 3});
  c.size.planes = p.pick<int>({1, 1, 2, 3});
  c.type = p.pick<Type>({Type::u8, Type::u16, Type::u8});
  c.options.steps = p.pick<std::string>({"grey,contrast,smooth",
                                         "grey",
                                         "smooth",
                                         "contrast",
                                         "equalise",
                                         "histogram",
                                         "grey,histogram,contrast,smooth",
                                         "grey,equalise,smooth",
                                         "contrast,smooth",
                                         "grey,smooth",
                                         "grey,contrast",
                                         "grey,histogram",
                                         "histogram,contrast",
                                         "equalise,smooth",
                                         "histogram,smooth",
                                         "smooth,contrast,grey",
                                         "smooth,smooth",
                                         "contrast,grey,equalise",
                                         "grey,grey",
                                         "smooth,grey,histogram",
                                         "clahe",
                                         "grey,clahe,smooth",
                                         "smooth,clahe,contrast",
                                         "contrast,equalise,contrast,histogram",
                                         "grey,contrast,smooth"});
  c.options.grey =
      p.pick<std::string>({"classic", "bt601", "bt709", "0,65536,0", "65536,0,0", "0,0,65536",
                           "1,2,3", "0,0,0", "21845,21845,21846", "classic", "0,1,65535"});
  c.options.rule = p.pick<ContrastRule>(
      {ContrastRule::percentiles, ContrastRule::threshold, ContrastRule::percentiles});
  c.options.low = p.pick<double>({0.35, 0, 5, 25, 0.0000001});
  c.options.high = p.pick<double>({99.65, 100, 95, 60, 99.9999999});
  c.options.threshold = p.pick<long long>({0, 1, 3, 80});
  c.options.channels =
      p.pick<ChannelCurves>({ChannelCurves::together, ChannelCurves::each, ChannelCurves::value});
  c.options.tiles = p.pick<Point>({{8, 8}, {1, 1}, {3, 2}, {5, 7}});
  c.options.clip = p.pick<double>({0.01, 0, 0.05, 1});
  c.weights = p.pick<std::string>(
      {"triangle:5", "triangle:3",  "ones:3x3",   "binomial:5", "ones:1x1",    "ones:2x2",
       "ones:5x1",   "ones:1x7",    "triangle:7", "random:3x3", "signed:3x3",  "random:5x4",
       "ones:64x64", "triangle:29", "laplacian",  "binomial:8", "ones:4x9",    "signed:1x5",
       "random:9x2", "ones:31x2",   "binomial:3", "triangle:5", "random:64x3", "triangle:9"});
  c.content = p.pick<std::string>({"full", "band", "few", "band", "two", "flat", "black", "white"});
  c.pixel_gap = p.pick<int>({0, 0, 1, 3});
  c.upwards = p.pick<int>({0, 1, 0}) == 1;
  if (small) c.size.width = std::min(c.size.width, 70);
  return c;
}

/// Less of an image where the reference would take long.
Size affordable(Size size, const std::string& steps, long long weights) {
  if (steps.find("smooth") == std::string::npos) weights = 1;
  constexpr long long kMostReads = 6'000'000;
  const auto reads = [&] { return size.samples() * weights; };
  if (reads() > kMostReads) size.planes = 1;
  while (reads() > kMostReads && size.height > 8) size.height -= size.height / 4;
  while (reads() > kMostReads && size.width > 8) size.width -= size.width / 4;
  return size;
}

/// The same rows in the same order, last in memory first.
template <class View>
View upside_down(View view) {
  view.data = view.address(0, view.size.height - 1);
  view.row = -view.row;
  return view;
}

/// The methods that were compared.
std::set<std::string> check_case(Case c, const Way& way, unsigned seed) {
  const ForcedIsa forced(way.isa);
  const Image weights = weights_of(c.weights, seed);
  const bool smooths = c.options.steps.find("smooth") != std::string::npos;
  const AnyView given = smooths ? weights.view() : AnyView();
  c.size = affordable(c.size, c.options.steps, weights.info().size.samples());
  const Image values = image_of(c, seed);
  const Guarded frame(c.size, c.type, c.pixel_gap);
  const AnyMutableView in = c.upwards ? upside_down(frame.view()) : frame.view();
  copy_samples(values.view(), in);
  c.options.backend = Backend::cpu;
  c.options.method = "reference";
  const Enhance reference(values.info(), c.options, given);
  Image truth(reference.output());
  reference(values.view(), truth.view());
  std::set<std::string> compared;
  c.options.backend = way.backend;
  for (const EnhanceMethod& method : enhance_methods()) {
    if (method.backend != way.backend || method.name == std::string("reference")) continue;
    SCOPED_TRACE(way.name() + " " + method.name + ": " + c.name());
    c.options.method = method.name;
    try {
      const Enhance plan(values.info(), c.options, given);
      const Guarded out(plan.output().size, c.type, c.pixel_gap);
      const AnyMutableView result = c.upwards ? upside_down(out.view()) : out.view();
      plan(in, result);
      EXPECT_TRUE(bytes_of_view(result) == bytes_of_view(truth.view()));
      EXPECT_TRUE(out.untouched_outside());
      compared.insert(method.name);
    } catch (const Error& error) {
      const bool may_refuse =
          method.name == std::string("fused") ||
          (way.backend == Backend::cuda && c.options.channels == ChannelCurves::value);
      EXPECT_TRUE(may_refuse && error.kind() == ErrorKind::usage) << error.what();
    }
  }
  return compared;
}

void sweep(Backend backend) {
  const int count = testing::run_all() ? 3000 : testing::run_small() ? 25 : 150;
  for (const Way& way : all_ways()) {
    if (way.backend != backend) continue;
    std::set<std::string> compared;
    for (int k = 0; k < count && !::testing::Test::HasFailure(); ++k)
      compared.merge(check_case(make_case(k, testing::run_small()), way, static_cast<unsigned>(k)));
    EXPECT_EQ(compared, (std::set<std::string>{"fused", "steps"})) << way.name();
  }
}

TEST(Enhance, CpuMatchesReference) { sweep(Backend::cpu); }

TEST(EnhanceCuda, MatchesReference) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  sweep(Backend::cuda);
}

/// Steps that can be fused must be: speed is the point of it.
TEST(Enhance, ChoosesFusedWhereTheStepsAllowIt) {
  const auto method = [](const char* steps, const char* smooth = "triangle:5") {
    return Enhance({{640, 480, 3}, Type::u8},
                   {.steps = steps, .smooth = smooth, .backend = Backend::cpu})
        .method();
  };
  EXPECT_EQ(method("grey,contrast,smooth"), "fused");
  EXPECT_EQ(method("grey,histogram,equalise,smooth", "ones:3x3"), "fused");
  EXPECT_EQ(method("grey"), "fused");
  EXPECT_EQ(method("contrast,grey,smooth"), "steps");
  EXPECT_EQ(method("grey,clahe"), "steps");
  EXPECT_EQ(method("smooth", "gauss:2"), "steps");
  EXPECT_EQ(method("smooth", "laplacian"), "steps");
  EXPECT_EQ(method("contrast", "gauss:2"), "fused");
}

TEST(Enhance, FactorsOfWeightsAreExact) {
  const auto fused = [](const Image& weights) {
    return Enhance({{64, 48}, Type::u8}, {.steps = "smooth", .backend = Backend::cpu},
                   weights.view())
               .method() == "fused";
  };
  EXPECT_TRUE(fused(outer({0, 6, 4}, {0, 3, 9})));
  EXPECT_TRUE(fused(outer({1, 0, 1}, {2, 0, 2})));
  EXPECT_FALSE(fused(outer({1, -1, 1}, {1})));
  Image nearly = outer({2, 4, 2}, {1, 2, 1});
  nearly.as<double>().at(2, 2) = 3;
  EXPECT_FALSE(fused(nearly));
}

/// Float filters promise no bytes, but rounding may not move a sample by more than one.
TEST(Enhance, FloatFiltersAgreeWithinOne) {
  const Image in = random_image({90, 60, 4}, Type::u8, 3);
  EnhanceOptions options{.steps = "smooth", .smooth = "gauss:2", .backend = Backend::cpu};
  options.method = "reference";
  const auto truth = bytes_of_view(testing::short_view(enhance(in.view(), options)));
  options.method = "steps";
  const auto result = bytes_of_view(testing::short_view(enhance(in.view(), options)));
  ASSERT_EQ(truth.size(), result.size());
  for (std::size_t k = 0; k < truth.size(); ++k) EXPECT_LE(std::abs(truth[k] - result[k]), 1);
}

}  // namespace
}  // namespace tessera
