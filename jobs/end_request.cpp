// SPDX-License-Identifier: Apache-2.0
#include "jobs/end_request.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tessera {

EndRequest::EndRequest(std::function<void()> arm)
    : arm_(std::move(arm)), event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd") {
  if (event_.descriptor() < 0)
    throw system_error(ErrorKind::resources, event_.path(), "cannot be made", errno);
}

void EndRequest::ask() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(event_.descriptor(), &one, sizeof one);
}

bool EndRequest::wait_for(int descriptor, double seconds) const {
  constexpr double kMostMilliseconds = 1e9;
  // poll ignores the entry of a negative descriptor.
  pollfd entries[] = {{event_.descriptor(), POLLIN, 0}, {descriptor, POLLIN, 0}};
  const double milliseconds = std::ceil(std::clamp(1000 * seconds, 0.0, kMostMilliseconds));
  // An interrupted call returns early: all callers wait again.
  ::poll(entries, 2, static_cast<int>(milliseconds));
  return (entries[0].revents & POLLIN) != 0;
}

}  // namespace tessera
