// The Overview: the first view, which answers without a click how the newest runs are doing.
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "overview",
  title: "Overview",
  order: 10,
  hasData: () => true,
  load: () => import("./View.svelte"),
};
