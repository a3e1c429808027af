// Hyperparameters of all runs: what runs can be grouped by.
import { api } from "$api/client";
import type { HparamsAnswer, HparamValue } from "$api/types";
import { catalog } from "./catalog.svelte";

let answer = $state.raw<HparamsAnswer>({ names: [], runs: [] });
const byRun = $derived(new Map(answer.runs.map((row) => [row.run, row.values] as const)));

export const hparams = {
  get names(): string[] {
    return answer.names;
  },
  get runs(): HparamsAnswer["runs"] {
    return answer.runs;
  },
  of: (run: string): Record<string, HparamValue> | undefined => byRun.get(run),
};

// The page calls this once, inside an effect; asks again when runs came or went.
export function followHparams(): void {
  const key = $derived(catalog.hasKind("hparams") ? catalog.runs.map((run) => run.name).join("\n") : "");
  $effect(() => {
    if (key === "") return;
    const abort = new AbortController();
    api.hparams(abort.signal).then(
      (next) => (answer = next),
      () => {
        // Runs stay ungrouped; the HParams view says what is wrong.
      },
    );
    return () => abort.abort();
  });
}
