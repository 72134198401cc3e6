// SPDX-License-Identifier: Apache-2.0
#include "core/node_share.hpp"

namespace tessera {
namespace {

NodeShare& taken() {
  static NodeShare share;
  return share;
}

}  // namespace

void take_share(const NodeShare& share) { taken() = share; }
const NodeShare& node_share() { return taken(); }

}  // namespace tessera
