// SPDX-License-Identifier: Apache-2.0
/// Common to all results of jobs: `describe()` for people, `fields()` and with it json_text() for
/// programs. If a result has `warnings`, its exit code is that of a partial result.
#pragma once

#include <string>
#include <vector>

#include "jobs/timing.hpp"
#include "report/json.hpp"

namespace tessera {

/// Appends one line per note, each beginning with "note: ".
std::string notes_text(const std::vector<std::string>& notes);

/// "a_bkg.fits and 2 more"; "nothing" if the list is empty.
std::string files_text(const std::vector<std::string>& files);

/// "0.12 s, 8.2 Mpixel/s (read 0.04 s, work 0.1 s, write 0.03 s)"; the rate in words.
std::string seconds_text(const StageSeconds& seconds, const std::string& rate);

}  // namespace tessera
