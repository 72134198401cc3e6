// SPDX-License-Identifier: Apache-2.0
/// What every job's result can do: `describe()` for people, `fields()` and with it json_text() for
/// programs.
#pragma once

#include "report/json.hpp"
