// SPDX-License-Identifier: Apache-2.0
/// What an output file cannot say of the input's picture, in one note.
#pragma once

#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "tessera/image_metadata.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Adds a note if something is lost in `output`, an image file or "-".
void add_metadata_note(const ImageMetadata& metadata, const std::string& output,
                       const ImageInfo& made, std::vector<std::string>& notes);

/// Adds a note if the input has a table of beams: outputs have the pixels and the header alone.
void add_beam_note(const ImageSource& source, std::vector<std::string>& notes);

}  // namespace tessera
