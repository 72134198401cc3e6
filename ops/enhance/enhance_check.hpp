// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// Options as a problem; throws Error(usage) with what would be right.
EnhanceProblem make_enhance_problem(const ImageInfo& image, const EnhanceOptions& options,
                                    AnyView weights);

}  // namespace tessera
