// A resource outside a component, for tests.
import { type Resource, resource, type ResourceOptions } from "./resource.svelte";

export function mountResource<R>(
  first: unknown,
  fetcher: (question: unknown, signal: AbortSignal) => Promise<R>,
  options: ResourceOptions = {},
): { resource: Resource<R>; ask: (question: unknown) => void; undo: () => void } {
  let question = $state.raw<unknown>(first);
  let made: Resource<R> | undefined;
  const undo = $effect.root(() => {
    made = resource<unknown, R>(() => question, fetcher, options);
  });
  if (!made) throw new Error("an effect's root runs at once");
  return { resource: made, ask: (next) => (question = next), undo };
}
