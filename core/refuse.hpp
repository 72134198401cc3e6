// SPDX-License-Identifier: Apache-2.0
/// The two kinds of refusal, in the form of every message: "who: what is wrong; what would be
/// right".
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// Throws Error(usage) "who: sentence": options or shapes that do not fit. `who` is an operation,
/// or the path of an output that cannot be written as asked.
[[noreturn]] void refuse(std::string_view who, std::string_view sentence);

/// Throws Error(input) "file: sentence": a file that is unreadable, contradictory or not supported.
[[noreturn]] void refuse_input(std::string_view file, std::string_view sentence);

}  // namespace tessera
