// SPDX-License-Identifier: Apache-2.0
/// A film frame by frame, in the form in which cells are searched for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "io/video/video.hpp"
#include "jobs/cells/film_axes.hpp"
#include "tessera/enhance.hpp"
#include "tessera/image.hpp"

namespace tessera {

struct FilmFile;

/// A frame where it lies.
struct FilmFrame {
  Image read;  ///< holds the samples, unless they lie on a device
  AnyView view;
};

/// Facts about a film that are known only when its recording has ended.
struct FilmEnd {
  std::string damage = {};  ///< why it ended early; empty if it did not
  std::vector<std::string> notes = {};
  FrameTiming timing = {};
  double um_per_pixel = 0;
};

/// One channel per frame; colours become luminance. If a film ends early or is damaged, only the
/// frames before that are read, and `damage` says so.
class FilmSource {
 public:
  /// Throws Error(input) if the film cannot be read, Error(usage) for frames, channels and slices
  /// that do not exist or have to be chosen.
  FilmSource(const std::string& input, const FilmReading& options);
  /// The same for a film that is open. One that is being recorded has as many planes as fit into
  /// an int; `end` says when it is over.
  FilmSource(const std::string& name, FilmFile film, const FilmReading& options);

  const ImageInfo& frame() const { return frame_; }  ///< of every frame
  int first_frame() const { return first_; }         ///< counted in the film
  int frames() const { return count_; }              ///< to be read
  const std::string& format() const { return format_; }
  std::vector<std::string> notes() const;  ///< of the frames read so far
  const FrameTiming& timing() const { return timing_; }
  double um_per_pixel() const { return um_per_pixel_; }  ///< as the film says; 0: it does not

  /// The next frame; false at the end, or if the film ends early. Throws Error(input) if not even
  /// the first can be read.
  bool next(Image& frame);
  /// The same, but frames in a device's memory are not copied.
  bool next(FilmFrame& frame);
  int read_so_far() const { return next_; }
  /// The frames that `next` returns begin with this one, counted from the first that is read.
  void skip_to(int frame) { next_ = frame; }
  /// The film is over: there are no more frames than were read.
  void end(FilmEnd end);
  /// Why the film ended early; empty if it did not.
  const std::string& damage() const { return damage_; }

 private:
  void settle_channels();
  void read_frame();
  void check_read();
  Image grey_frame();

  std::string name_, format_, damage_;
  std::unique_ptr<ImageSource> source_;
  bool all_asked_for_ = false;  ///< the number of frames to read was given by the user
  bool short_ = false;          ///< opened although the file is incomplete
  std::size_t warned_ = 0;
  int first_ = 0, count_ = 0, next_ = 0;
  int strange_ = 0;  ///< frames with samples that are not finite
  ImageInfo frame_;
  FrameTiming timing_;
  double um_per_pixel_ = 0;
  Image raw_;          ///< as in the file
  AnyView on_device_;  ///< all frames of a film that lies there
  std::optional<Enhance> to_grey_;
  std::optional<Stream> stream_;
  std::vector<std::string> notes_;
};

}  // namespace tessera
