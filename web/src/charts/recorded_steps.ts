// Which of the recorded steps a picture shows when the page stands at a step.
import { count } from "./numbers";

// The place of the last entry at or before `step` in ascending `steps`; -1 when all come later.
export function heldIndex(steps: ArrayLike<number>, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((steps[middle] ?? Infinity) <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The same, but a picture that begins later shows its first step rather than nothing.
export function shownIndex(steps: ArrayLike<number>, step: number): number {
  return steps.length === 0 ? -1 : Math.max(0, heldIndex(steps, step));
}

// "step 90", and why it is another one than the page's. `chosen` is null while the page follows the newest step.
export function stepWords(steps: ArrayLike<number>, index: number, chosen: number | null): string {
  const shown = steps[index];
  if (shown === undefined) return "not recorded";
  const words = `step ${count(shown)}`;
  if (chosen === null || shown === chosen) return words;
  return shown > chosen ? `${words}, the first recorded` : `${words}, the last before ${count(chosen)}`;
}

// The places of all entries that share the step of entry `index`: several batches can have one step.
export function sameStep(steps: ArrayLike<number>, index: number): { first: number; last: number } {
  const step = steps[index];
  let first = index;
  let last = index;
  while (first > 0 && steps[first - 1] === step) first -= 1;
  while (last + 1 < steps.length && steps[last + 1] === step) last += 1;
  return { first, last };
}

// "2 of 3 steps": entries that share a step count once.
export function placeWords(steps: ArrayLike<number>, index: number): string {
  let place = 0;
  let total = 0;
  for (let i = 0; i < steps.length; i += 1) {
    if (i > 0 && steps[i] === steps[i - 1]) continue;
    total += 1;
    if (i <= index) place = total;
  }
  return `${count(place)} of ${count(total)} ${total === 1 ? "step" : "steps"}`;
}
