// SPDX-License-Identifier: Apache-2.0
/// A study repeats how a program became fast: the same case, solved again and again, each rung one
/// step faster than the one below. A rung is one row over a prepared case:
///
///     const Rung<ConvolveCase> r01{"1", "naive", {"ops/convolve/study/r01_"}, prepare_naive};
///
/// One loop tests each rung, one times it (study_loops.hpp), one prints (study_result.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tessera/stream.hpp"

namespace tessera {

/// A rung, ready for one case.
struct PreparedRung {
  std::string absent;                ///< why it cannot run here; then nothing else is valid
  std::function<void(Stream&)> run;  ///< enqueues all of its work
  int truth = 0;                     ///< which of the case's results it makes
  double bound = 0;                  ///< the error it may make; 0: the case's own
  double flops = 0;
  double bytes = 0;      ///< that every method must move; 0: unknown
  double intensity = 0;  ///< flop per byte of device memory, by the rung's own tiles; 0: unknown
  int block_x = 0, block_y = 0, tiles = 0, registers = 0, shared_bytes = 0;  ///< 0: not known
};

template <class Case>
struct Rung {
  std::string id, title;
  std::vector<std::string> files;  ///< beginnings of the names of its files, for its lines of code
  std::function<PreparedRung(const Case&, Stream&)> prepare;
  bool threaded = false;  ///< its work is shared among the threads of its stream
  int threads = 0;        ///< it runs on that many; 0: on one or on all
};

}  // namespace tessera
