// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/own_channels.hpp"

namespace tessera {

OwnChannels::OwnChannels(VoltageSource& source, Rows channels)
    : source_(source), info_(source.info()), first_(channels.first) {
  if (channels.count() == info_.shape.channels) return;
  source.want_channels(channels.first, channels.count());
  info_.shape.channels = channels.count();
  if (!info_.frequency.empty())
    info_.frequency = {info_.frequency.begin() + channels.first,
                       info_.frequency.begin() + channels.end};
}

VoltageBlock OwnChannels::read(long long most) {
  VoltageBlock block = source_.read(most);
  if (block.samples > 0)
    block.data = static_cast<const unsigned char*>(block.data) + block.layout.channel * first_;
  return block;
}

}  // namespace tessera
