// SPDX-License-Identifier: Apache-2.0
/// Inside the FITS format: its readers and writers.
#pragma once

#include <memory>

#include "io/fits/fits_bytes.hpp"
#include "io/fits/fits_image.hpp"
#include "io/image_file.hpp"

namespace tessera {

/// The parts that all readers of an HDU share.
class FitsSource : public ImageSource {
 public:
  FitsSource(FitsHdu hdu, FitsImage image) : hdu_(std::move(hdu)), image_(std::move(image)) {
    if (!hdu_.odd.empty()) warn(hdu_.odd + "; values in the header may be damaged");
  }
  ImageInfo info() const override { return image_.info; }
  std::vector<FileDetail> details() const override { return fits_details(hdu_, image_); }
  std::vector<std::string> header() const override { return hdu_.header.cards(); }
  BeamTable beams() const override { return beams_; }
  void set_beams(BeamTable beams) { beams_ = std::move(beams); }

 protected:
  const FitsHdu& hdu() const { return hdu_; }
  const FitsImage& image() const { return image_; }

 private:
  FitsHdu hdu_;
  FitsImage image_;
  BeamTable beams_;
};

/// An image in tiles, read through cfitsio.
std::unique_ptr<FitsSource> open_fits_tiles(FitsBytes& bytes, const FitsHdu& hdu,
                                            const FitsImage& image, const ReadOptions& options);

/// Axis 3 is the channels, axis 4 the planes, if there are more than one.
std::vector<long long> fits_axes_of(const Size& size);
/// The cards kept from the input's header, then the history.
std::vector<std::string> fits_cards_to_keep(const WriteOptions& options);

std::unique_ptr<ImageSink> create_fits(const std::string& path, const ImageInfo& info,
                                       const WriteOptions& options);
/// In tiles, through cfitsio.
std::unique_ptr<ImageSink> create_fits_tiles(const std::string& path, const ImageInfo& info,
                                             const WriteOptions& options);

}  // namespace tessera
