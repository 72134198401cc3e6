// SPDX-License-Identifier: Apache-2.0
/// The talk's problem: 300 channels of an image become spectra of 401 Faraday depths. Numbers are
/// single or double, on the host or on a device, in planes or as in the talk.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "study/rung.hpp"
#include "tessera/faraday.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// `planes`: Q, then U, one plane per channel; real parts, then imaginary ones, one plane per
/// depth. `pixels`: complex values, the channels of a pixel side by side, and likewise its depths.
enum class FaradayForm : int { planes, pixels };

/// Memory of one form, type and place: the input of a rung, and its output.
struct FaradayRoom {
  Type type = Type::f32;
  FaradayForm form = FaradayForm::planes;
  bool on_device = false;
  void *given = nullptr, *made = nullptr;  ///< where the rung runs
  AnyView q, u;                            ///< views of them
  AnyMutableView real, imaginary;
  AnyMutableView host_given, host_made;  ///< the same on the host, as plain rows of numbers
  std::vector<Scratch> memory;
};

class FaradayCase {
 public:
  /// `side` by `side` pixels. With a device, host memory is page-locked.
  FaradayCase(int side, Stream* device, int channels = 300, int depths = 401);

  std::string name() const;
  const FaradayAxes& axes() const { return axes_; }
  int side() const { return q_.info().size.width; }
  int pixels() const { return side() * side(); }
  double flops() const { return 8.0 * axes_.channels() * axes_.depths() * pixels(); }
  /// Bytes that must move: everything read and written once.
  double bytes(Type type) const;
  /// exp(-2 i phi_p d_k) w_k / sum of w, [depths][channels].
  const std::vector<std::complex<double>>& turns() const { return turns_; }

  /// Filled with the data; only one is kept, so that a rung's is gone when the next is prepared.
  const FaradayRoom& room(Type type, FaradayForm form, bool on_device, Stream& stream) const;

  /// Fills the output of the rung with NaN.
  void poison(const PreparedRung& rung, Stream& stream) const;
  /// The first value that differs from the reference at every seventh pixel across and down, or
  /// that is not finite at any pixel; "" if there is none.
  std::string disagreement(const PreparedRung& rung, Stream& stream) const;

 private:
  void make_truth();
  FaradayRoom made_room(Type type, FaradayForm form, bool on_device, Stream& stream) const;
  std::string wrong_value(AnyView real, AnyView imaginary, double bound) const;

  Stream* device_;
  FaradayAxes axes_;
  Image q_, u_;  ///< f32: the same values in all types
  std::vector<std::complex<double>> turns_;
  Image real_, imaginary_;     ///< of every seventh pixel, by the reference, f64
  std::vector<double> means_;  ///< of |Q + i U| there
  mutable std::unique_ptr<FaradayRoom> room_;
};

}  // namespace tessera
