// Where the entries of the jump box come from.
import { address, go } from "$state/address.svelte";
import { catalog } from "$state/catalog.svelte";
import { selection } from "$state/selection.svelte";
import { step } from "$state/step.svelte";
import { theme } from "$state/theme.svelte";
import type { Entry, Sources } from "./palette_entries";
import { tabsOf, views } from "./views";

export function paletteSources(openHelp: () => void): Sources {
  return {
    views: tabsOf(catalog, address.view).map((view) => ({
      group: "Views",
      label: view.title,
      act: () => go(view.id),
    })),
    runs: catalog.runs.map((run) => ({
      group: "Runs",
      label: run.name,
      hint: run.state,
      run: run.name,
      act: () => selection.isolate(run.name),
    })),
    tags: tagEntries(),
    commands: commands(openHelp),
    step: (at) => ({ group: "Steps", label: `Go to step ${at}`, act: () => step.set(at) }),
  };
}

// Several tags can lead to one place: the first one does.
function tagEntries(): Entry[] {
  const entries = new Map<string, Entry>();
  for (const view of views) {
    for (const tag of catalog.tags) {
      const opened = view.opens?.(tag);
      if (!opened) continue;
      const key = `${view.id} ${JSON.stringify(opened.params)}`;
      if (entries.has(key)) continue;
      const runs = tag.runCount;
      entries.set(key, {
        group: view.title,
        label: opened.label ?? tag.tag,
        hint: `${runs} ${runs === 1 ? "run" : "runs"}`,
        act: () => go(view.id, opened.params),
      });
    }
  }
  return [...entries.values()];
}

function commands(openHelp: () => void): Entry[] {
  const command = (label: string, act: () => void, hint?: string): Entry => ({
    group: "Commands",
    label,
    act,
    ...(hint ? { hint } : {}),
  });
  return [
    command(theme.name === "dark" ? "Light theme" : "Dark theme", theme.toggle, "T"),
    command("Theme of the system", () => theme.choose("system")),
    command("All runs", selection.showAll, "A"),
    command("No runs", selection.showNone),
    command("Latest run only", selection.showLatest),
    command("Runs by name", () => (selection.order = "name")),
    command("Newest runs first", () => (selection.order = "newest")),
    command("Ungroup runs", () => (selection.groupBy = "none")),
    command("Group runs by name", () => (selection.groupBy = "prefix")),
    command("Group runs by state", () => (selection.groupBy = "state")),
    command("Last step", () => step.set(null)),
    command(step.playing ? "Pause the steps" : "Play the steps", () => (step.playing = !step.playing), "Space"),
    command("Copy the link to this view", () => void navigator.clipboard?.writeText(address.link)),
    command("Keyboard help", openHelp, "?"),
  ];
}
