// Text: recorded texts, newest first.
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "text",
  title: "Text",
  order: 90,
  hasData: (catalog) => catalog.hasKind("text"),
  load: () => import("./View.svelte"),
};
