// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/terminal.hpp"
#include "tessera/printable.hpp"

namespace tessera {
namespace {

constexpr double kQuietSeconds = 1.0;   // shorter work needs no bar
constexpr double kRedrawSeconds = 0.1;  // faster flickers and costs time over slow links

std::string clock_text(double seconds) {
  const long long all = std::llround(seconds);
  if (all >= 3600) return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
  return fmt::format("{}:{:02}", all / 60, all % 60);
}

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

std::string progress_line(const std::string& label, double fraction, double seconds_left,
                          int width) {
  fraction = std::clamp(fraction, 0.0, 1.0);
  const std::string head = fmt::format("{} {:3.0f}%", label, 100 * fraction);
  const std::string tail = clock_text(seconds_left) + " left";
  const int space = std::min(40, width - static_cast<int>(head.size() + tail.size()) - 4);
  if (space < 5) return head.substr(0, static_cast<std::size_t>(std::max(width, 0)));
  const int filled = static_cast<int>(fraction * space);
  return fmt::format("{} [{:<{}}] {}", head, std::string(static_cast<std::size_t>(filled), '#'),
                     space, tail);
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::update(long long done, long long all) {
  const auto now = Clock::now();
  const double spent = seconds_between(start_, now);
  if (!terminal_ || done <= 0 || spent < kQuietSeconds) return;
  if (visible_ && seconds_between(drawn_, now) < kRedrawSeconds) return;
  // One column stays free: a full line would wrap on some terminals.
  const int width = terminal_width(STDERR_FILENO) - 1;
  const double fraction = static_cast<double>(done) / static_cast<double>(all);
  const std::string line = all > 0
                               ? progress_line(label_, fraction, spent / fraction - spent, width)
                               : label_.substr(0, static_cast<std::size_t>(std::max(width, 0)));
  std::fprintf(stderr, "\r\033[K%s", printable(line).c_str());
  std::fflush(stderr);
  visible_ = true;
  drawn_ = now;
}

void ProgressBar::wipe() {
  if (!visible_) return;
  visible_ = false;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace tessera
