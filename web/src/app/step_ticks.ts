// Where the step bar has ticks and labels.

export interface StepTick {
  step: number;
  // Half way between labels there is a tick without one.
  labelled: boolean;
}

// 1, 2, 4 or 5 times a power of ten: the least with at most `most` intervals.
export function niceInterval(span: number, most: number): number {
  const rough = Math.max(1, span / Math.max(1, most));
  const decade = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 4, 5, 10]) if (factor * decade >= rough) return Math.max(1, Math.round(factor * decade));
  return decade * 10;
}

export function stepTicks(first: number, last: number, width: number): StepTick[] {
  if (last <= first || width < 40) return [];
  const interval = niceInterval(last - first, Math.floor(width / 88));
  const half = interval % 2 === 0 ? interval / 2 : interval;
  const ticks: StepTick[] = [];
  for (let step = Math.ceil(first / half) * half; step <= last; step += half) {
    ticks.push({ step, labelled: step % interval === 0 });
  }
  return ticks;
}

// The recorded step that is nearest; where nothing is offered, the next whole one.
export function nearestStep(steps: readonly number[], wanted: number): number {
  if (steps.length === 0) return Math.round(wanted);
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  const above = steps[low] ?? wanted;
  const below = steps[low - 1];
  return below !== undefined && wanted - below < above - wanted ? below : above;
}
