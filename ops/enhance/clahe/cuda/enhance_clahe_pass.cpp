// SPDX-License-Identifier: Apache-2.0
// Adaptive equalisation as a pass: over a whole image with all its sweeps, or over rows after the
// sweeps.
#include "ops/enhance/clahe/cuda/enhance_clahe_cuda.hpp"
#include "ops/enhance/cuda/enhance_pass.hpp"
#include "ops/enhance/cuda/enhance_tables_cuda.hpp"

namespace tessera {
namespace {

class ClahePass : public EnhancePassCuda {
 public:
  ClahePass(const EnhanceProblem& p, const EnhancePass& pass)
      : EnhancePassCuda(p, pass), clahe_(p, p.stages[stage()]) {}

  std::string describe() const override { return "clahe"; }

  void launch(const Piece& in, Rows rows, const MutablePiece* out, const EnhanceTables& tables,
              Stream& stream) const override {
    const MutablePiece to = rows_of(*out, rows);
    if (tables.known())
      clahe_.make(tables.known()->findings[stage()], in, to, stream);
    else
      clahe_.run(in.view, to.view, stream);
  }

 private:
  std::size_t stage() const { return static_cast<std::size_t>(pass().clahe); }

  ClaheCuda clahe_;
};

}  // namespace

EnhancePassPointer make_clahe_pass(const EnhanceProblem& p, const EnhancePass& pass) {
  return std::make_unique<ClahePass>(p, pass);
}

}  // namespace tessera
