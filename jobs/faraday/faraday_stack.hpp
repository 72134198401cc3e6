// SPDX-License-Identifier: Apache-2.0
/// One file per channel, as one cube: channels in the order of their frequencies. Files are opened
/// when they are read, so that their number is not limited.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/header_cards.hpp"
#include "io/image_file.hpp"
#include "jobs/settings.hpp"
#include "tessera/beam.hpp"

namespace tessera {

class FaradayStack : public ImageSource {
 public:
  /// `word` stands for several files (jobs/file_list.hpp); `parameter` is the Stokes parameter to
  /// take from files that have several. Throws Error naming files whose shapes, types or places on
  /// the sky differ.
  FaradayStack(const std::string& word, char parameter, const ReadOptions& reading,
               const RunSettings& settings);

  ImageInfo info() const override { return info_; }
  void read_plane(int plane, Rows rows, AnyMutableView to) override;
  /// That of the first file, with one more axis of channels or a longer one.
  std::vector<std::string> header() const override { return header_; }
  std::vector<std::string> warnings() const override { return warnings_; }
  std::string format() const override { return "FITS"; }

  /// In hertz, one per channel; empty if the files do not state them.
  const std::vector<double>& frequencies() const { return frequencies_; }
  /// One per channel; empty if no file states a beam.
  const std::vector<std::optional<Beam>>& beams_of_channels() const { return beams_; }
  const std::vector<std::string>& files() const { return files_; }
  /// The plane of a channel's file that holds the Stokes parameter.
  int plane_of(std::size_t channel) const { return planes_[channel]; }
  /// "", or a sentence about channels that have no file.
  const std::string& gaps() const { return gaps_; }

 private:
  struct Channel;
  Channel look_at(const std::string& path, const ImageSource& file, char parameter) const;
  void sort_channels(std::vector<Channel>& channels);

  ReadOptions reading_;
  RunSettings settings_;
  ImageInfo info_;
  std::vector<std::string> files_, header_, warnings_;
  std::vector<int> planes_;  ///< of each file: the one that holds the Stokes parameter
  std::vector<double> frequencies_;
  std::vector<std::optional<Beam>> beams_;
  std::string gaps_;
};

/// The frequencies along the axis whose CTYPE contains FREQ, in hertz: CRVAL + (k + 1 - CRPIX)
/// times CDELT or CDn_n. Empty if the header lacks them; throws Error(usage) for unknown units.
std::vector<double> header_axis_frequencies(const std::string& path, const HeaderCards& header,
                                            int axis, int channels);

}  // namespace tessera
