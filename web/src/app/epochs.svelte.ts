// In which epoch a step lies, for runs that recorded where epochs begin.
import { api } from "$api/client";
import { runsWith } from "$state/catalog.svelte";
import { resource } from "$state/resource.svelte";
import { selection } from "$state/selection.svelte";

const TAG = "train/epoch";

// Epochs are counted from 0 in files and from 1 on screen.
export function epochAt(steps: ArrayLike<number>, epochs: ArrayLike<number>, step: number): number | null {
  let found: number | null = null;
  for (let i = 0; i < steps.length && (steps[i] ?? 0) <= step; i++) found = epochs[i] ?? null;
  return found;
}

export function useEpochs(): { at(step: number): { epoch: number; of: number } | null } {
  const run = $derived.by(() => {
    const having = new Set(runsWith(TAG, "scalars"));
    return selection.visible.find((each) => having.has(each.name))?.name ?? null;
  });
  const answer = resource(
    () => (run === null ? null : { runs: [run], tags: [TAG], maxPoints: 0 }),
    (ask, signal) => api.scalars(ask, signal),
    { runs: () => (run === null ? [] : [run]) },
  );
  return {
    at(step) {
      const series = answer.data?.[0];
      if (!series || series.value.length === 0) return null;
      const epoch = epochAt(series.step, series.value, step);
      const last = series.value[series.value.length - 1] ?? 0;
      return epoch === null ? null : { epoch: epoch + 1, of: last + 1 };
    },
  };
}
