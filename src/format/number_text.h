// NumberText: numbers as the shortest text that reads back as the same number.
#pragma once

#include <cstdint>
#include <string>

namespace tensortap::format {

// "0.1", "1e+300"; "NaN", "Infinity" and "-Infinity" without quotes.
void append_number(std::string& out, double number);
void append_number(std::string& out, std::int64_t number);
void append_number(std::string& out, std::uint64_t number);

}  // namespace tensortap::format
