// Points of scalars that stay up to date, and where all of them can be downloaded.
import { api, type ScalarsRequest } from "$api/client";
import type { ScalarSeries } from "$api/types";
import { findTag } from "./catalog.svelte";
import { resource, type Resource } from "./resource.svelte";

// Longer addresses are refused on the way by some proxies.
const LONGEST_URL = 7000;

export function scalarsOf(ask: () => ScalarsRequest | null): Resource<ScalarSeries[]> {
  return resource(ask, (question, signal) => api.scalars(question, signal), { runs: () => ask()?.runs ?? [] });
}

// Those of the runs that have at least one of the tags.
export function runsWithAny(runs: readonly string[], tags: readonly string[]): string[] {
  const having = new Set<string>();
  for (const tag of tags) for (const run of findTag(tag, "scalars")?.runs ?? []) having.add(run);
  return runs.filter((run) => having.has(run));
}

// Every point as CSV; null where the names of the runs do not fit into an address.
export function allPointsUrl(runs: readonly string[], tags: readonly string[]): string | null {
  const url = api.dataUrl("scalars", { run: runs, tag: tags }, "csv");
  return url.length > LONGEST_URL ? null : url;
}

const EPOCH_TAGS = ["train/epoch", "epoch", "train/epochs"];
const MOST_EPOCHS = 2000;

export interface EpochTable {
  of(run: string): { step: ArrayLike<number>; value: ArrayLike<number> } | undefined;
  // Some run says where its epochs begin.
  readonly known: boolean;
}

// Where the epochs of runs begin: as many of them as were recorded.
export function epochsOf(runs: () => readonly string[]): EpochTable {
  const tag = $derived(EPOCH_TAGS.find((name) => findTag(name, "scalars") !== undefined));
  const asked = $derived(tag === undefined ? [] : runsWithAny(runs(), [tag]));
  const answer = scalarsOf(() => (tag === undefined || asked.length === 0 ? null : { runs: asked, tags: [tag], maxPoints: MOST_EPOCHS }));
  const byRun = $derived(new Map((answer.data ?? []).map((series) => [series.run, { step: series.step, value: series.value }])));
  return {
    of: (run) => byRun.get(run),
    get known() {
      return tag !== undefined;
    },
  };
}
