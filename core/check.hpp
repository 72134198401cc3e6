// SPDX-License-Identifier: Apache-2.0
/// Checks that every plan makes on its arguments. All throw Error(usage).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tessera/border.hpp"
#include "tessera/options.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// 1 to 4 channels, no negative size, and a type that kernels take.
void check_image(const char* operation, const ImageInfo& image);

/// All of the following, and that the output rows are rows of the result.
void check_call(const char* operation, const Piece& in, const MutablePiece& out,
                const ImageInfo& input, const ImageInfo& output, const Stream& stream, int device);

/// The view fits the plan in everything except the number of rows.
void check_piece(const char* operation, const char* which, const ImageInfo& given,
                 const ImageInfo& planned);

/// The view fits the plan, with all its rows.
void check_whole(const char* operation, const char* which, const ImageInfo& given,
                 const ImageInfo& planned);

/// With border constant: a number that the type has, as far as NaN goes.
void check_constant(const char* operation, Border border, double constant, Type type);

/// A filter or an element: in host memory, one channel and one plane, at least one `part`
/// ("weight") each way.
void check_stencil(const char* operation, const char* which, const char* part, const AnyView& view);
/// The anchor wanted, which must be inside, or the centre.
Point anchor_in(const char* operation, const char* which, const std::optional<Point>& wanted,
                Size size);

/// The two views share no memory.
void check_apart(const char* operation, const AnyView& in, const AnyView& out);

/// The stream belongs to the device that the plan runs on.
void check_stream(const char* operation, const Stream& stream, int device);

/// "4096x4096x3 u8", for describe().
std::string image_text(const ImageInfo& image);

/// All samples of a host view, row by row.
std::vector<double> samples_as_double(AnyView view);

}  // namespace tessera
