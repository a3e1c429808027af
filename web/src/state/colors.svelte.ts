// The colour of each run: the same on every page, in every export and tomorrow.
import { catalog } from "./catalog.svelte";
import { assignSlots, COLORS, dashOfSlot } from "./color_slots";
import { preferences } from "./preferences.svelte";
import { hashName } from "./run_filter";
import { selection } from "./selection.svelte";
import { theme } from "./theme.svelte";

// From here on, with groups, a colour means the group.
const MANY_RUNS = 25;
const MOST_KEPT = 5000;

function storeKey(): string {
  return `tensortap.colors:${catalog.status?.log_directory ?? ""}`;
}

function keptSlots(key: string): Map<string, number> {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, unknown>;
    return new Map(Object.entries(kept).filter((pair): pair is [string, number] => Number.isInteger(pair[1])));
  } catch {
    return new Map();
  }
}

function keepSlots(key: string, slots: ReadonlyMap<string, number>): void {
  if (slots.size > MOST_KEPT) return;
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(slots)));
  } catch {
    // No storage: colours are the same as long as the runs are.
  }
}

const names = $derived(catalog.runs.map((run) => run.name));
const namesKey = $derived(names.join("\n"));
let last: { key: string; slots: Map<string, number> } = { key: "", slots: new Map() };

const slots = $derived.by(() => {
  const key = storeKey() + "\n" + namesKey;
  if (last.key !== key) {
    const kept = keptSlots(storeKey());
    const next = assignSlots(names, kept);
    if (names.length > 0) keepSlots(storeKey(), new Map([...kept, ...next]));
    last = { key, slots: next };
  }
  return last.slots;
});

const byGroup = $derived(selection.groupBy !== "none" && names.length >= MANY_RUNS);

function slotOf(run: string): number {
  return slots.get(run) ?? hashName(run) % COLORS;
}

// 0 .. 11
export function colorIndexOf(run: string): number {
  const chosen = preferences.colors[run];
  if (chosen !== undefined) return chosen % COLORS;
  if (byGroup) return hashName(selection.groupOf(run)) % COLORS;
  return slotOf(run) % COLORS;
}

// A CSS colour of the current theme.
export function colorOf(run: string): string {
  return theme.tokens.run[colorIndexOf(run)] ?? theme.tokens.ink;
}

// Dashes of a canvas line; none for the first twelve runs.
export function dashOf(run: string): number[] {
  if (preferences.colors[run] !== undefined || byGroup) return [];
  return dashOfSlot(slotOf(run));
}
