// SPDX-License-Identifier: Apache-2.0
// All kernels of adaptive equalisation.
#pragma once

#include "ops/enhance/clahe/cuda/enhance_clahe_curves.cuh"
#include "ops/enhance/clahe/cuda/enhance_clahe_pixels.cuh"
