// All views, found by their folders: a new view is a new folder.
import type { Catalog } from "$state/catalog.svelte";
import type { ViewDefinition } from "$state/views";

const modules = import.meta.glob<{ view: ViewDefinition }>("../views/*/index.ts", { eager: true });

export const views: readonly ViewDefinition[] = Object.values(modules)
  .map((module) => module.view)
  .sort((a, b) => a.order - b.order);

// A tab appears when there is data for it; the one in front stays.
export function tabsOf(catalog: Catalog, current: string): ViewDefinition[] {
  return views.filter((view) => view.id === current || view.hasData(catalog));
}

export function viewById(id: string): ViewDefinition | undefined {
  return views.find((view) => view.id === id);
}
