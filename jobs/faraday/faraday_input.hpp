// SPDX-License-Identifier: Apache-2.0
/// Q and U as the sum wants them: planes of Q, then planes of U, divided by a model of Stokes I
/// where there is one, NaN at pixels that are not kept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  std::string keep;   ///< pixels that are 0 or NaN here are left out; "": all are kept
};

class FaradayInput : public RowSource {
 public:
  /// Throws Error for shapes that differ. What is read whole counts for the memory.
  FaradayInput(const FaradayFiles& files, const ReadOptions& reading, FaradayMemory& memory);

  const FaradayCubeSource& q() const { return *q_; }
  /// Of channels, in hertz: what a model that is a list needs, before all that follows. Throws
  /// Error(usage) where it does not fit.
  void set_frequencies(const std::vector<double>& frequencies);
  /// Which planes of the model are about the frequency that results refer to, and how far between.
  void refer_to(const FaradayAxes& axes);

  /// All planes of Q, or as many of U.
  ImageInfo cube() const { return q_->info(); }
  ImageInfo info() const override;  ///< twice as many planes
  void read(Rows rows, AnyMutableView to) override;
  std::size_t scratch_bytes_a_row() const;

  /// Channels without a single pixel at which both are finite, divided by the model where there is
  /// one, as one byte each. Looks at a channel until it finds one, from the middle of the image on:
  /// mosaics are empty at their edges.
  std::vector<unsigned char> find_dead();

  std::vector<std::string> warnings() const;

 private:
  void look_for_pixels(Rows rows, bool by_plane, std::vector<unsigned char>& dead);
  bool has_model() const { return model_ || list_; }
  AnyView list_view(const Size& size) const;
  void divide_by_model(Rows rows, AnyMutableView q, AnyMutableView u);
  void leave_out_unkept(Rows rows, AnyMutableView q) const;

  std::unique_ptr<FaradayCubeSource> q_, u_, model_;
  std::optional<StokesList> list_;
  std::vector<float> of_list_;  ///< a value a channel
  Image keep_;
  FaradayModelPlace reference_;  ///< planes of the model
};

}  // namespace tessera
