// SPDX-License-Identifier: Apache-2.0
// Weights that are not whole numbers, on a GPU: a filter of convolve for the colours; alpha is
// kept.
#include "ops/enhance/cuda/enhance_pass.hpp"
#include "ops/enhance/cuda/enhance_tables_cuda.hpp"
#include "tessera/convolve.hpp"

namespace tessera {
namespace {

ImageInfo colours_on_device(const EnhanceProblem& p, const EnhancePass& pass) {
  ImageInfo info = pass.in;
  info.size.channels = colours_of(pass.in);
  info.device = p.device;
  return info;
}

class FloatPass : public EnhancePassCuda {
 public:
  FloatPass(const EnhanceProblem& p, const EnhancePass& pass)
      : EnhancePassCuda(p, pass),
        copy_(make_point_pass(p, {.in = pass.in, .out = pass.out})),
        plan_(colours_on_device(p, pass), p.smoothing.filter.view(),
              {.border = Border::inside, .backend = Backend::cuda, .method = "direct"}) {}

  std::string describe() const override { return plan_.describe(); }

  void launch(const Piece& in, Rows rows, const MutablePiece* out, const EnhanceTables& tables,
              Stream& stream) const override {
    const int colours = colours_of(pass().in);
    if (colours < pass().in.size.channels) copy_->launch(in, rows, out, tables, stream);
    Piece from = in;
    MutablePiece to = rows_of(*out, rows);
    from.view.size.channels = to.view.size.channels = colours;
    plan_(from, to, stream);
  }

 private:
  EnhancePassPointer copy_;
  Convolve plan_;
};

}  // namespace

EnhancePassPointer make_float_pass(const EnhanceProblem& p, const EnhancePass& pass) {
  return std::make_unique<FloatPass>(p, pass);
}

}  // namespace tessera
