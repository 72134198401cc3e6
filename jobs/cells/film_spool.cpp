// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/film_spool.hpp"

#include <algorithm>
#include <limits>

#include "io/npy/npy_header.hpp"
#include "io/packed_rows.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// Headers are padded, so that all numbers of frames have headers of the same length.
std::string header_of(ImageInfo film, int frames) {
  film.size.planes = frames;
  return npy_header_bytes(film);
}

}  // namespace

FilmSpool::FilmSpool(const ImageInfo& frame)
    : frame_(frame),
      file_(anonymous_file("the film's frames")),
      header_(static_cast<long long>(header_of(frame, std::numeric_limits<int>::max()).size())),
      bytes_(row_bytes(frame) * frame.size.height) {}

void FilmSpool::add(AnyView frame) {
  if (!packed_in_plane(frame))
    throw Error(ErrorKind::failure, "cells: a frame to keep is not packed");
  file_.write_all(header_ + frames_ * bytes_, frame.address(0, 0), bytes_);
  ++frames_;
}

std::string FilmSpool::finish() {
  const std::string header = header_of(frame_, frames_);
  if (static_cast<long long>(header.size()) != header_)
    throw Error(ErrorKind::failure, "cells: the header of the kept film has another length");
  file_.write_all(0, header.data(), header_);
  return name_by_descriptor(file_);
}

FilmReading FilmSpool::reading(const ReadLimits& limits) const {
  FilmReading reading;
  reading.limits = limits;
  reading.limits.pages = std::max<long long>(limits.pages, frames_);
  return reading;
}

}  // namespace tessera
