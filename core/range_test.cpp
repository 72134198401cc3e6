// SPDX-License-Identifier: Apache-2.0
#include "tessera/range.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

struct RangedOptions {
  int count = 5;
  std::optional<double> share;
  Point tiles{8, 8};
  bool flag = false;

  static constexpr auto fields() {
    using O = RangedOptions;
    return std::tuple{field("count", &O::count, "of things", Range{3, 1024, "things"}),
                      field("share", &O::share, "of them", more_than(0, 1)),
                      field("tiles", &O::tiles, "of them", Range{1}),
                      field("flag", &O::flag, "or not")};
  }
};

std::string range_refusal(const RangedOptions& options) {
  try {
    check_ranges("ranged", options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(Range, EndsBelongToIt) {
  const Range closed{0, 1}, open = more_than(0, 1), any;
  EXPECT_TRUE(closed.holds(0) && closed.holds(1) && open.holds(1) && open.holds(5e-324));
  EXPECT_FALSE(closed.holds(-5e-324) || closed.holds(1.0000001) || open.holds(0));
  for (const Range& range : {closed, open, any, Range{0}})
    EXPECT_FALSE(range.holds(kNotANumber) || range.holds(Range::kOpen) ||
                 range.holds(-Range::kOpen));
  EXPECT_TRUE(any.holds(-1e300) && any.holds(1e300));
}

TEST(Range, Texts) {
  EXPECT_EQ((Range{2, 100, "pixels"}).text(), "2 to 100 pixels");
  EXPECT_EQ((Range{.lowest = 5, .unit = "frames"}).text(), "5 or more frames");
  EXPECT_EQ((Range{.highest = 1e6}).text(), "up to 1000000");
  EXPECT_EQ(more_than(0).text(), "more than 0");
  EXPECT_EQ(more_than(0, 1, "m").text(), "more than 0 and up to 1 m");
  EXPECT_EQ(Range{}.text(), "any finite number");
}

TEST(Range, ChecksSayWhatWouldBeRight) {
  EXPECT_EQ(range_refusal({}), "");
  EXPECT_EQ(range_refusal({.count = 3, .share = 1, .tiles = {1, 9}}), "");
  EXPECT_EQ(range_refusal({.count = 2}), "ranged: count is 2; it can be 3 to 1024 things");
  EXPECT_EQ(range_refusal({.share = 0}), "ranged: share is 0; it can be more than 0 and up to 1");
  EXPECT_EQ(range_refusal({.share = kNotANumber}),
            "ranged: share is nan; it can be more than 0 and up to 1");
  EXPECT_EQ(range_refusal({.tiles = {1, 0}}), "ranged: tiles is 1,0; each number can be 1 or more");
  EXPECT_THROW(throw_outside("", "count", "2", Range{3}), Error);
}

TEST(Range, HelpHasIt) {
  std::string all;
  RangedOptions options;
  for_each_option(options,
                  [&](const char*, auto&, const Help& help) { all += std::string(help) + "\n"; });
  EXPECT_EQ(all,
            "of things; 3 to 1024 things\nof them; more than 0 and up to 1\n"
            "of them; each number 1 or more\nor not\n");
}

}  // namespace
}  // namespace tessera
