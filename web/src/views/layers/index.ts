// The Layers view: everything that was recorded of one layer.
import type { ViewDefinition } from "$state/views";

const pattern = /^(activations|gradients|weights|updates)\//;

export const view: ViewDefinition = {
  id: "layers",
  title: "Layers",
  order: 50,
  steps: true,
  hasData: (catalog) => catalog.tags.some(({ tag, kind }) => (kind === "stats" || kind === "tensors") && pattern.test(tag)),
  load: () => import("./View.svelte"),
};
