// SPDX-License-Identifier: Apache-2.0
/// The inputs of RM-CLEAN: spectra, one RMSF or one per pixel, and cutoffs; strip by strip, as
/// consecutive planes.
#pragma once

#include <memory>
#include <vector>

#include "jobs/faraday/faraday_clean_job.hpp"
#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_cutoff.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "tessera/image.hpp"

namespace tessera {

class FaradayCleanInput : public RowSource {
 public:
  explicit FaradayCleanInput(const FaradayCleanJob& job);

  const FaradayCubeSource& spectra() const { return *real_; }
  /// The plan's RMSF: that of pixels which lack no channel.
  const FaradayRmsf& rmsf() const { return rmsf_; }
  /// The cutoff and the window in the units of the spectra, as the plan takes them.
  const FaradayCleanOptions& options() const { return cutoff_.options; }
  const std::string& cutoff_in_words() const { return cutoff_.text; }
  const FaradayGivenNoise& noise() const { return cutoff_.noise; }
  double dphi() const { return dphi_; }

  ImageInfo info() const override;
  void read(Rows rows, AnyMutableView to) override;
  /// The parts of a strip that `read` has filled; `own` holds what the result refers to.
  struct Own {
    std::vector<FaradayRmsf> rmsfs;
    std::vector<int> of_pixel;
  };
  FaradayDirty dirty(AnyView strip, int first_row, Own& own) const;
  /// Bytes per row that `read` and the work on a strip take besides the strip.
  double scratch_bytes_a_row() const;
  /// Files that are read whole count for `memory`.
  const FaradayMemory& memory() const { return memory_; }

  std::vector<std::string> warnings() const;

 private:
  void read_rmsf(const FaradayCleanJob& job, double dphi);
  void read_patterns(FaradayCubeSource& real, FaradayCubeSource& imaginary, const Image& patterns);
  void hold_rmsfs(int count);
  void find_plans_rmsf();
  FaradayRmsf rmsf_from(AnyView real, AnyView imaginary, int x, int y, double fwhm) const;
  void group_by_rmsf(AnyView strip, int first_row, Own& own) const;

  FaradayMemory memory_;
  std::unique_ptr<FaradayCubeSource> real_, imaginary_;
  std::unique_ptr<FaradayCubeSource> rmsf_real_, rmsf_imaginary_;  ///< of every pixel, or none
  FaradayRmsf rmsf_;
  std::vector<FaradayRmsf> pattern_rmsfs_;  ///< of patterns 1, 2 …
  Image patterns_, fwhm_;                   ///< maps; empty: none
  FaradayCutoff cutoff_;
  double dphi_ = 0;
};

}  // namespace tessera
