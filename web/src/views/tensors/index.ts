// Tensors: any raw tensor, sliced, as colours or numbers.
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "tensors",
  title: "Tensors",
  order: 70,
  hasData: (catalog) => catalog.hasKind("tensors"),
  opens: ({ tag, kind }) => (kind === "tensors" ? { params: { tag } } : null),
  load: () => import("./View.svelte"),
  steps: true,
};
