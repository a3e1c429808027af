// Which parts of a network were recorded, in which runs and at which steps.
import type { NetworkPart } from "$api/types";

export const parts: readonly { value: NetworkPart; label: string }[] = [
  { value: "activations", label: "Activations" },
  { value: "gradients", label: "Gradients" },
  { value: "weights", label: "Weights" },
  { value: "updates", label: "Updates" },
];

/** What is read of the catalog's tags. */
export interface PartTag {
  readonly tag: string;
  readonly kind: string;
  readonly firstStep: number;
  readonly lastStep: number;
  readonly runs: readonly string[];
}

const isOf = (tag: PartTag, part: string): boolean => tag.kind === "stats" && tag.tag.startsWith(`${part}/`);

export function recordedParts(tags: readonly PartTag[]): { value: NetworkPart; label: string }[] {
  return parts.filter(({ value }) => tags.some((tag) => isOf(tag, value)));
}

/** Runs that have a part, and the steps it was recorded at. */
export function extentOfPart(tags: readonly PartTag[], part: string): { runs: Set<string>; first: number; last: number } {
  const runs = new Set<string>();
  let first = Infinity;
  let last = -Infinity;
  for (const tag of tags) {
    if (!isOf(tag, part)) continue;
    for (const run of tag.runs) runs.add(run);
    first = Math.min(first, tag.firstStep);
    last = Math.max(last, tag.lastStep);
  }
  return first <= last ? { runs, first, last } : { runs, first: 0, last: 0 };
}

/** As many columns as pixels, no more than steps: each column is drawn at least one pixel wide. */
export function columnsFor(pixels: number, first: number, last: number): number {
  const wide = Math.max(1, Math.floor(pixels) - (Math.floor(pixels) % 8 || 0)) || 1;
  return Math.max(1, Math.min(2000, wide, last - first + 1));
}
