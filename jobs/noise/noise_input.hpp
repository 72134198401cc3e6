// SPDX-License-Identifier: Apache-2.0
/// The planes of a file that maps are made from, one at a time, with NaN at masked pixels.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/noise/noise_slice.hpp"
#include "jobs/settings.hpp"

namespace tessera {

struct NoiseFiles {
  std::string image;                ///< a file, or one HDU as "field.fits[1]", or "-"
  std::optional<NoiseSlice> slice;  ///< one plane; none: all
  std::string mask;  ///< a file, or a file and its HDU or page as "mask.fits[1]"; "": none
  std::string operation = "noise";  ///< which errors begin with
};

/// A file, and which of its HDUs or pages.
struct NamedPage {
  std::string path;
  std::optional<int> page;
};

/// "mask.fits[1]" is HDU 1 of mask.fits, unless there is a file of that name. Throws Error(usage)
/// if the brackets do not contain a number; it begins with the operation.
NamedPage named_page(const std::string& text, const std::string& operation = "noise");

class NoiseInput : public RowSource {
 public:
  /// Throws Error for a colour image, a plane that does not exist, or a mask of another size.
  NoiseInput(const NoiseFiles& files, const ReadOptions& reading, const RunSettings& settings);

  const std::string& name() const { return name_; }
  const ImageSource& file() const { return *file_; }
  const PlaneRange& planes() const { return planes_; }
  /// The plane of the file that is read from now on; at first the first of planes().
  void select(int plane);

  /// One plane, like all others. Integers with a mask become floats, which have NaN.
  ImageInfo info() const override { return info_; }
  void read(Rows rows, AnyMutableView to) override;
  /// Parts that --allow-truncated filled, in either file.
  std::vector<std::string> warnings() const;

 private:
  void open_mask(const std::string& mask, const ReadOptions& reading, const RunSettings& settings);
  void read_values(Rows rows, AnyMutableView to);
  void blank_masked(Rows rows, AnyMutableView to);

  std::string operation_, name_;
  std::unique_ptr<ImageSource> file_, mask_;
  PlaneRange planes_;
  int plane_ = 0, mask_plane_ = 0;
  ImageInfo info_;
};

}  // namespace tessera
