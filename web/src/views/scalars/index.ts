// The Scalars view: all curves, in cards by tag group.
import { exactly } from "$state/run_filter";
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "scalars",
  title: "Scalars",
  order: 20,
  hasData: () => true,
  opens: ({ tag, kind }) => (kind === "scalars" ? { params: { tags: exactly(tag) } } : null),
  load: () => import("./View.svelte"),
};
