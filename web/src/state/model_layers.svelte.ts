// The layers of the runs that are looked at, as one list in the order of the graph.
import { api, ApiError } from "$api/client";
import type { LayerInfo } from "$api/types";
import { catalog } from "./catalog.svelte";
import { mergeLayers } from "./merge_layers";
import { resource, type Resource } from "./resource.svelte";
import { selection } from "./selection.svelte";

// So many runs are asked; further ones rarely have other layers.
const MOST_ASKED = 12;

// Call it while a component is set up.
export function modelLayers(): Resource<LayerInfo[]> {
  const runs = $derived(selection.visible.filter(({ kinds }) => kinds.includes("stats") || kinds.includes("tensors")).slice(0, MOST_ASKED).map(({ name }) => name));
  return resource(
    // Asked again when tags were added: a live run finds its layers with its first captures.
    () => ({ runs, tags: catalog.tags.length }),
    async ({ runs: names }, signal) => mergeLayers(await Promise.all(names.map((run) => layersOf(run, signal)))),
  );
}

async function layersOf(run: string, signal: AbortSignal): Promise<LayerInfo[]> {
  try {
    return (await api.layers(run, signal)).layers;
  } catch (failure) {
    // It was removed since the list was made.
    if (failure instanceof ApiError && failure.status === 404) return [];
    throw failure;
  }
}
