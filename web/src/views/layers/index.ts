// The Layers view: everything that was recorded of one layer.
import type { ViewDefinition } from "$state/views";

const pattern = /^(activations|gradients|weights|updates)\//;

export const view: ViewDefinition = {
  id: "layers",
  title: "Layers",
  order: 50,
  steps: true,
  hasData: (catalog) => catalog.tags.some(({ tag, kind }) => (kind === "stats" || kind === "tensors") && pattern.test(tag)),
  opens: ({ tag, kind }) => {
    const layer = kind === "stats" ? /^activations\/(.+)$/.exec(tag)?.[1] : undefined;
    return layer === undefined ? null : { params: { layer }, label: layer };
  },
  load: () => import("./View.svelte"),
};
