// The Scalars view: all curves, in cards by tag group.
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "scalars",
  title: "Scalars",
  order: 20,
  hasData: () => true,
  load: () => import("./View.svelte"),
};
