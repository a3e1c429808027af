// Images: recorded pictures, and raw activations of layers as feature maps.
import type { ViewDefinition } from "$state/views";
import { isLayerTensor } from "./sections";

export const view: ViewDefinition = {
  id: "images",
  title: "Images",
  order: 60,
  hasData: (catalog) => catalog.tags.some((entry) => entry.kind === "images" || (entry.kind === "tensors" && isLayerTensor(entry.tag))),
  load: () => import("./View.svelte"),
  steps: true,
};
