// SPDX-License-Identifier: Apache-2.0
/// What the header of an image says that a catalogue needs.
#pragma once

#include <string>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/sources/sources_choices.hpp"
#include "jobs/sources/sources_table.hpp"

namespace tessera {

/// `plane` is the plane of the file. Notes say what is missing.
SourcesSky sources_sky(const std::string& path, const ImageSource& file, int plane,
                       const SourcesChoices& choices, std::vector<std::string>& notes);

}  // namespace tessera
