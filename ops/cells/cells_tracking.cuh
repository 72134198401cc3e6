// SPDX-License-Identifier: Apache-2.0
// All kernels of cells that find and follow them.
#pragma once

#include "ops/cells/cells_follow.cuh"
#include "ops/cells/cells_refine.cuh"
