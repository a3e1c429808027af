// The Network view: the whole network at a glance.
import type { ViewDefinition } from "$state/views";
import { recordedParts } from "./parts";

export const view: ViewDefinition = {
  id: "network",
  title: "Network",
  order: 30,
  steps: true,
  hasData: (catalog) => recordedParts(catalog.tags).length > 0,
  load: () => import("./View.svelte"),
};
