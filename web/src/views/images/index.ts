// Images: recorded pictures, and raw activations of layers as feature maps.
import { exactly } from "$state/run_filter";
import type { ViewDefinition } from "$state/views";
import { isLayerTensor } from "./sections";

export const view: ViewDefinition = {
  id: "images",
  title: "Images",
  order: 60,
  hasData: (catalog) => catalog.tags.some((entry) => entry.kind === "images" || (entry.kind === "tensors" && isLayerTensor(entry.tag))),
  opens: ({ tag, kind }) => (kind === "images" ? { params: { filter: exactly(tag) } } : null),
  load: () => import("./View.svelte"),
  steps: true,
};
