// SPDX-License-Identifier: Apache-2.0
// All kernels of cells that find and follow them.
#pragma once

#include "ops/cells/detect/cuda/cells_refine.cuh"
#include "ops/cells/follow/cuda/cells_follow.cuh"
