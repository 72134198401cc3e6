// SPDX-License-Identifier: Apache-2.0
/// Cubes in files, whatever the order of their axes, in the form plans need: planes along the
/// spectral axis, values in float.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/faraday/faraday_cube_axes.hpp"
#include "jobs/faraday/faraday_stack.hpp"
#include "jobs/settings.hpp"

namespace tessera {

class FaradayCubeSource : public RowSource {
 public:
  /// `word` is contained in the CTYPE of the spectral axis. With a `parameter` ('I', 'Q', 'U') the
  /// file may have others too, and `path` may stand for one file per channel (faraday_stack.hpp).
  FaradayCubeSource(const std::string& path, const std::string& word, const ReadOptions& reading,
                    const RunSettings& settings, char parameter = 0);

  const std::string& path() const { return path_; }
  const FaradayCubeAxes& axes() const { return axes_; }
  /// With the beam that all channels have (BMAJ, BMIN, BPA), or none if they differ.
  const HeaderCards& header() const { return header_; }
  /// The beams of the channels in degrees, nothing for channels without one; empty if the file does
  /// not state them.
  const std::vector<std::optional<Beam>>& beams() const { return beams_; }
  /// The beam of the first channel that has one.
  std::optional<Beam> beam() const;
  /// The files of the channels, if there is one for each; otherwise null.
  const FaradayStack* stack() const { return stack_; }
  /// The file of a channel.
  const std::string& channel_name(std::size_t channel) const;
  /// Which plane of this file it is.
  int channel_plane(std::size_t channel) const;
  bool is_fits() const { return !header_.list().empty(); }
  /// Warnings about parts filled in the cube, and in files that were read for it.
  std::vector<std::string> warnings() const;
  /// Keeps warnings about a file that was read for this cube, each once. It is const because code
  /// that reads a map has only a const cube.
  void also_warn(const std::vector<std::string>& sentences) const;

  /// f32, whatever the file's type.
  ImageInfo info() const override { return {axes_.size(), Type::f32, kHost}; }
  void read(Rows rows, AnyMutableView to) override;
  /// One plane of the cube; only if axes().has_planes().
  void read_plane(int plane, Rows rows, AnyMutableView to);
  /// Bytes per row that `read` takes besides `to`.
  std::size_t scratch_bytes_a_row() const;

 private:
  void find_beams();
  void read_as_it_is(Rows rows, AnyMutableView to);

  std::string path_;
  std::unique_ptr<ImageSource> file_;
  const FaradayStack* stack_ = nullptr;  ///< file_, if it is one
  HeaderCards header_;
  FaradayCubeAxes axes_;
  Type type_;
  std::vector<std::optional<Beam>> beams_;
  mutable std::vector<std::string> beside_;
};

/// Writes a cube in a file's order of axes.
class FaradayCubeSink : public RowSink {
 public:
  FaradayCubeSink(std::unique_ptr<ImageSink> file, FaradayCubeAxes axes)
      : file_(std::move(file)), axes_(std::move(axes)) {}

  void write(Rows rows, AnyView from) override;
  void finish() override { file_->finish(); }

 private:
  std::unique_ptr<ImageSink> file_;
  FaradayCubeAxes axes_;
};

}  // namespace tessera
