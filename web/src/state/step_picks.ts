// Clicks that set the step. A double click resets the zoom: what its two clicks have set is taken back.
import { step } from "./step.svelte";

const DOUBLE_CLICK_MS = 600;

export interface StepPicks {
  pick(at: number): void;
  takeBack(): void;
}

export function stepPicks(now: () => number = () => performance.now()): StepPicks {
  let before: number | null = null;
  let last = -Infinity;
  return {
    pick(at) {
      if (now() - last > DOUBLE_CLICK_MS) before = step.chosen;
      last = now();
      step.set(at);
    },
    takeBack() {
      if (now() - last <= DOUBLE_CLICK_MS) step.set(before);
      last = -Infinity;
    },
  };
}
