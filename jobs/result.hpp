// SPDX-License-Identifier: Apache-2.0
/// What every job's result can do: `describe()` for people, `fields()` and with it json_text() for
/// programs. `warnings`, where a result has them, make its exit code that of a partial one.
#pragma once

#include <string>
#include <vector>

#include "jobs/timing.hpp"
#include "report/json.hpp"

namespace tessera {

/// A line each, "note: " before it, after the line they follow.
std::string notes_text(const std::vector<std::string>& notes);

/// "a_bkg.fits and 2 more"; "nothing" of none.
std::string files_text(const std::vector<std::string>& files);

/// "0.12 s, 8.2 Mpixel/s (read 0.04 s, work 0.1 s, write 0.03 s)"; the rate in words.
std::string seconds_text(const StageSeconds& seconds, const std::string& rate);

}  // namespace tessera
