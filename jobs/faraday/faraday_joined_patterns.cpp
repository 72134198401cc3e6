// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_joined_patterns.hpp"

#include <algorithm>
#include <optional>

#include "core/packed_text.hpp"
#include "core/ranks.hpp"

namespace tessera {
namespace {

struct MetBy {
  int rank;
  FaradayMetPattern as;
};

}  // namespace

FaradayJoinedPatterns join_patterns(const std::map<std::string, FaradayMetPattern>& own,
                                    std::size_t most) {
  std::map<std::string, std::vector<MetBy>> met;
  exchange_texts(
      [&, next = own.begin()]() mutable -> std::optional<std::string> {
        if (next == own.end()) return std::nullopt;
        PackedText text;
        text.put(MetBy{ranks().rank(), next->second});
        text.put_bytes(next->first.data(), next->first.size());
        ++next;
        return text.text();
      },
      [&](std::string sent) {
        PackedText text(std::move(sent));
        const auto by = text.take<MetBy>();
        const std::string flags = text.rest();
        if (met.size() <= most || met.contains(flags)) met[flags].push_back(by);
      });
  std::vector<std::pair<long long, const std::string*>> order;
  for (const auto& [flags, all] : met) {
    const auto pixel = [](const MetBy& by) { return by.as.first_pixel; };
    order.emplace_back(std::ranges::min(all, {}, pixel).as.first_pixel, &flags);
  }
  std::ranges::sort(order);
  FaradayJoinedPatterns joined;
  for (const auto& [pixel, flags] : order) {
    joined.flags.push_back(*flags);
    for (const MetBy& by : met[*flags])
      joined.numbers[{by.rank, by.as.number}] = static_cast<int>(joined.flags.size());
  }
  return joined;
}

}  // namespace tessera
