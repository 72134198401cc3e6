// SPDX-License-Identifier: Apache-2.0
/// What the functions of enhance have in common, and the options of single steps: parts of
/// EnhanceOptions, with their defaults and help.
#pragma once

#include <string>
#include <tuple>

#include "python/options_python.hpp"
#include "tessera/enhance.hpp"
#include "tessera/options.hpp"

namespace tessera::python {

/// The end of every docstring.
inline constexpr const char* kEnhanceArrays = R"(

image: (rows, columns), (rows, columns, 1 to 4 channels), or with channel_axis and batch_axis
    elsewhere; uint8 or uint16, of NumPy, CuPy, torch or anything with __dlpack__ or
    __cuda_array_interface__. Of 2 or 4 channels the last is alpha and stays as it is.
out: an array of the result's shape and dtype to fill; it must not overlap the image.
Returns out, or a new array of the image's library. The bytes are the same on every backend.)";

/// Of three axes the last holds the colours unless another was named.
inline RunOptions with_colours(RunOptions run, const Shape& shape) {
  if (!run.channel_axis && !run.batch_axis && shape.size() == 3) run.channel_axis = -1;
  return run;
}

/// Where and how any step runs.
struct StepPlace {
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() { return run_fields<StepPlace>(); }
};

struct GreyStep {
  static constexpr const char* kName = "grey";
  std::string weights = EnhanceOptions{}.grey;

  static constexpr auto fields() {
    return std::tuple{field("weights", &GreyStep::weights,
                            "of red, green and blue: classic, bt601, bt709, or three integers over "
                            "65536 such as \"19712,38656,7168\"")};
  }
  void set(EnhanceOptions& options) const { options.grey = weights; }
};

struct ContrastStep {
  static constexpr const char* kName = "contrast";
  ContrastRule rule = EnhanceOptions{}.rule;
  double low = EnhanceOptions{}.low, high = EnhanceOptions{}.high;
  long long threshold = EnhanceOptions{}.threshold;
  ChannelCurves channels = EnhanceOptions{}.channels;

  static constexpr auto fields() {
    using S = ContrastStep;
    return std::tuple{
        field("rule", &S::rule, "how black and white are found"),
        field("low", &S::low, "percent of the pixels that may become black"),
        field("high", &S::high, "percent of the pixels at and above which all becomes white"),
        field("threshold", &S::threshold,
              "with rule threshold: values with more pixels than this count"),
        field("channels", &S::channels, "colours share one curve or have their own")};
  }
  void set(EnhanceOptions& options) const {
    options.rule = rule;
    options.low = low;
    options.high = high;
    options.threshold = threshold;
    options.channels = channels;
  }
};

struct EqualiseStep {
  static constexpr const char* kName = "equalise";
  ChannelCurves channels = EnhanceOptions{}.channels;

  static constexpr auto fields() {
    return std::tuple{
        field("channels", &EqualiseStep::channels, "colours share one curve or have their own")};
  }
  void set(EnhanceOptions& options) const { options.channels = channels; }
};

struct ClaheStep {
  static constexpr const char* kName = "clahe";
  Point tiles = EnhanceOptions{}.tiles;
  double clip = EnhanceOptions{}.clip;
  ChannelCurves channels = EnhanceOptions{}.channels;

  static constexpr auto fields() {
    using S = ClaheStep;
    return std::tuple{field("tiles", &S::tiles, "tiles down and across"),
                      field("clip", &S::clip, "clip limit, 0 to 1; more is more contrast"),
                      field("channels", &S::channels, "colours share one curve or have their own")};
  }
  void set(EnhanceOptions& options) const {
    options.tiles = tiles;
    options.clip = clip;
    options.channels = channels;
  }
};

struct HistogramStep {
  static constexpr const char* kName = "histogram";
  ChannelCurves channels = ChannelCurves::each;

  static constexpr auto fields() {
    return std::tuple{
        field("channels", &HistogramStep::channels, "colours are counted together or each")};
  }
  void set(EnhanceOptions& options) const { options.channels = channels; }
};

struct SmoothStep {
  static constexpr const char* kName = "smooth";
  void set(EnhanceOptions&) const {}
};

/// What runs one step alone.
template <class Own>
EnhanceOptions options_of(const Own& own, const StepPlace& place) {
  EnhanceOptions options;
  options.steps = Own::kName;
  own.set(options);
  options.backend = place.backend;
  options.method = place.method;
  options.device = place.device;
  return options;
}

}  // namespace tessera::python
