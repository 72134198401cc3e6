// SPDX-License-Identifier: Apache-2.0
/// The result of enhance for one file.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/image_result.hpp"
#include "report/json.hpp"
#include "tessera/enhance.hpp"

namespace tessera {

/// A value of an image. In JSON those of integer images are integers.
struct EnhanceValue {
  double value = 0;
  bool whole = true;  ///< the image has only whole values
};
void to_json(Json& json, const EnhanceValue& value);
std::optional<EnhanceValue> value_in(Type type, std::optional<double> value);

/// The findings of a step in a plane and channel.
struct EnhanceRange {
  EnhanceStep step = EnhanceStep::histogram;
  int plane = 0;
  std::optional<int> channel;
  std::optional<EnhanceValue> low, high;

  static constexpr auto fields() {
    using R = EnhanceRange;
    return std::tuple{
        field("step", &R::step, "the step"),
        field("plane", &R::plane, "of the image, counted from 0"),
        field("channel", &R::channel, "counted from 0; null: colours together"),
        field("low", &R::low, "the value that became black; null: nothing was stretched"),
        field("high", &R::high, "the value that became white")};
  }
};

struct EnhanceResult : ImageResult {
  int sweeps = 0;  ///< over the image, before its rows were made
  /// Of the first contrast, in the first plane and channel.
  std::optional<EnhanceValue> low, high;
  std::vector<EnhanceRange> found;
  std::string histogram, before_after;  ///< files made; "" if there is none

  static constexpr auto fields() {
    using R = EnhanceResult;
    return std::tuple_cat(
        ImageResult::fields(),
        std::tuple{field("sweeps", &R::sweeps, "passes over the image before rows are written"),
                   field("low", &R::low, "the value that the first contrast made black"),
                   field("high", &R::high, "the value that it made white"),
                   field("found", &R::found, "findings of the steps, by plane and channel"),
                   field("histogram", &R::histogram, "the histogram"),
                   field("before_after", &R::before_after, "the picture of before and after")});
  }
  /// The findings of an image of that type.
  void add(Type type, const std::vector<EnhanceFinding>& findings);
  std::string describe() const;
};

}  // namespace tessera
