// SPDX-License-Identifier: Apache-2.0
// All kernels that find and follow cells.
#pragma once

#include "ops/cells/detect/cuda/cells_refine.cuh"
#include "ops/cells/follow/cuda/cells_follow.cuh"
