// SPDX-License-Identifier: Apache-2.0
/// Self-contained web pages: templates are embedded in the library, and everything they show is
/// put into them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/embedded.hpp"

namespace tessera {

/// report/*.html, *.css and *.js by the names of their files; made by cmake/embed.cmake.
std::vector<EmbeddedText> embedded_pages();

/// One of them; throws Error(failure) if there is none of that name.
std::string_view page_text(std::string_view name);

/// The beginning of all pages, with the names title and style.
inline constexpr std::string_view kPageHead = "page_head.html";

/// Users' text between tags or quotes: nothing in it is markup.
std::string html_text(std::string_view text);

/// JSON inside a <script>: nothing in it ends the script or begins a comment.
std::string script_json(std::string json);

/// A page's text in order: `write` gets its parts, `fill` is asked to write the value of a name
/// where the page has {{name}}. {{page_head.html}} is that file, with its own names: all pages
/// begin with it.
void fill_page(std::string_view page, const std::function<void(std::string_view)>& write,
               const std::function<void(std::string_view name)>& fill);

}  // namespace tessera
