// SPDX-License-Identifier: Apache-2.0
// Headers that most sources include, read by the compiler once per target. Sources still include
// the headers they use: builds with sanitizers do not use this file.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
