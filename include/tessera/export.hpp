// SPDX-License-Identifier: Apache-2.0
/// Which symbols a shared build exports. Everything else is hidden.
#pragma once

#define TESSERA_API __attribute__((visibility("default")))
