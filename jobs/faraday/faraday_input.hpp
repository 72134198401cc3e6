// SPDX-License-Identifier: Apache-2.0
/// Q and U in the form the sum needs: planes of Q, then planes of U, divided by a model of Stokes I
/// if there is one, NaN at pixels that are not kept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/faraday/faraday_agree.hpp"
#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "jobs/faraday/faraday_model_place.hpp"
#include "jobs/faraday/stokes_list.hpp"
#include "tessera/faraday.hpp"
#include "tessera/image.hpp"

namespace tessera {

struct FaradayFiles {
  std::string q, u;
  std::string model;  ///< of Stokes I, a cube or a list (stokes_list.hpp); "": none
  std::string keep;   ///< pixels at which it is 0 or NaN are left out; "": all are kept
  FaradayAllowed allowed;
};

class FaradayInput : public RowSource {
 public:
  /// Throws Error for cubes that do not belong together. Files that are read whole count for the
  /// memory.
  FaradayInput(const FaradayFiles& files, const ReadOptions& reading, FaradayMemory& memory);

  const FaradayCubeSource& q() const { return *q_; }
  /// Sets the channels' frequencies in hertz, which a model given as a list needs; call it before
  /// the functions below. Throws Error(usage) if the list does not match.
  void set_frequencies(const std::vector<double>& frequencies);
  /// The planes of the model around the frequency that results refer to, and the position between
  /// them.
  void refer_to(const FaradayAxes& axes);

  /// Whether the model differs from pixel to pixel.
  bool has_model_cube() const { return model_ != nullptr; }
  /// The model given as a list, one value per channel; empty: there is none.
  const std::vector<float>& model_list() const { return of_list_; }
  /// The factors by which it multiplies Q and U; after `refer_to`.
  std::vector<double> list_factors() const;

  /// All planes of Q, or of U.
  ImageInfo cube() const { return q_->info(); }
  ImageInfo info() const override;  ///< twice the planes: Q, then U
  void read(Rows rows, AnyMutableView to) override { read(rows, to, {}); }
  /// The same; `noise`, planes of the noise of channels, is divided by the model too.
  void read(Rows rows, AnyMutableView to, AnyMutableView noise);
  std::size_t scratch_bytes_a_row() const;

  /// One byte per channel: whether it has no pixel at which both are finite after division by the
  /// model. Searches each channel until it finds one, from the middle of the image: mosaics are
  /// empty at their edges.
  std::vector<unsigned char> find_dead();

  std::vector<std::string> warnings() const;

 private:
  void look_for_pixels(Rows rows, bool by_plane, std::vector<unsigned char>& dead);
  bool has_model() const { return model_ || list_; }
  AnyView list_view(const Size& size) const;
  void divide_by_model(Rows rows, AnyMutableView q, AnyMutableView u, AnyMutableView noise);
  void leave_out_unkept(Rows rows, AnyMutableView q) const;

  std::unique_ptr<FaradayCubeSource> q_, u_, model_;
  std::optional<StokesList> list_;
  std::vector<float> of_list_;  ///< one value per channel
  Image keep_;
  FaradayModelPlace reference_;  ///< planes of the model
};

}  // namespace tessera
