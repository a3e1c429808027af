// Units: numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace tensortap::cli {

std::string size_text(std::uint64_t bytes);               // "1.5 MiB"
std::string count_text(std::uint64_t count);              // "12,345"
std::string duration_text(double seconds);                // "42 s", "3 min", "5 h", "12 days"
std::string age_text(double wall_secs, double now_secs);  // "3 min ago"; "-" for no time
std::string number_text(double value, int digits = 6);    // "0.125", "1.5e-08", "nan", "inf"

// "1 file", "2 files"
std::string counted(std::uint64_t count, const char* one, const char* many);

}  // namespace tensortap::cli
