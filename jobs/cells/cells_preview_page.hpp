// SPDX-License-Identifier: Apache-2.0
/// The page of a preview: its facts and pictures of its frames.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/cells/cells_preview.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// A frame as the page has it: grey levels, packed.
struct PreviewPicture {
  int width = 0, height = 0;
  int side = 1;  ///< of the square of frame pixels that a pixel is the mean of
  std::vector<std::uint8_t> levels;
};

/// Pixels of large frames become means of squares, so that the page stays small.
PreviewPicture preview_picture(View<const std::uint8_t> frame);

/// `pictures` are those of the preview's frames, in their order.
std::string preview_page(const CellsPreview& preview, const std::vector<PreviewPicture>& pictures);

}  // namespace tessera
