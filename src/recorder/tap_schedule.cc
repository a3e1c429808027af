// TapSchedule: the three rules.
#include "recorder/tap_schedule.h"

#include <algorithm>

namespace tensortap::recorder {

bool TapSchedule::opens(const TapMoment& moment) const {
  if (!steps.empty()) return std::binary_search(steps.begin(), steps.end(), moment.step);
  if (epochs != 0) return moment.first_of_epoch && moment.epoch % epochs == 0;
  return every != 0 && moment.batch % every == 0;
}

}  // namespace tensortap::recorder
