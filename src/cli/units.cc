// Units: sizes by 1024, times by what a person would say.
#include "cli/units.h"

#include <fmt/format.h>

#include <cmath>

namespace tensortap::cli {

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return fmt::format("{:.1f} {}", size, unit);
}

std::string count_text(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string duration_text(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 36 * 3600) return fmt::format("{:.0f} h", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

std::string age_text(double wall_secs, double now_secs) {
  if (wall_secs == 0 || !std::isfinite(wall_secs)) return "-";
  const double age = now_secs - wall_secs;
  // Clocks of two machines are never the same.
  if (age < -60) return "in " + duration_text(-age);
  return duration_text(std::fmax(age, 0)) + " ago";
}

std::string number_text(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

}  // namespace tensortap::cli
