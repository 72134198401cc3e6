// SPDX-License-Identifier: Apache-2.0
/// What enhance makes beside the image: the histogram that its steps saw, and a picture of before
/// and after. Both are of the first plane.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/enhance/area_picture.hpp"
#include "jobs/enhance/enhance_sweeps.hpp"
#include "tessera/enhance.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct EnhanceReports {
  std::string histogram, before_after;

  static constexpr auto fields() {
    using R = EnhanceReports;
    return std::tuple{
        field("histogram", &R::histogram,
              "also make a .csv, .json, or picture (.svg, .png) of the values before and after: "
              "what the first of histogram, contrast and equalise counts, and the result's"),
        field("before-after", &R::before_after,
              "also make a picture, such as a .png, of the image and the result side by side, made "
              "smaller where they are large")};
  }
  bool any() const { return !histogram.empty() || !before_after.empty(); }
};

/// Throws Error(usage), before anything is computed, for names and formats that cannot be, files
/// that exist without `force`, names that are the output's, and a histogram that no step counts.
void check_reports(const EnhanceReports& reports, const std::string& steps,
                   const std::string& output, bool force);

/// Gathers what the reports need while rows go by.
class EnhanceObserver {
 public:
  EnhanceObserver(const EnhanceReports& reports, const Enhance& plan, ChannelCurves channels);

  /// Empty where nothing has to be gathered.
  SeeRows see();
  /// Writes the files, each old or whole. Returns how to get a picture that could not be drawn.
  std::string write(const std::vector<EnhanceFinding>& found, const std::string& input,
                    bool force) const;

 private:
  void add(const Piece& in, const MutablePiece& out);

  EnhanceReports reports_;
  ChannelCurves channels_;
  std::vector<EnhanceFinding> after_;  ///< counts of the result
  std::optional<AreaPicture> left_, right_;
};

}  // namespace tessera
