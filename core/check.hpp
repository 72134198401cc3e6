// SPDX-License-Identifier: Apache-2.0
/// Checks that every plan makes of what it is called with. All throw Error(usage).
#pragma once

#include <vector>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The view fits the plan, in all but the number of rows.
void check_piece(const char* operation, const char* which, const ImageInfo& given,
                 const ImageInfo& planned);

/// The two views share no memory.
void check_apart(const char* operation, const AnyView& in, const AnyView& out);

/// The stream is where the plan runs.
void check_stream(const char* operation, const Stream& stream, int device);

/// All samples of a host view, row by row.
std::vector<double> samples_as_double(AnyView view);

}  // namespace tessera
