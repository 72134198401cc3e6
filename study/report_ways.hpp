// SPDX-License-Identifier: Apache-2.0
/// The ways of an operation's standard work: every method of a table except the
/// reference, on data in the memory of its device and, on a GPU, also on host data. Each is run
/// once and checked: a fast wrong answer is not a result.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "study/report_work.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// A method and the location of its data.
struct WayPlace {
  Backend backend = Backend::cpu;
  std::string method;
  bool transfers = false;

  bool on_device() const { return backend == Backend::cuda && !transfers; }
};

/// A way, ready to run.
struct ReadyWay {
  std::function<void(Stream&)> run;
  std::function<std::string()> wrong;  ///< after a run: "" or how it differs from the reference
};

/// Prepares a way, or throws Error with the reason why there is none.
using PrepareWay = std::function<ReadyWay(const WayPlace&)>;

/// One way, run once; Error(failure) if it is wrong. One that refuses is kept with its reason.
void add_way(ReportWork& work, const std::string& operation, const WayPlace& place,
             const PrepareWay& prepare);

/// All methods of an operation's table.
template <class Methods>
void add_ways(ReportWork& work, const std::string& operation, const Methods& methods,
              const PrepareWay& prepare) {
  for (const auto& method : methods) {
    if (method.name == std::string("reference")) continue;
    add_way(work, operation, {method.backend, method.name, false}, prepare);
    if (method.backend == Backend::cuda)
      add_way(work, operation, {method.backend, method.name, true}, prepare);
  }
}

/// Images that the ways of a work share: on the host, and on the device once a way needs them
/// there.
class ReportImages {
 public:
  ReportImages(std::vector<Image> given, const std::vector<ImageInfo>& made);

  struct Side {
    std::vector<AnyView> given;
    std::vector<AnyMutableView> made;
  };
  const Side& host() const { return host_; }
  const Side& at(const WayPlace& place);  ///< copies images to the device on first use

  /// Every byte that a way is to write becomes 255: NaN for floats, white for bytes.
  void poison(const WayPlace& place);
  void fetch(const WayPlace& place);  ///< the result of a way, to the host

 private:
  std::vector<Image> given_, made_;
  std::unique_ptr<Stream> stream_;  ///< outlives memory borrowed from it
  std::vector<Scratch> memory_;
  Side host_, device_;
};

/// From images, which may be on either side, to a way. `wrong` checks results on the host.
using PlanOnImages = std::function<ReadyWay(const WayPlace&, const ReportImages::Side&)>;
PrepareWay on_images(const std::shared_ptr<ReportImages>& images, PlanOnImages plan);

/// Rows at the top, in the middle and at the bottom: enough to catch a wrong answer if computing
/// all of them by the reference would take minutes.
std::vector<Rows> some_rows(int height);

/// Arithmetic of a complex transform of that many points, as usually counted.
double transform_flops(double points);

}  // namespace tessera
