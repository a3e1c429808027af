// Audio: recorded clips, with a player and a wave form.
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "audio",
  title: "Audio",
  order: 100,
  hasData: (catalog) => catalog.hasKind("audio"),
  load: () => import("./View.svelte"),
  steps: true,
};
