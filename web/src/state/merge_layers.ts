// Layers of several runs as one list: in the order of the graph, each path once, with the tags of all runs.
import type { LayerInfo } from "$api/types";

const lists = ["activations", "gradients", "weights", "updates", "images", "tensors", "other"] as const;

/** A layer that only a later run has comes after the one that it follows there, or before the one that follows it. */
export function mergeLayers(all: readonly (readonly LayerInfo[])[]): LayerInfo[] {
  const merged: LayerInfo[] = [];
  const known = new Map<string, LayerInfo>();
  for (const layers of all) {
    let before: LayerInfo | undefined;
    layers.forEach((layer, i) => {
      let mine = known.get(layer.path);
      if (mine) addTo(mine, layer);
      else {
        const place = before ? merged.indexOf(before) + 1 : beginning(layers.slice(i + 1), known, merged);
        mine = structuredClone(layer);
        known.set(layer.path, mine);
        merged.splice(place, 0, mine);
      }
      before = mine;
    });
  }
  return merged;
}

// Before the first of these that is there already; at the end when none is.
function beginning(following: readonly LayerInfo[], known: ReadonlyMap<string, LayerInfo>, merged: readonly LayerInfo[]): number {
  const there = following.map(({ path }) => known.get(path)).find((layer) => layer !== undefined);
  return there ? merged.indexOf(there) : merged.length;
}

function addTo(mine: LayerInfo, other: LayerInfo): void {
  for (const name of lists) mine[name] = [...new Set([...mine[name], ...other[name]])];
  if (mine.output_shape === undefined && other.output_shape !== undefined) mine.output_shape = other.output_shape;
  if (mine.dtype === undefined && other.dtype !== undefined) mine.dtype = other.dtype;
  if (mine.parameters === undefined && other.parameters !== undefined) mine.parameters = other.parameters;
  if (mine.kind_of_layer === undefined && other.kind_of_layer !== undefined) mine.kind_of_layer = other.kind_of_layer;
}
