// SPDX-License-Identifier: Apache-2.0
/// For rooms that change what a new plan would be.
#pragma once

namespace tessera {

/// Forgets all kept plans: knobs or tables have changed.
void forget_kept_plans();

}  // namespace tessera
