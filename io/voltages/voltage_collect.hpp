// SPDX-License-Identifier: Apache-2.0
/// The base of all sinks of voltages: turns blocks of any length into blocks of the format's
/// length.
#pragma once

#include <vector>

#include "io/output.hpp"
#include "io/voltages/voltage_order.hpp"
#include "io/voltages/voltage_write.hpp"

namespace tessera {

class CollectingSink : public VoltageSink {
 public:
  CollectingSink(const std::string& path, bool force) : path_(path), output_(path, force) {}

  void begin(const VoltageInfo& info) final;
  void write(const VoltageBlock& block) final;
  void finish() final;

 protected:
  /// Samples [time][channel][antenna][pol] in two's complement, with the real part of ci4 in the
  /// high half; and one byte per [time][input] that says whether it is valid.
  struct Collected {
    const unsigned char* samples = nullptr;
    const unsigned char* valid = nullptr;
    long long first = 0, count = 0;  ///< in time
  };
  /// Checks the info; returns how many samples in time `store` takes at once.
  virtual long long prepare() = 0;
  /// Stores the number of samples that `prepare` returned; the last block may have fewer.
  virtual void store(const Collected& collected) = 0;
  /// After the last block; the file is put in its place afterwards.
  virtual void close() {}

  const std::string& path() const { return path_; }
  const VoltageInfo& info() const { return info_; }
  const VoltageOrder& order() const { return order_; }  ///< of the collected samples
  long long length() const { return stored_; }          ///< samples stored so far
  void append(const void* bytes, long long count);
  /// As they are, or the real parts of real samples.
  void append_samples(const Collected& collected);
  void write_at(long long offset, const void* bytes, long long count);
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  void store_some(long long count);

  std::string path_;
  Output output_;
  VoltageInfo info_;
  VoltageOrder order_;
  long long at_once_ = 0, offset_ = 0, stored_ = 0, waiting_ = 0;
  std::vector<unsigned char> samples_, valid_, real_;
};

/// Middle and width in hertz (negative if they descend) of a band of adjacent channels; false if
/// frequencies are not known. Throws Error(usage) if they are not evenly spaced.
bool find_band(const std::string& path, const VoltageInfo& info, double& centre, double& width);

/// "18:10:37.28" of degrees, divided by 15 for hours.
std::string sexagesimal(double degrees, bool hours);

std::unique_ptr<VoltageSink> create_guppi(const std::string& path, bool force);
std::unique_ptr<VoltageSink> create_dada(const std::string& path, bool force);
std::unique_ptr<VoltageSink> create_vdif(const std::string& path, bool force);
std::unique_ptr<VoltageSink> create_voltage_npy(const std::string& path, bool force);
std::unique_ptr<VoltageSink> create_voltage_raw(const std::string& path, bool force);

}  // namespace tessera
