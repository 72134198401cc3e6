// SPDX-License-Identifier: Apache-2.0
/// Rows of any view as packed samples: the view's own memory if its pixels have no gaps.
#pragma once

#include <algorithm>

#include "tessera/view.hpp"

namespace tessera {

/// Pixels [x, x + pixels) of an image's row; `buffer` holds them if they had to be gathered.
template <class T>
const T* packed_row(const Piece& piece, int plane, int row, int x, int pixels, T* buffer) {
  const View<const T> view = piece.view.as<const T>();
  const int channels = view.size.channels;
  const T* from = &view.at(x, row - piece.first_row, 0, plane);
  if (view.pixel == channels) return from;
  for (int k = 0; k < pixels; ++k, from += view.pixel)
    std::copy_n(from, channels, buffer + 1LL * k * channels);
  return buffer;
}

/// Where to write those pixels: the view itself, or `buffer`, which put_row() then scatters.
template <class T>
T* open_row(const MutablePiece& piece, int plane, int row, int x, T* buffer) {
  const View<T> view = piece.view.as<T>();
  return view.pixel == view.size.channels ? &view.at(x, row - piece.first_row, 0, plane) : buffer;
}
template <class T>
void put_row(const MutablePiece& piece, int plane, int row, int x, int pixels, const T* buffer) {
  const View<T> view = piece.view.as<T>();
  const int channels = view.size.channels;
  if (view.pixel == channels) return;
  T* to = &view.at(x, row - piece.first_row, 0, plane);
  for (int k = 0; k < pixels; ++k, to += view.pixel)
    std::copy_n(buffer + 1LL * k * channels, channels, to);
}

}  // namespace tessera
