// What a view tells the shell about itself; each views/<name>/index.ts exports one of these as `view`.
import type { Component } from "svelte";
import type { HrefParams } from "./address.svelte";
import type { Catalog, TagEntry } from "./catalog.svelte";

export interface ViewDefinition {
  // In the address: #/network
  id: string;
  title: string;
  // Place among the tabs, from left to right.
  order: number;
  // A tab is shown when there is something to show; overview, scalars and files always are.
  hasData: (catalog: Catalog) => boolean;
  load: () => Promise<{ default: Component }>;
  // Shows the step bar.
  steps?: boolean;
  // The view's parameters that show this tag, and what to call it; null when it cannot. The jump box asks.
  opens?: (entry: TagEntry) => { params: HrefParams; label?: string } | null;
}
