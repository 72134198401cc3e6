// SPDX-License-Identifier: Apache-2.0
/// The tables of RM-CLEAN in the form its kernel reads (faraday_clean_args.cuh), one after the
/// other.
#pragma once

#include <vector>

#include "ops/faraday/clean/cuda/faraday_clean_args.cuh"
#include "ops/faraday/clean/faraday_clean_tables.hpp"

namespace tessera {

template <class Real>
struct CleanDeviceTables {
  int depths, entries;
  double dphi;
  std::vector<Real> numbers = {};
  std::vector<int> half_windows = {};

  void add(const FaradayRmsf& rmsf) {
    const CleanTables<Real> tables(rmsf, depths, dphi);
    const auto begin = numbers.size(), beam = begin + 2 * static_cast<std::size_t>(entries);
    numbers.resize(begin + static_cast<std::size_t>(faraday_table_numbers(entries)));
    for (std::size_t i = 0; i < rmsf.value.size(); ++i) {
      numbers[begin + 2 * i] = tables.re[i];
      numbers[begin + 2 * i + 1] = tables.im[i];
    }
    for (int steps = -tables.reach; steps <= tables.reach; ++steps)
      numbers[beam + static_cast<std::size_t>(depths + steps)] =
          tables.beam[static_cast<std::size_t>(steps + tables.reach)];
    half_windows.push_back(tables.half_window);
  }
};

}  // namespace tessera
