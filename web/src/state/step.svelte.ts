// The chosen step of the whole page: heat maps, ridges, feature maps and tables follow it.
import { untrack } from "svelte";
import { numberParam } from "./address.svelte";
import { catalog } from "./catalog.svelte";
import { selection } from "./selection.svelte";

const PLAY_MS = 100;
const NONE = -1;

const chosenParam = numberParam("step", NONE, { shared: true });

let hover = $state<number | null>(null);
let playing = $state(false);
let grids = $state.raw<readonly (() => readonly number[])[]>([]);
let timer: ReturnType<typeof setInterval> | undefined;

// All steps that the views in front have something recorded at, in order.
const grid = $derived.by(() => {
  const all = new Set<number>();
  for (const offer of grids) for (const each of offer()) all.add(each);
  return [...all].sort((a, b) => a - b);
});

// From where to where the bar goes: along what the view in front has; without a word from it, along all that the runs have.
const last = $derived(grid.at(-1) ?? selection.visible.reduce((max, run) => Math.max(max, run.last_step ?? 0), 0));
const first = $derived.by(() => {
  if (grid[0] !== undefined) return grid[0];
  let least = Infinity;
  for (const entry of catalog.tags) if (entry.firstStep < least) least = entry.firstStep;
  return Number.isFinite(least) ? Math.max(0, Math.min(least, last)) : 0;
});
const chosen = $derived(chosenParam.value === NONE ? null : chosenParam.value);

export function nextOf(steps: readonly number[], current: number, direction: number): number {
  if (steps.length === 0) return current + direction;
  // The first index whose step is > current (forwards) or >= current (backwards).
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = steps[middle] ?? 0;
    if (direction > 0 ? value > current : value >= current) high = middle;
    else low = middle + 1;
  }
  return steps[direction > 0 ? low : low - 1] ?? current;
}

function set(value: number | null): void {
  // At the end the page follows a live run.
  if (value === null || value >= last) chosenParam.value = NONE;
  else chosenParam.value = Math.max(first, Math.round(value));
}

function nudge(direction: number): void {
  set(nextOf(grid, step.current, direction));
}

function stop(): void {
  clearInterval(timer);
  timer = undefined;
  playing = false;
}

function play(): void {
  if (playing) return;
  if (step.current >= last) set(grid[0] ?? first);
  playing = true;
  timer = setInterval(() => {
    const before = step.current;
    nudge(1);
    if (step.current >= last || step.current === before) stop();
  }, PLAY_MS);
}

export const step = {
  // null: the last one, and it follows a live run.
  get chosen(): number | null {
    return chosen;
  },
  get current(): number {
    return chosen ?? last;
  },
  get hover(): number | null {
    return hover;
  },
  set hover(value: number | null) {
    hover = value;
  },
  get first(): number {
    return first;
  },
  get last(): number {
    return last;
  },
  get playing(): boolean {
    return playing;
  },
  set playing(value: boolean) {
    if (value) play();
    else stop();
  },
  get grid(): readonly number[] {
    return grid;
  },
  set,
  nudge,
  // For views with their own recorded steps, while the component is set up: [ and ] then move along them.
  offer(steps: () => readonly number[]): void {
    $effect(() => {
      grids = [...untrack(() => grids), steps];
      return () => {
        grids = untrack(() => grids).filter((each) => each !== steps);
      };
    });
  },
};
