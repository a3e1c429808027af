// The Distributions view: how the values of any recorded tensor are spread, over steps.
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "distributions",
  title: "Distributions",
  order: 40,
  steps: true,
  hasData: (catalog) => catalog.hasKind("stats") || catalog.hasKind("histograms"),
  opens: ({ tag, kind }) => (kind === "stats" || kind === "histograms" ? { params: { tag } } : null),
  load: () => import("./View.svelte"),
};
