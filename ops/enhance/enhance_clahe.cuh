// SPDX-License-Identifier: Apache-2.0
// All kernels of adaptive equalisation.
#pragma once

#include "ops/enhance/enhance_clahe_curves.cuh"
#include "ops/enhance/enhance_clahe_pixels.cuh"
