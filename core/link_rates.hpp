// SPDX-License-Identifier: Apache-2.0
/// How fast ordinary host memory travels to a device and back: `auto` weighs copies by it.
///
/// The rates are measured once on a machine, in some milliseconds, and kept in the cache folder
/// (copies.tsv). Every process reads them once, so that a choice is the same in every run; where
/// they cannot be kept, or for a process that may use only some of the cores, the estimates of
/// this_machine() count until `tessera info --measure`. They decide between backends only.
#pragma once

#include <string>

namespace tessera {

struct LinkRates {
  double up = 0, down = 0;  ///< bytes per second, one direction at a time
  bool measured = false;

  std::string describe() const;  ///< "46.1 GB/s to it and 42.0 GB/s back, measured"
};

/// The rates of this process, measured now if the cache folder has none.
const LinkRates& link_rates(int device);
/// The same, but nothing is measured: estimates where the cache folder has none.
LinkRates known_link_rates(int device);
/// Measures again, and keeps the rates for later processes.
void renew_link_rates(int device);

/// The time of these copies.
double link_seconds(int device, double up_bytes, double down_bytes);

/// One line about the rates, once a choice between backends has used them; empty before.
std::string deciding_link_rates();
/// Remembers that a choice was made between host and device.
void note_choice_of_backend(int device);

}  // namespace tessera
