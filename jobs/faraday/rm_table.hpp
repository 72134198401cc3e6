// SPDX-License-Identifier: Apache-2.0
/// The columns of RMTable, the standard for catalogues of rotation measures, version 1.3 (Van Eck
/// et al. 2023): names, units and the values that stand for nothing.
#pragma once

#include "io/data_table.hpp"

namespace tessera {

/// All columns in the standard's order, filled with blanks: NaN, "", or a word of the standard
/// where an empty text would be taken for a number that is missing. Ncomp is 1, Nchan 0.
Table blank_rm_table(long long rows);

/// The column of this name; it must exist.
TableColumn& rm_column(Table& table, const char* name);

}  // namespace tessera
