// The small heat maps of the run table: one question for all rows in sight, one colour scale for all runs.
import { api } from "$api/client";
import type { NetworkPart } from "$api/types";
import { gather, groupRows, hold, networkScale, statisticOf, type HeldCells } from "$charts/network_grid";
import type { HeatScale } from "$charts/scales";
import { tagsOf } from "$state/catalog.svelte";
import { resource } from "$state/resource.svelte";
import { theme } from "$state/theme.svelte";

const COLUMNS = 64;
const MOST_RUNS = 40;
const MOST_ROWS = 34; // as many as pixels
const PARTS: readonly { part: NetworkPart; title: string }[] = [
  { part: "gradients", title: "Gradient RMS" },
  { part: "activations", title: "Activation RMS" },
  { part: "weights", title: "Weight RMS" },
];

export interface Strips {
  // null: no run has captures, so there is no column.
  readonly title: string | null;
  readonly scale: HeatScale | null;
  of(run: string): HeldCells | undefined;
}

export function stripsOf(runs: () => readonly string[]): Strips {
  const captured = $derived.by(() => {
    const stats = tagsOf("stats");
    for (const choice of PARTS) {
      const having = new Set(stats.filter((entry) => entry.tag.startsWith(`${choice.part}/`)).flatMap((entry) => entry.runs));
      if (having.size > 0) return { ...choice, having };
    }
    return null;
  });
  const asked = $derived(captured === null ? [] : runs().filter((run) => captured.having.has(run)).slice(0, MOST_RUNS));
  const answer = resource(
    () => (captured === null || asked.length === 0 ? null : { runs: asked, of: captured.part, stat: "rms" as const, columns: COLUMNS }),
    (ask, signal) => api.network(ask, signal),
    { runs: () => asked },
  );
  const cells = $derived.by(() => {
    const grid = answer.data;
    if (grid === undefined) return new Map<string, HeldCells>();
    const rows = groupRows(grid.layers.map((layer) => layer.path), MOST_ROWS);
    const size = grid.layers.length;
    return new Map(
      grid.runs.map((run) => {
        const held = hold({ rows: size, columns: grid.columns, values: Float32Array.from(run.value), marks: Uint8Array.from(run.mark) });
        return [run.run, gather(held, rows)] as const;
      }),
    );
  });
  const scale = $derived(cells.size === 0 ? null : networkScale(theme.tokens, statisticOf("rms"), "log", [...cells.values()]).scale);
  return {
    get title() {
      return captured?.title ?? null;
    },
    get scale() {
      return scale;
    },
    of: (run) => cells.get(run),
  };
}
