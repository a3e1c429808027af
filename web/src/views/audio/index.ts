// Audio: recorded clips, with a player and a wave form.
import { exactly } from "$state/run_filter";
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "audio",
  title: "Audio",
  order: 100,
  hasData: (catalog) => catalog.hasKind("audio"),
  opens: ({ tag, kind }) => (kind === "audio" ? { params: { filter: exactly(tag) } } : null),
  load: () => import("./View.svelte"),
  steps: true,
};
