// VisibleText: text from logs, made safe for a terminal and measured for one.
//
// A tag may hold escape sequences that retitle, recolour or remote-control a terminal. Nothing that came from a file is
// printed but through here; JSON has escapes of its own (json_out.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tensortap::cli {

// On one line: control characters and what reorders text become escapes (\n, \x1b, \u202e), and so do bytes that are
// no UTF-8 (\xff).
std::string visible_text(std::string_view untrusted);

// The same, but lines stay lines and tabs stay tabs.
std::string visible_lines(std::string_view untrusted);

// Columns that visible text takes in a terminal.
std::size_t display_width(std::string_view visible);

// At most `columns` wide; what is cut off is shown as an ellipsis.
std::string cut_to_width(std::string_view visible, std::size_t columns);

}  // namespace tensortap::cli
