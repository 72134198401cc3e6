// SPDX-License-Identifier: Apache-2.0
#include "jobs/enhance/enhance_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/refuse.hpp"
#include "io/formats.hpp"
#include "io/output.hpp"
#include "jobs/enhance/histogram_files.hpp"

namespace tessera {
namespace {

constexpr int kMostWide = 792, kMostHigh = 1600;  // of each side; 1600 with the gap

bool counts_values(const std::string& steps) {
  for (const char* step : {"histogram", "contrast", "equalise"})
    if (steps.find(step) != std::string::npos) return true;
  return false;
}

void check_name(const std::string& path, const std::string& output, bool force) {
  std::error_code
      ignored;  // a path that cannot be examined cannot be written either, and fails then
  if (path == output || std::filesystem::weakly_canonical(path, ignored) ==
                            std::filesystem::weakly_canonical(output, ignored))
    refuse("enhance", fmt::format("{} would be made twice; give two different names", path));
  if (!force && std::filesystem::exists(path, ignored)) throw exists_error(path);
}

}  // namespace

void check_reports(const EnhanceReports& reports, const std::string& steps, Type type,
                   const std::string& output, bool force) {
  if (!reports.histogram.empty()) {
    if (!is_integer(type))
      refuse("enhance", fmt::format("--histogram counts every value, and the image is {}; leave it "
                                    "out, or convert the image to u16",
                                    name_of(type)));
    if (!counts_values(steps))
      refuse("enhance", fmt::format("--histogram needs a step that counts values, and none of {} "
                                    "does; add histogram to --steps",
                                    steps));
    for (const std::string& path : histogram_files(reports.histogram))
      check_name(path, output, force);
    Output(reports.histogram,
           true);  // begun and abandoned: a file that cannot be made is reported now
  }
  if (reports.before_after.empty()) return;
  check_name(reports.before_after, output, force);
  check_name(reports.before_after, reports.histogram, force);
  create_image(reports.before_after, {{1, 1, 3, 1}, Type::u8, kHost}, {.force = force});
}

EnhanceObserver::EnhanceObserver(const EnhanceReports& reports, const Enhance& plan,
                                 ChannelCurves channels)
    : reports_(reports), channels_(channels) {
  if (reports_.before_after.empty()) return;
  left_.emplace(plan.input(), kMostWide, kMostHigh);
  right_.emplace(plan.output(), kMostWide, kMostHigh);
}

SeeRows EnhanceObserver::see() {
  if (!reports_.any()) return {};
  return [this](const Piece& in, const MutablePiece& out) { add(in, out); };
}

void EnhanceObserver::add(const Piece& in, const MutablePiece& out) {
  const AnyView result = AnyView(out.view).only_plane(0);
  if (left_) {
    left_->add(in.view.only_plane(0).rows(out.first_row - in.first_row, result.size.height));
    right_->add(result);
  }
  if (reports_.histogram.empty()) return;
  const std::vector<EnhanceFinding> part = tessera::histogram(result, channels_);
  if (after_.empty()) return after_.assign(part.begin(), part.end());
  for (std::size_t i = 0; i < part.size(); ++i)
    std::ranges::transform(after_[i].counts, part[i].counts, after_[i].counts.begin(),
                           std::plus<>());
}

std::string EnhanceObserver::write(const std::vector<EnhanceFinding>& found,
                                   const std::string& input, bool force) const {
  if (left_) {
    const Image both = side_by_side(left_->picture(), right_->picture());
    write_image(reports_.before_after, both.view(), {.force = force});
  }
  if (reports_.histogram.empty()) return "";
  return write_histograms(reports_.histogram, input, histograms_of(found, after_), force);
}

}  // namespace tessera
