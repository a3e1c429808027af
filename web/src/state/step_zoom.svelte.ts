// The part of the steps that a view's pictures show: in the address, set by dragging, left by R or a double click.
import { numberParam } from "./address.svelte";
import { onKey } from "./keys.svelte";
import { step } from "./step.svelte";
import { stepPicks } from "./step_picks";

const NONE = -1;

export interface StepRange {
  first: number;
  last: number;
}

export interface StepZoom {
  // null: all of them.
  readonly range: StepRange | null;
  set(first: number, last: number): void;
  reset(): void;
  // Clicks in a picture: one sets the step, two reset the zoom and leave the step alone.
  pick(at: number): void;
  resetByPointer(): void;
}

// Called while a view is set up. `recorded`: the steps of the pictures, for the step bar; zoomed in, it keeps those of
// the whole.
export function stepZoom(recorded?: () => readonly number[]): StepZoom {
  const from = numberParam("from", NONE);
  const to = numberParam("to", NONE);
  const picks = stepPicks();
  const range = $derived(from.value === NONE ? null : { first: from.value, last: Math.max(from.value + 1, to.value) });

  function reset(): void {
    from.value = NONE;
    to.value = NONE;
  }
  onKey("r", "Reset zoom", reset);

  if (recorded) {
    let whole = $state.raw<readonly number[]>([]);
    $effect(() => {
      if (range === null) whole = recorded();
    });
    step.offer(() => (range !== null && whole.length > 0 ? whole : recorded()));
  }

  return {
    get range() {
      return range;
    },
    set(first, last) {
      from.value = first;
      to.value = last;
    },
    reset,
    pick: picks.pick,
    resetByPointer() {
      picks.takeBack();
      reset();
    },
  };
}
