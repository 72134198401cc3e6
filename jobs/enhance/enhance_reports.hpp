// SPDX-License-Identifier: Apache-2.0
/// Reports of enhance besides the image: the histogram that its steps counted, and a picture of
/// before and after. Both show the first plane.
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
    return std::tuple{field("histogram", &R::histogram,
                            "also write histograms before and after as .csv, .json or a picture "
                            "(.svg, .png): the counts of the first step among histogram, contrast "
                            "and equalise, and those of the result"),
                      field("before-after", &R::before_after,
                            "also write a picture, such as a .png, of the image and the result "
                            "side by side, reduced if they are large")};
  }
  bool any() const { return !histogram.empty() || !before_after.empty(); }
};

/// Throws Error(usage), before anything is computed, for impossible names and formats, files that
/// exist (without `force`), the output's own name, and a histogram that no step counts.
void check_reports(const EnhanceReports& reports, const std::string& steps, Type type,
                   const std::string& output, bool force);

/// Gathers the data of the reports while rows pass.
class EnhanceObserver {
 public:
  EnhanceObserver(const EnhanceReports& reports, const Enhance& plan, ChannelCurves channels);

  /// Empty if nothing has to be gathered.
  SeeRows see();
  /// Writes the files, each either the old one or complete. Returns how to get a picture that could
  /// not be drawn.
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
