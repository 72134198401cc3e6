// SPDX-License-Identifier: Apache-2.0
/// Folders and names of files, as plain texts. std::filesystem is not for roads that must survive a
/// lack of memory: libstdc++ 12 then ends the process in directory_iterator with an error_code, and
/// frees what it never had in path's operator/.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// The names in a folder, "." and ".." left out, in no order; what could be read before an error,
/// whose errno goes to `error` (0: none).
std::vector<std::string> names_in(const std::string& folder, int* error = nullptr);

/// The folder a file lies in, "." where its name has none.
std::string folder_of(const std::string& path);

/// What follows the last '/'.
std::string name_in_folder(const std::string& path);

/// "folder/name"; an absolute name stands alone.
std::string joined(const std::string& folder, const std::string& name);

}  // namespace tessera
