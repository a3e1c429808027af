// Files: the health of the log files.
import type { ViewDefinition } from "$state/views";

export const view: ViewDefinition = {
  id: "files",
  title: "Files",
  order: 120,
  hasData: () => true,
  load: () => import("./View.svelte"),
};
