// SPDX-License-Identifier: Apache-2.0
/// The frames of a live film, kept on disk for pictures that are made when it has ended.
#pragma once

#include <string>

#include "io/file.hpp"
#include "jobs/cells/film_axes.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// An NPY file without a name in the folder for temporary files: nothing is left of it, however
/// the process ends.
class FilmSpool {
 public:
  explicit FilmSpool(const ImageInfo& frame);

  /// The next frame. Throws Error if there is no room for it.
  void add(AnyView frame);
  /// The name under which the film can be read, while the spool exists, and how.
  std::string finish();
  FilmReading reading(const ReadLimits& limits) const;

 private:
  ImageInfo frame_;
  File file_;
  long long header_ = 0, bytes_ = 0;  ///< of the header, of a frame
  int frames_ = 0;
};

}  // namespace tessera
