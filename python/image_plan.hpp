// SPDX-License-Identifier: Apache-2.0
/// A plan of the library over Python arrays, for operations that turn an image into an image.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <functional>
#include <string>
#include <utility>

#include "python/arrays.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "python/plans_by_key.hpp"
#include "tessera/error.hpp"

namespace tessera::python {

/// How an operation treats channels: as separate images, or as colours that it takes together.
enum class Channels { apart, colours };

/// The library's plans are for one layout and device; this one takes every array of its shape and
/// type and makes the plan a layout needs when it first meets it. Threads may share it.
template <class Plan>
class ImagePlan {
 public:
  using Make = std::function<Plan(const ImageInfo&)>;

  /// `like`: an array such as is expected; its plan is made now, so that errors come now. If
  /// channels are colours and the result has only one, the result lacks their axis.
  ImagePlan(const std::string& operation, const Array& like, const RunOptions& run, Make make,
            Channels channels = Channels::apart)
      : channels_(channels),
        image_name_(operation + ": image"),
        result_name_(operation + ": out"),
        shape_(like.shape),
        type_(like.type),
        run_(run),
        axes_(find_axes(image_name_, shape_, run.channel_axis, run.batch_axis)),
        make_(std::move(make)) {
    const Layout layout =
        channels_ == Channels::apart ? common_layout(like, like, axes_) : Layout::adjacent;
    const ImageInfo output = plan_for(layout, like.device).output();
    result_shape_ = shape_;
    result_axes_ = axes_;
    result_shape_[axes_.row] = output.size.height;
    result_shape_[axes_.column] = output.size.width;
    result_type_ = output.type;
    if (channels_ == Channels::colours && axes_.channel) set_channels(output.size.channels);
  }

  nb::object operator()(const Array& image, nb::handle out) {
    check_array(image_name_, image, shape_, type_);
    const Array result = out.is_none()
                             ? make_result(image)
                             : result_array(result_name_, out, image, result_shape_, result_type_);
    if (channels_ == Channels::colours) return run_colours(image, result);
    const Layout layout = common_layout(image, result, axes_);
    const Plan plan = plan_for(layout, image.device);
    if (layout != Layout::image_by_image) {
      run_layout(image, result, layout, plan);
      return result.object;
    }
    for (long long i = 0; i < shape_[*axes_.batch]; ++i)
      run_layout(only_image(image, axes_, i), only_image(result, axes_, i), layout, plan);
    return result.object;
  }

  nb::object operator()(nb::handle image, nb::handle out) {
    return (*this)(look_at(image, image_name_), out);
  }

  const Shape& output_shape() const { return result_shape_; }

  /// One line per layout and device met so far.
  std::string describe() const { return plans_.describe(); }

 private:
  Plan plan_for(Layout layout, int device) {
    return plans_.get({layout, device}, [&] {
      Shape shape = shape_;
      if (layout == Layout::image_by_image) shape[*axes_.batch] = 1;
      return make_({size_of(image_name_, shape, axes_, layout != Layout::adjacent), type_, device});
    });
  }

  void run_layout(const Array& image, const Array& result, Layout layout, const Plan& plan) const {
    const bool planar = layout != Layout::adjacent;
    run(image, result, {view_of(image_name_, image, axes_, planar)},
        {view_of(result_name_, result, axes_, planar)}, plan);
  }

  void set_channels(int channels) {
    const int axis = *axes_.channel;
    if (channels > 1 || shape_[axis] == 1) {
      result_shape_[axis] = channels;
      return;
    }
    result_shape_.erase(result_shape_.begin() + axis);
    const auto moved = [axis](int other) { return other - (other > axis ? 1 : 0); };
    result_axes_ = {moved(axes_.row), moved(axes_.column), std::nullopt, std::nullopt};
    if (axes_.batch) result_axes_.batch = moved(*axes_.batch);
  }

  Array make_result(const Array& image) const {
    if (channels_ == Channels::apart) return make_like(image, result_shape_, result_type_);
    return make_with_channels_adjacent(image, result_shape_, result_type_, result_axes_);
  }

  // Colours are samples of a pixel, side by side.
  nb::object run_colours(const Array& image, const Array& result) {
    if (!channels_adjacent(result, result_axes_))
      throw Error(ErrorKind::usage,
                  result_name_ +
                      " must have its channels side by side: the last axis of a packed "
                      "array, or leave it out");
    Axes axes = axes_;
    const Array adjacent = with_channels_last(image_name_, image, axes);
    run(adjacent, result, {view_of(image_name_, adjacent, axes, false)},
        {view_of(result_name_, result, result_axes_, false)},
        plan_for(Layout::adjacent, image.device));
    return result.object;
  }

  void run(const Array& image, const Array& result, const Piece& from, const MutablePiece& to,
           const Plan& plan) const {
    if (image.device != kHost) return enqueue(image, result, from, to, plan);
    const LongCall unlocked;
    if (run_.threads == 0 && run_.memory_limit == 0) return plan(from.view, to.view);
    Stream stream(plan.device(), run_.threads, run_.memory_bytes());
    call(plan, from, to, stream);
    stream.wait();
  }

  // As a whole image if the plan has such a call: it may do more than the call for some rows.
  static void call(const Plan& plan, const Piece& from, const MutablePiece& to, Stream& stream) {
    if constexpr (requires { plan(from.view, to.view, stream); })
      plan(from.view, to.view, stream);
    else
      plan(from, to, stream);
  }

  // On the stream of the image's library; waits only where the caller could not know that stream.
  void enqueue(const Array& image, const Array& result, const Piece& from, const MutablePiece& to,
               const Plan& plan) const {
    Stream stream = library_stream(image);
    const bool same_library = image.library == result.library && image.library != Library::other;
    if (!same_library) stream.after(library_stream(result));
    const LongCall unlocked;
    call(plan, from, to, stream);
    if (!same_library) stream.wait();
  }

  Channels channels_;
  std::string image_name_, result_name_;
  Shape shape_, result_shape_;
  Type type_, result_type_ = Type::f32;
  RunOptions run_;
  Axes axes_, result_axes_;
  Make make_;
  KeptPlans<Plan, std::pair<Layout, int>> plans_;  ///< by layout and device
};

/// The methods of every plan class: __call__, describe and output_shape.
template <class Class>
void add_calls(nb::class_<Class>& bound) {
  using namespace nb::literals;
  bound
      .def(
          "__call__",
          [](Class& self, nb::handle image, nb::handle out) { return self(image, out); }, "image"_a,
          "out"_a = nb::none(),
          nb::sig("def __call__(self, image: typing.Any, out: typing.Any = None) -> typing.Any"))
      .def("describe", &Class::describe, "The methods that run, one line per layout met so far.")
      .def_prop_ro(
          "output_shape", [](const Class& self) { return to_tuple(self.output_shape()); },
          nb::sig("def output_shape(self) -> tuple[int, ...]"));
}

}  // namespace tessera::python
