// SPDX-License-Identifier: Apache-2.0
/// Signs of a second source in what a fit leaves.
#pragma once

#include "ops/sources/fit/sources_errors.hpp"

namespace tessera {

/// A second source of a given shape is tried at the pixels of a source: its best height, if the
/// parameters of the fit may change with it to first order, over the error of this height under
/// the noise's correlation. Returns the largest ratio; 0 if there is nothing to try.
double second_source(const SourceGroup& group, const SourceFit& fit,
                     const std::vector<std::size_t>& places, const SourceShape& shape,
                     const SourceErrorsOf& of);

}  // namespace tessera
