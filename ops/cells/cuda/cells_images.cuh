// SPDX-License-Identifier: Apache-2.0
// All kernels of cells that make images.
#pragma once

#include "ops/cells/cuda/cells_smooth.cuh"
#include "ops/cells/detect/cuda/cells_gicov.cuh"
#include "ops/cells/scene/cuda/cells_drift.cuh"
#include "ops/cells/scene/cuda/cells_fill.cuh"
#include "ops/cells/scene/cuda/cells_still.cuh"
