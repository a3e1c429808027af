// Which of the 12 colours each run has: by a hash of its name, the next free one where that is taken.
import { hashName } from "./run_filter";

export const COLORS = 12;

// Slots are 0 .. 11 for the first twelve runs, 12 .. 23 for the next (same colours, dashed), and so on.
// Runs in `kept` keep their slot, whoever comes or goes; the others are placed in order of their names.
export function assignSlots(names: readonly string[], kept: ReadonlyMap<string, number>): Map<string, number> {
  const slots = new Map<string, number>();
  const taken = new Set<number>();
  for (const name of names) {
    const slot = kept.get(name);
    if (slot === undefined || taken.has(slot)) continue;
    slots.set(name, slot);
    taken.add(slot);
  }
  let round = 0;
  const isFull = (r: number) => {
    for (let i = 0; i < COLORS; i++) if (!taken.has(r * COLORS + i)) return false;
    return true;
  };
  for (const name of names.filter((each) => !slots.has(each)).sort()) {
    while (isFull(round)) round += 1;
    let color = hashName(name) % COLORS;
    while (taken.has(round * COLORS + color)) color = (color + 1) % COLORS;
    slots.set(name, round * COLORS + color);
    taken.add(round * COLORS + color);
  }
  return slots;
}

// Line patterns of the rounds, as canvas line dashes.
const DASHES: number[][] = [[], [5, 3], [2, 2], [8, 3, 2, 3]];

export function dashOfSlot(slot: number): number[] {
  return DASHES[Math.floor(slot / COLORS) % DASHES.length] ?? [];
}
