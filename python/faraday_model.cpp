// SPDX-License-Identifier: Apache-2.0
#include "python/faraday_model.hpp"

#include <nanobind/stl/string.h>

#include "jobs/faraday/faraday_model_place.hpp"
#include "python/array_checks.hpp"
#include "python/faraday_arrays.hpp"
#include "python/long_call.hpp"
#include "tessera/error.hpp"

namespace tessera::python {

using namespace nb::literals;

const char* library_of(const Array& array) {
  if (array.library == Library::torch) return "torch";
  if (array.library == Library::cupy) return "cupy";
  if (array.device == kHost) return "numpy";
  throw nb::type_error("faraday_synth: arrays on a device must be CuPy's or torch's");
}

namespace {

/// NumPy warns of divisions by zero, which flags are made of here.
class QuietNumpy {
 public:
  QuietNumpy()
      : state_(nb::module_::import_("numpy").attr("errstate")("divide"_a = "ignore",
                                                              "invalid"_a = "ignore")) {
    state_.attr("__enter__")();
  }
  ~QuietNumpy() { state_.attr("__exit__")(nb::none(), nb::none(), nb::none()); }
  QuietNumpy(const QuietNumpy&) = delete;
  QuietNumpy& operator=(const QuietNumpy&) = delete;

 private:
  nb::object state_;
};

int front(const Array& array, int axis) {
  return axis < 0 ? axis + static_cast<int>(array.shape.size()) : axis;
}

}  // namespace

std::vector<unsigned char> dead_channels(const Array& q, const Array& u, int axis) {
  if (q.device == kHost) {
    const AnyView q_view = cube_view("faraday_synth: q", q, axis),
                  u_view = cube_view("faraday_synth: u", u, axis);
    const LongCall unlocked;
    return find_dead_channels(q_view, u_view);
  }
  const nb::module_ library = nb::module_::import_(library_of(q));
  const nb::object finite = library.attr("isfinite");
  nb::object good = library.attr("logical_and")(finite(q.object), finite(u.object));
  good = library.attr("moveaxis")(good, axis, 0).attr("reshape")(q.shape[front(q, axis)], -1);
  std::vector<unsigned char> dead;
  for (nb::handle any : nb::list(good.attr("any")(1).attr("tolist")()))
    dead.push_back(!nb::cast<bool>(any));
  return dead;
}

StokesModel::StokesModel(nb::handle model, const Array& q, int axis) : axis_(front(q, axis)) {
  refuse_mask("faraday_synth: model", model);
  const char* library = library_of(q);
  const nb::module_ owner = nb::module_::import_(library);
  const nb::object dtype = q.object.attr("dtype");
  model_ = q.library == Library::torch
               ? owner.attr("as_tensor")(model, "dtype"_a = dtype,
                                         "device"_a = nb::getattr(q.object, "device"))
               : owner.attr("asarray")(model, "dtype"_a = dtype);
  const Array array = look_at(model_, "faraday_synth: model");
  const Shape spectrum{q.shape[axis_]};
  if (array.shape != spectrum && array.shape != q.shape)
    throw Error(ErrorKind::usage, "faraday_synth: model is " + shape_text(array.shape) +
                                      "; it must be " + shape_text(spectrum) + " or as q " +
                                      shape_text(q.shape));
  per_channel_ = array.shape == spectrum;
  if (!per_channel_) return;
  Shape wide(q.shape.size(), 1);
  wide[axis_] = q.shape[axis_];
  model_ = model_.attr("reshape")(to_tuple(wide));
}

nb::object StokesModel::divide(nb::handle q) const {
  const QuietNumpy quiet;
  return nb::borrow(q) / model_;
}

nb::object StokesModel::channel(int k) const {
  nb::list index;
  for (int i = 0; i < axis_; ++i) index.append(nb::slice(nb::none(), nb::none(), nb::none()));
  index.append(nb::slice(Py_ssize_t{k}, Py_ssize_t{k} + 1, Py_ssize_t{1}));
  return model_[nb::tuple(index)];
}

nb::object StokesModel::divide_noise(nb::handle sigma) const {
  const QuietNumpy quiet;
  return nb::borrow(sigma) / model_.attr("__abs__")();
}

nb::object StokesModel::at_reference(const FaradayAxes& axes) const {
  const FaradayModelPlace place = faraday_model_place(axes);
  return channel(place.low) * nb::float_(1 - place.share) +
         channel(place.high) * nb::float_(place.share);
}

void StokesModel::multiply(nb::object spectra, const FaradayAxes& axes) const {
  spectra *= at_reference(axes);
}

nb::object StokesModel::times_noise(nb::handle noise, const FaradayAxes& axes) const {
  return nb::borrow(noise) * at_reference(axes).attr("__abs__")().attr("squeeze")(axis_);
}

}  // namespace tessera::python
