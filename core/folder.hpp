// SPDX-License-Identifier: Apache-2.0
/// Folders and file names as plain texts. std::filesystem is not for code that must survive a
/// lack of memory: libstdc++ 12 then ends the process in directory_iterator with an error_code, and
/// frees memory it never had in path's operator/.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// The names in a folder, without "." and "..", in no particular order; those read before an error,
/// whose errno goes to `error` (0: none).
std::vector<std::string> names_in(const std::string& folder, int* error = nullptr);
/// The same for a folder that is held open (O_PATH is enough).
std::vector<std::string> names_in(int folder, int* error = nullptr);

/// Never throw, unlike std::filesystem's, which do so for texts that are too long for a name.
bool path_exists(const std::string& path);
bool is_regular_file(const std::string& path);
/// A symbolic link, wherever it leads.
bool is_link(const std::string& path);

/// The folder of a file, "." if its name has none.
std::string folder_of(const std::string& path);

/// The part after the last '/'.
std::string name_in_folder(const std::string& path);

/// "folder/name"; an absolute name replaces both.
std::string joined(const std::string& folder, const std::string& name);

}  // namespace tessera
