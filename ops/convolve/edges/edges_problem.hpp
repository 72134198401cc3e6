// SPDX-License-Identifier: Apache-2.0
/// What the methods of edges see: the checked problem.
#pragma once

#include <memory>
#include <vector>

#include "core/choice.hpp"
#include "core/plan_impl.hpp"
#include "tessera/convolve.hpp"
#include "tessera/edges.hpp"

namespace tessera {

struct EdgesProblem {
  ImageInfo image, output;
  Image x, y;  ///< weights of the same size
  Border border = Border::reflect;
  double constant = 0, scale = 1;
  Type sums = Type::f32;  ///< of the derivatives: f32 or f64
  int device = 0;         ///< for methods on a device, of which there are none

  /// Convolve's rows: the filters have its anchor.
  Rows needs(Rows out) const {
    const int height = x.info().size.height;
    const int above = border == Border::valid ? 0 : height / 2;
    return {out.first - above, out.end - above + height - 1};
  }
  /// The plan of one derivative.
  Convolve derivative(const Image& weights, Type type, const char* method) const {
    return {image,
            weights.view(),
            {.border = border,
             .constant = constant,
             .output_type = type,
             .backend = Backend::cpu,
             .method = method}};
  }
};

using EdgesMethod = Method<EdgesProblem, RowsRunner>;
const std::vector<EdgesMethod>& edges_methods();

std::unique_ptr<const RowsRunner> make_edges_reference(const EdgesProblem&);
std::unique_ptr<const RowsRunner> make_edges_pair(const EdgesProblem&);

}  // namespace tessera
