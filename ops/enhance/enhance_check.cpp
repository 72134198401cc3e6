// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/enhance_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "ops/enhance/clahe/enhance_clahe.hpp"
#include "ops/enhance/enhance_floats.hpp"
#include "ops/enhance/enhance_smoothing.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostSteps = 16;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos;
       comma = text.find(',')) {
    words.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  words.push_back(text);
  return words;
}

std::vector<EnhanceStep> read_steps(const std::string& text) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() > kMostSteps)
    refuse("enhance",
           fmt::format("{} steps are given; there can be up to {}", words.size(), kMostSteps));
  std::vector<EnhanceStep> steps;
  for (const std::string_view word : words) {
    if (word.empty())
      refuse("enhance",
             fmt::format("steps '{}' has an empty word; write them as grey,contrast,smooth", text));
    steps.push_back(parse_named<EnhanceStep>("enhance: steps", word));
  }
  return steps;
}

/// Weights over 2^16 that sum to no more, so that white stays in range.
std::array<int, 3> read_grey(const std::string& text) {
  if (text == "classic") return {77 * 256, 151 * 256, 28 * 256};
  if (text == "bt601") return {19595, 38470, 7471};
  if (text == "bt709") return {13933, 46871, 4732};
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() != 3)
    refuse("enhance",
           fmt::format("grey '{}' is not known; it can be classic, bt601, bt709, or three integers "
                       "such as 19712,38656,7168",
                       text));
  std::array<int, 3> weights{};
  for (std::size_t k = 0; k < 3; ++k) from_text("enhance: grey", words[k], weights[k]);
  const long long sum = 0LL + weights[0] + weights[1] + weights[2];
  if (std::any_of(weights.begin(), weights.end(), [](int w) { return w < 0; }) || sum > 65536)
    refuse("enhance",
           fmt::format("grey {} sums to {}; its weights can be 0 or more and sum to 65536", text,
                       sum));
  return weights;
}

void read_contrast(EnhanceProblem& p, const EnhanceOptions& options) {
  p.rule = options.rule;
  p.low = std::llround(options.low * 1e7);  // billionths
  p.high = std::llround(options.high * 1e7);
  if (p.low >= p.high)
    refuse("enhance", fmt::format("low is {} and high {} percent; low must be less than high",
                                  options.low, options.high));
  p.threshold = options.threshold;
}

Smoothing read_smoothing(const EnhanceOptions& options, const std::vector<EnhanceStep>& steps,
                         AnyView weights) {
  const bool given = weights.data != nullptr || weights.size != Size{};
  if (!given) {
    const Image usual = smoothing_from_text(options.smooth);
    return make_smoothing(usual.view());
  }
  if (std::find(steps.begin(), steps.end(), EnhanceStep::smooth) == steps.end())
    refuse("enhance",
           fmt::format("weights are given, but the steps are {}; smooth must be one of them",
                       options.steps));
  return make_smoothing(weights);
}

/// Steps that count values, of which floats have too many.
void check_float_steps(const ImageInfo& image, const EnhanceOptions& options,
                       const std::vector<EnhanceStep>& steps) {
  for (const EnhanceStep step : steps) {
    if (step == EnhanceStep::histogram || step == EnhanceStep::equalise)
      refuse("enhance",
             fmt::format("{} counts every value, and the image is {}; floats take grey, contrast, "
                         "clahe and smooth, or convert them to u16",
                         name_of(step), name_of(image.type)));
    if (step == EnhanceStep::contrast && options.rule == ContrastRule::threshold)
      refuse("enhance",
             fmt::format("rule threshold counts every value, and the image is {}; floats take rule "
                         "percentiles, or convert them to u16",
                         name_of(image.type)));
  }
}

/// Whole numbers as the filter of floats: divided by their sum.
void divide_by_sum(Smoothing& s) {
  if (!s.exact()) return;
  const long long sum = std::accumulate(s.weights.begin(), s.weights.end(), 0LL);
  if (sum <= 0)
    refuse("enhance",
           fmt::format("the weights of smooth sum to {}, and for floats they are divided by that; "
                       "it must be positive (convolve takes any weights)",
                       sum));
  s.filter = Image({s.width, s.height}, Type::f64);
  for (std::size_t k = 0; k < s.weights.size(); ++k)
    s.filter.as<double>().data[k] = s.weights[k] / static_cast<double>(sum);
  s.weights.clear();
  s.across.clear();
  s.down.clear();
}

int sweeps_of(EnhanceStep step, const EnhanceProblem& p) {
  if (step == EnhanceStep::clahe) return clahe_sweeps(p);
  if (step == EnhanceStep::contrast && p.floats()) return float_contrast_sweeps(p.image.type);
  return step == EnhanceStep::grey || step == EnhanceStep::smooth ? 0 : 1;
}

/// Comes last: the sweeps of clahe depend on everything else.
void add_stages(EnhanceProblem& p, const std::vector<EnhanceStep>& steps) {
  int sweep = 0;
  for (const EnhanceStep step : steps) {
    EnhanceStage stage{.step = step, .in = p.output, .out = p.output, .first_sweep = sweep};
    if (step == EnhanceStep::grey && stage.in.size.channels > 2) stage.out.size.channels -= 2;
    stage.sweeps = sweeps_of(step, p);
    sweep += stage.sweeps;
    p.output = stage.out;
    p.stages.push_back(stage);
  }
}

}  // namespace

EnhanceProblem make_enhance_problem(const ImageInfo& image, const EnhanceOptions& options,
                                    AnyView weights) {
  check_image("enhance", image);
  check_ranges("enhance", options);
  EnhanceProblem p;
  p.image = p.output = image;
  p.device = image.device == kHost ? options.device : image.device;
  const std::vector<EnhanceStep> steps = read_steps(options.steps);
  p.grey = read_grey(options.grey);
  read_contrast(p, options);
  p.together = options.channels != ChannelCurves::each;
  p.value = options.channels == ChannelCurves::value;
  p.tiles = options.tiles;
  p.clip = options.clip;
  p.smoothing = read_smoothing(options, steps, weights);
  if (p.floats()) {
    check_float_steps(image, options, steps);
    if (std::find(steps.begin(), steps.end(), EnhanceStep::smooth) != steps.end())
      divide_by_sum(p.smoothing);
  }
  add_stages(p, steps);
  return p;
}

Rows EnhanceProblem::reads_by(const EnhanceStage& stage, Rows rows) const {
  if (stage.step != EnhanceStep::smooth) return rows;
  return {std::max(0, rows.first - smoothing.anchor.y),
          std::min(image.size.height, rows.end - smoothing.anchor.y + smoothing.height - 1)};
}

Rows EnhanceProblem::reads(Rows rows, std::size_t count) const {
  for (std::size_t k = count; k-- > 0;) rows = reads_by(stages[k], rows);
  return rows;
}

}  // namespace tessera
