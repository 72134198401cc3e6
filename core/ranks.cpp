// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "tessera/error.hpp"

namespace tessera {
namespace {

// Never destroyed: MPI may end the process from within one of its calls.
std::unique_ptr<Ranks>& launched() {
  static auto& ranks = *new std::unique_ptr<Ranks>;
  return ranks;
}

thread_local bool shared = false;
thread_local Ranks* of_thread = nullptr;

/// Texts as one, and back: each is preceded by its length.
std::string one_text(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += std::to_string(text.size()) + ":" + text;
  return all;
}

std::vector<std::string> split(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t colon = all.find(':', at);
    const std::size_t length = std::stoull(all.substr(at, colon - at));
    texts.push_back(all.substr(colon + 1, length));
    at = colon + 1 + length;
  }
  return texts;
}

}  // namespace

Ranks& all_ranks() {
  static Ranks alone;
  if (of_thread) return *of_thread;
  return launched() ? *launched() : alone;
}

void use_ranks(std::unique_ptr<Ranks> ranks) { launched() = std::move(ranks); }

Ranks& ranks() {
  thread_local Ranks alone;
  return shared ? all_ranks() : alone;
}

RanksOfThread::RanksOfThread(Ranks& ranks) : outer_(std::exchange(of_thread, &ranks)) {}
RanksOfThread::~RanksOfThread() { of_thread = outer_; }

SharedRun::SharedRun(bool on) : outer_(std::exchange(shared, on)) {}
SharedRun::~SharedRun() { shared = outer_; }

bool is_part() { return ranks().apart() && !ranks().first(); }

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

// "+text", or "-2 sentence" with the kind of the error.
std::string told_by_first(const std::function<std::string()>& make) {
  if (ranks().count() == 1 || ranks().apart()) return make();
  if (ranks().first()) {
    try {
      const std::string text = make();
      ranks().told("+" + text);
      return text;
    } catch (const Error& error) {
      ranks().told("-" + std::to_string(static_cast<int>(error.kind())) + " " + error.what());
      throw;
    }
  }
  const std::string text = ranks().told("");
  if (text.starts_with('+')) return text.substr(1);
  const std::size_t space = text.find(' ');
  throw Error(ErrorKind{std::stoi(text.substr(1, space))}, text.substr(space + 1));
}

long long sum_of_ranks(long long number) {
  if (ranks().count() == 1) return number;
  long long sum = 0;
  for (const std::string& text : ranks().gathered(std::to_string(number))) sum += std::stoll(text);
  return sum;
}

void exchange_texts(const std::function<std::optional<std::string>()>& next,
                    const std::function<void(std::string)>& take, std::size_t round_bytes) {
  const std::size_t most = ranks().apart()  // which must all have one round
                               ? std::numeric_limits<std::size_t>::max()
                               : round_bytes / static_cast<std::size_t>(ranks().count());
  std::optional<std::string> text = next();
  for (bool more = true; more;) {
    std::vector<std::string> round;
    for (std::size_t bytes = 0; text && bytes < most; text = next()) {
      bytes += text->size();
      round.push_back(std::move(*text));
    }
    more = false;
    for (const std::string& of_rank : ranks().gathered((text ? "+" : "-") + one_text(round))) {
      more = more || of_rank.starts_with('+');
      for (std::string& one : split(of_rank.substr(1))) take(std::move(one));
    }
  }
}

std::vector<std::string> texts_of_ranks(const std::vector<std::string>& texts) {
  if (ranks().count() == 1) return texts;
  std::vector<std::string> all;
  for (const std::string& of_rank : ranks().gathered(one_text(texts)))
    for (std::string& text : split(of_rank))
      if (std::ranges::count(all, text) == 0) all.push_back(std::move(text));
  return all;
}

}  // namespace tessera
