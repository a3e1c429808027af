// The rows of the run list: groups and runs one below the other, of which only those in sight are drawn.
import type { RunInfo } from "$api/types";
import type { RunGroup } from "$state/selection.svelte";

export type Row =
  | { kind: "group"; key: string; name: string; runs: readonly RunInfo[]; closed: boolean }
  | { kind: "run"; key: string; run: RunInfo };

export function rowsOf(groups: readonly RunGroup[], grouped: boolean, closed: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  for (const group of groups) {
    const isClosed = grouped && closed.has(group.key);
    if (grouped) rows.push({ kind: "group", key: `group ${group.key}`, name: group.key, runs: group.runs, closed: isClosed });
    if (!isClosed) for (const run of group.runs) rows.push({ kind: "run", key: `run ${run.name}`, run });
  }
  return rows;
}

// First and last + 1 of the rows to draw: those in sight and a few more.
export function windowOf(count: number, rowHeight: number, scrollTop: number, height: number): [number, number] {
  const spare = 8;
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + spare);
  return [Math.min(first, last), last];
}
