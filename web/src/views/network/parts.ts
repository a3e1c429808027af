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
  readonly count: number;
  readonly runs: readonly string[];
}

const isOf = (tag: PartTag, part: string): boolean => tag.kind === "stats" && tag.tag.startsWith(`${part}/`);

export function recordedParts(tags: readonly PartTag[]): { value: NetworkPart; label: string }[] {
  return parts.filter(({ value }) => tags.some((tag) => isOf(tag, value)));
}

/** Runs that have a part, and how often its most recorded tensor was captured in all of them. */
export function extentOfPart(tags: readonly PartTag[], part: string): { runs: Set<string>; count: number } {
  const runs = new Set<string>();
  let count = 0;
  for (const tag of tags) {
    if (!isOf(tag, part)) continue;
    for (const run of tag.runs) runs.add(run);
    count = Math.max(count, tag.count);
  }
  return { runs, count };
}

/** As many columns as pixels, so that each is drawn at least one pixel wide; in eights, so that few widths ask anew. */
export function columnsFor(pixels: number): number {
  return Math.max(8, Math.min(2000, Math.floor(pixels / 8) * 8));
}
