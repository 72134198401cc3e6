// SPDX-License-Identifier: Apache-2.0
/// Converts an image file: format, type, range, part. Rows are streamed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/timing.hpp"
#include "tessera/crop.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// How values change: "none" keeps them; "LOW,HIGH" maps LOW to 0 and HIGH to the largest value of
/// the type (1 for f32 and f64); "auto" takes the smallest and the largest sample.
struct ValueRange {
  static constexpr const char* kHint = "none|auto|LOW,HIGH";
  enum class Kind { none, automatic, given } kind = Kind::none;
  double low = 0, high = 1;
  bool operator==(const ValueRange&) const = default;
};
std::string to_text(const ValueRange& value);
void from_text(std::string_view what, std::string_view text, ValueRange& value);

struct ConvertOptions {
  std::optional<Type> type;
  ValueRange range;
  std::optional<Crop> crop;
  std::optional<int> plane, channel;

  static constexpr auto fields() {
    using O = ConvertOptions;
    return std::tuple{
        field("type", &O::type, "type of the samples; auto: the input's"),
        field("range", &O::range,
              "the values that become 0 and the type's maximum (1 for f32, f64); auto: the minimum "
              "and maximum of the samples; none: values stay, rounded and saturated"),
        field("crop", &O::crop, "a part of the image; without X,Y at the centre"),
        field("plane", &O::plane, "one plane, counted from 0"),
        field("channel", &O::channel, "one channel, counted from 0"),
    };
  }
};

struct ConvertResult {
  std::string from, to;  ///< the images in words
  std::string input, output;
  double gain = 1, low = 0;  ///< new = (old - low) * gain
  StageSeconds seconds;
  std::vector<std::string> notes;     ///< for the user; nothing is wrong
  std::vector<std::string> warnings;  ///< what --allow-truncated filled

  static constexpr auto fields() {
    using R = ConvertResult;
    return std::tuple{field("from", &R::from, "the image read"),
                      field("to", &R::to, "the image written"),
                      field("input", &R::input, "the file read"),
                      field("output", &R::output, "the file written"),
                      field("gain", &R::gain, "new = (old - low) * gain"),
                      field("low", &R::low, "new = (old - low) * gain"),
                      field("seconds", &R::seconds, "how long the stages took; they overlap"),
                      field("notes", &R::notes, "what the output does not say of the input"),
                      field("warnings", &R::warnings, "parts that were missing and filled")};
  }
  std::string describe() const;
};

struct ConvertJob {
  std::string input, output;  ///< image files, or "-"
  ConvertOptions options;
  ReadOptions reading;
  WriteOptions writing;
  RunSettings settings;

  ConvertResult run(const Progress& progress = {}) const;
};

}  // namespace tessera
