// SPDX-License-Identifier: Apache-2.0
#include "tessera/options.hpp"

#include <gtest/gtest.h>

#include "tessera/convolve.hpp"
#include "tessera/enhance.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

template <class Value>
Value parsed(const char* text) {
  Value value{};
  from_text("option", text, value);
  return value;
}

TEST(Options, TextRoundTrips) {
  ConvolveOptions changed{.border = Border::wrap,
                          .constant = 0.1,
                          .anchor = Point{2, 1},
                          .scale = -3,
                          .flip = true,
                          .output_type = Type::f64,
                          .backend = Backend::cpu,
                          .method = "direct",
                          .device = 3};
  for_each_option(changed, [](const char* name, auto& value, const Help& help) {
    auto again = value;
    again = {};
    from_text(name, to_text(value), again);
    EXPECT_EQ(again, value) << name;
    EXPECT_GT(std::string(help).size(), 5U);
  });
  EXPECT_EQ(changed_options(changed),
            "border=wrap constant=0.1 anchor=2,1 scale=-3 flip=yes output-type=f64 backend=cpu "
            "method=direct device=3");
  EXPECT_EQ(changed_options(ConvolveOptions{}), "");
}

TEST(Options, BadTextIsOneSentence) {
  const auto message = [](auto parse) -> std::string {
    try {
      parse();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([] { parsed<Border>("relfect"); }),
            "option: 'relfect' is not known (did you mean reflect?); it can be valid, constant, "
            "replicate, reflect, reflect-101, wrap or inside");
  EXPECT_EQ(message([] { parsed<int>("3x"); }), "option: '3x' is not an integer");
  EXPECT_EQ(message([] { parsed<double>("nan"); }), "option: 'nan' is not a finite number");
  EXPECT_EQ(message([] { parsed<bool>("maybe"); }), "option: 'maybe' is not yes or no");
  EXPECT_EQ(message([] { parsed<Point>("3"); }), "option: '3' is not two integers X,Y");
}

TEST(Options, NamesOfOtherLibraries) {
  EXPECT_EQ(parsed<Border>("mirror"), Border::reflect_101);
  EXPECT_EQ(parsed<Border>("nearest"), Border::replicate);
  EXPECT_EQ(parsed<Border>("grid-mirror"), Border::reflect);
  EXPECT_EQ(parsed<Border>("grid-wrap"), Border::wrap);
  EXPECT_EQ(parsed<Border>("grid-constant"), Border::constant);
  EXPECT_EQ(parsed<Border>("edge"), Border::replicate);
  EXPECT_EQ(parsed<Border>("symmetric"), Border::reflect);
  EXPECT_EQ(parsed<Border>("reflect101"), Border::reflect_101);
  EXPECT_EQ(parsed<Border>("reflect"), Border::reflect);
  EXPECT_EQ(value_hint<Border>(), "valid|constant|replicate|reflect|reflect-101|wrap|inside");
}

TEST(Options, AmericanSpellings) {
  EXPECT_EQ(american_spelling("equalise"), "equalize");
  EXPECT_EQ(american_spelling("channelise-type"), "channelize-type");
  EXPECT_EQ(american_spelling("phase-centre"), "phase-center");
  EXPECT_EQ(american_spelling("sample_polarised"), "sample_polarized");
  EXPECT_EQ(american_spelling("faraday_catalogue"), "faraday_catalog");
  EXPECT_EQ(american_spelling("grey colour grey"), "gray color gray");
  EXPECT_EQ(american_spelling("noise"), "noise");
  EXPECT_EQ(parsed<EnhanceStep>("equalize"), EnhanceStep::equalise);
  EXPECT_EQ(parsed<EnhanceStep>("gray"), EnhanceStep::grey);
}

TEST(Options, HintsTellWhatMayBeTyped) {
  EXPECT_EQ(value_hint<std::optional<Type>>(), "auto|u8|u16|f32|f64|i16|i32");
  EXPECT_EQ(value_hint<std::optional<Point>>(), "auto|X,Y");
  EXPECT_EQ(value_hint<bool>(), "yes|no");
}

}  // namespace
}  // namespace tessera
