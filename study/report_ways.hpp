// SPDX-License-Identifier: Apache-2.0
/// How operations make the ways of their standard work: every method of a table but the reference,
/// on data that lie where it runs and, on a device, on data of the host too. Each is run once and
/// looked at: a fast wrong answer is no result.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "study/report_work.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// A method and where its data lie.
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

/// Makes a way ready, or throws Error with why there is none.
using PrepareWay = std::function<ReadyWay(const WayPlace&)>;

/// One way, run once; Error(failure) where it is wrong. One that refuses is there with its reason.
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

/// Images that the ways of a work share: on the host, and on the device once a way wants them
/// there.
class ReportImages {
 public:
  ReportImages(std::vector<Image> given, const std::vector<ImageInfo>& made);

  struct Side {
    std::vector<AnyView> given;
    std::vector<AnyMutableView> made;
  };
  const Side& host() const { return host_; }
  const Side& at(const WayPlace& place);  ///< puts images on the device when first asked for

  /// Every byte that a way is to write becomes 255: NaN of floats, white of bytes.
  void poison(const WayPlace& place);
  void fetch(const WayPlace& place);  ///< what a way made, to the host

 private:
  std::vector<Image> given_, made_;
  std::unique_ptr<Stream> stream_;  ///< outlives what is borrowed from it
  std::vector<Scratch> memory_;
  Side host_, device_;
};

/// From images, which may be on either side, to a way. `wrong` looks at results on the host.
using PlanOnImages = std::function<ReadyWay(const WayPlace&, const ReportImages::Side&)>;
PrepareWay on_images(const std::shared_ptr<ReportImages>& images, PlanOnImages plan);

/// Rows at the top, in the middle and at the bottom: enough to catch a wrong answer where all of
/// them by the reference would take minutes.
std::vector<Rows> some_rows(int height);

/// Arithmetic of a complex transform of so many points, as it is always counted.
double transform_flops(double points);

}  // namespace tessera
