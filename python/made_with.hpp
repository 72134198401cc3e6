// SPDX-License-Identifier: Apache-2.0
/// Plans can be pickled: what comes back is made again, with the same arguments.
#pragma once

#include <nanobind/nanobind.h>

#include "python/arrays.hpp"
#include "python/filter_argument.hpp"

namespace tessera::python {

/// The arguments that a plan was made with.
class MadeWith {
 public:
  void remember(const nb::object& positional, const nb::kwargs& keywords) {
    positional_ = nb::tuple(positional);
    keywords_ = nb::borrow<nb::kwargs>(keywords.attr("copy")());
  }
  /// For pickle: a function of the positional arguments, and those.
  nb::tuple reduced(nb::handle plan) const {
    const nb::object partial = nb::module_::import_("functools").attr("partial");
    return nb::make_tuple(partial(plan.type(), **keywords_), positional_);
  }

 private:
  nb::tuple positional_;
  nb::kwargs keywords_;
};

/// The arguments that all plans for arrays have.
inline nb::tuple made_for(const Array& like) {
  return nb::make_tuple(to_tuple(like.shape), nb::str(dtype_name(like.items)));
}

/// Weights as they are now: names stay names, arrays are copied.
inline nb::object kept_weights(const std::string& what, nb::handle weights) {
  if (weights.is_none() || nb::isinstance<nb::str>(weights)) return nb::borrow(weights);
  const int axes = nb::cast<int>(numpy("ndim")(weights));
  const nb::object kept = to_numpy(filter_argument(what, weights, axes));
  return axes == 3 ? kept.attr("reshape")(numpy("shape")(weights)) : kept;
}

template <class Class>
void add_pickling(nb::class_<Class>& bound) {
  bound.def(
      "__reduce__", [](nb::handle self) { return nb::cast<const Class&>(self).reduced(self); },
      nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
}

}  // namespace tessera::python
