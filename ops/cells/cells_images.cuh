// SPDX-License-Identifier: Apache-2.0
// All kernels of cells that make images.
#pragma once

#include "ops/cells/cells_drift.cuh"
#include "ops/cells/cells_gicov.cuh"
#include "ops/cells/cells_smooth.cuh"
#include "ops/cells/cells_still.cuh"
