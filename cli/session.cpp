// SPDX-License-Identifier: Apache-2.0
#include "cli/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "tessera/error.hpp"
#include "tessera/printable.hpp"

namespace tessera {

Progress Session::progress() {
  if (reply) return reply->progress;
  if (quiet) return {};
  bar_ = std::make_shared<ProgressBar>(label);
  return [bar = bar_.get()](long long done, long long all) { bar->update(done, all); };
}

Progress Session::progress_in(const std::string& unit) {
  return progress_as([unit](long long done, long long all, double seconds) {
    return fmt::format("{} of {} {}, {:.1f} {}/s", done, all, unit,
                       static_cast<double>(done) / seconds, unit);
  });
}

Progress Session::progress_as(ProgressWords words) {
  if (reply) return reply->progress;
  if (quiet) return {};
  bar_ = std::make_shared<ProgressBar>(label);
  const auto now = std::chrono::steady_clock::now();
  return [bar = bar_.get(), name = label, words = std::move(words), start = now, last = now,
          before = 0LL](long long done, long long all) mutable {
    if (done < before) start = last;  // a second pass over the same data has its own rate
    before = done;
    last = std::chrono::steady_clock::now();
    const std::chrono::duration<double> spent = last - start;
    bar->relabel(name + " " + words(done, all, spent.count()));
    bar->update(done, all);
  };
}

void Session::tell(const std::string& line) {
  if (bar_) bar_->wipe();
  if (quiet || json) return;
  std::fprintf(stdout, "%s\n", printable(line, "\n").c_str());
  std::fflush(stdout);
}

void Session::print(std::string text) {
  bar_.reset();
  if (on_all_ranks && !all_ranks().apart()) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun_;
    text = with_ranks(text, spent.count(), json);
  }
  if (reply) {
    reply->text = text;
    return;
  }
  if (quiet && !json) return;
  std::fprintf(stdout_is_data ? stderr : stdout, "%s\n",
               json ? text.c_str() : printable(text, "\n").c_str());
}

void Session::complain(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) {
    if (reply)
      reply->complaints.push_back(sentence);
    else
      std::fprintf(stderr, "tessera %s: %s\n", label.c_str(), printable(sentence).c_str());
  }
}

void Session::warn(const std::vector<std::string>& sentences) {
  std::vector<std::string> warnings;
  for (const std::string& sentence : sentences) warnings.push_back("warning: " + sentence);
  complain(warnings);
  if (!sentences.empty()) code = static_cast<int>(ErrorKind::partial);
}

}  // namespace tessera
