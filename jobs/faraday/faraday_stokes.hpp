// SPDX-License-Identifier: Apache-2.0
/// One Stokes parameter of a file that has several: IQUV.
#pragma once

#include <string>

#include "io/header_cards.hpp"

namespace tessera {

/// The axis STOKES, counted from 1; 0: there is none.
int stokes_axis_of(const HeaderCards& header);

/// The parameter that a header states first, by its axis STOKES or by the card STOKES: 'I', 'Q',
/// 'U' or 'V'; 0: it states none.
char first_stokes(const HeaderCards& header);

/// The place of a parameter ('I', 'Q', 'U', 'V') along an axis of some length, counted from 0.
/// Throws Error(input) naming the parameters that the file has.
int stokes_index(const std::string& path, const HeaderCards& header, int axis, int length,
                 char parameter);

}  // namespace tessera
