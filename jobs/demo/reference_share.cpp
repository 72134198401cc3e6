// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/reference_share.hpp"

#include <limits>

#include "jobs/read_result.hpp"
#include "jobs/reference_check.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Exact operations allow no error at all.
double share_of(const ReferenceCheck& check) {
  if (check.max_error == 0) return 0;
  return check.bound > 0 ? check.max_error / check.bound : std::numeric_limits<double>::infinity();
}

}  // namespace

ReferenceShare reference_share(const Json& said) {
  if (!said.is_object() || !said.contains("check") || said["check"].is_null())
    throw Error(ErrorKind::failure,
                "demo: a command did not compare its result with the reference; it needs --check");
  ReferenceCheck check;
  read_value("check", said["check"], check);
  const double share = share_of(check);
  return {check.rows, check.all_rows, share,
          check.rows > 0 && check.disagreement.empty() && share <= 1};
}

}  // namespace tessera
