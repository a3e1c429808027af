// The HParams view: which hyperparameters led where, as a table and as parallel coordinates.
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "hparams",
  title: "HParams",
  order: 110,
  hasData: (catalog) => catalog.hasKind("hparams"),
  load: () => import("./View.svelte"),
};
