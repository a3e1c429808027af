// Which runs are looked at: those that pass the filter and are ticked. Views draw selection.visible.
import type { RunInfo } from "$api/types";
import { address, joinList, param, splitList } from "./address.svelte";
import { catalog } from "./catalog.svelte";
import { hparams } from "./hparams.svelte";
import {
  type Choice,
  compileFilter,
  groupOf,
  NOT_RECORDED_GROUP,
  prefixGroups,
  readNames,
  SINGLE_RUNS,
  writeNames,
} from "./run_filter";

// As many curves as can be told apart in one picture; with more runs, only the newest are ticked until the person says otherwise.
export const AUTO_LIMIT = 40;

const filter = param("q", "", { shared: true });
const chosen = param("runs", "", { shared: true });
const grouping = param("group", "none", { shared: true });
// name | newest
const order = param("order", "name", { shared: true });

// The last filter that could be read stays in force while a new one is typed.
let lastGood: { text: string; pattern: RegExp | null } = { text: "", pattern: null };

const compiled = $derived.by(() => {
  const text = filter.value;
  try {
    lastGood = { text, pattern: compileFilter(text) };
    return { pattern: lastGood.pattern, error: null };
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message.replace(/^Invalid regular expression: /, "") : "";
    return { pattern: lastGood.pattern, error: reason };
  }
});

const shown = $derived.by(() => {
  const { pattern } = compiled;
  const passing = pattern ? catalog.runs.filter((run) => pattern.test(run.name)) : catalog.runs;
  return order.value === "newest" ? [...passing].sort(newestFirst) : passing;
});

const choice: Choice = $derived.by(() => {
  const text = chosen.value;
  if (text === "") return { mode: "auto" };
  if (text === "all" || text === "none") return { mode: text };
  if (text.startsWith("!")) return { mode: "except", has: readNames(text.slice(1), splitList) };
  return { mode: "only", has: readNames(text, splitList) };
});

export function newestFirst(a: RunInfo, b: RunInfo): number {
  return (b.last_wall_time ?? 0) - (a.last_wall_time ?? 0) || (a.name < b.name ? -1 : 1);
}

const visible = $derived.by(() => {
  switch (choice.mode) {
    case "all":
      return shown;
    case "none":
      return [];
    case "auto": {
      if (shown.length <= AUTO_LIMIT) return shown;
      const newest = new Set([...shown].sort(newestFirst).slice(0, AUTO_LIMIT));
      return shown.filter((run) => newest.has(run));
    }
    default: {
      const { has, mode } = choice;
      return shown.filter((run) => has(run.name) === (mode === "only"));
    }
  }
});

const visibleNames = $derived(new Set(visible.map((run) => run.name)));

// Ticks of runs that the filter hides stay as they are.
function isTicked(name: string): boolean {
  if (choice.mode === "only" || choice.mode === "except") return choice.has(name) === (choice.mode === "only");
  if (choice.mode === "auto") return shown.length <= AUTO_LIMIT || visibleNames.has(name);
  return choice.mode === "all";
}

function setTicked(names: ReadonlySet<string>): void {
  const all = catalog.runs.map((run) => run.name);
  const inside = all.filter((name) => names.has(name));
  const outside = all.filter((name) => !names.has(name));
  if (outside.length === 0) chosen.value = all.length <= AUTO_LIMIT ? "" : "all";
  else if (inside.length === 0) chosen.value = "none";
  else if (inside.length <= outside.length) chosen.value = writeNames(inside, joinList);
  else chosen.value = "!" + writeNames(outside, joinList);
}

function tickedNames(): Set<string> {
  return new Set(catalog.runs.map((run) => run.name).filter(isTicked));
}

export interface RunGroup {
  key: string;
  runs: RunInfo[];
}

const prefixes = $derived(
  grouping.value === "prefix" ? prefixGroups(catalog.runs.map((run) => run.name)) : new Map<string, string>(),
);

const groups: RunGroup[] = $derived.by(() => {
  if (grouping.value === "none") return [{ key: "", runs: shown }];
  const found = new Map<string, RunInfo[]>();
  for (const run of shown) {
    const key = groupOf(run, grouping.value, prefixes, hparams.of(run.name));
    const members = found.get(key);
    if (members) members.push(run);
    else found.set(key, [run]);
  }
  const words = new Intl.Collator("en", { numeric: true });
  // Those that belong to no group come last.
  const rest = (key: string) => Number(key === NOT_RECORDED_GROUP || key === SINGLE_RUNS);
  return [...found]
    .map(([key, members]) => ({ key, runs: members }))
    .sort((a, b) => rest(a.key) - rest(b.key) || words.compare(a.key, b.key));
});

export const selection = {
  get filter(): string {
    return filter.value;
  },
  set filter(text: string) {
    filter.value = text;
  },
  get filterError(): string | null {
    return compiled.error;
  },
  get groupBy(): string {
    return grouping.value;
  },
  set groupBy(value: string) {
    grouping.value = value;
  },
  // How the list is ordered.
  get order(): "name" | "newest" {
    return order.value === "newest" ? "newest" : "name";
  },
  set order(value: "name" | "newest") {
    order.value = value;
  },
  // Runs that pass the filter, in the order of the list.
  get shown(): RunInfo[] {
    return shown;
  },
  // Shown and ticked, in the order of the list.
  get visible(): RunInfo[] {
    return visible;
  },
  get groups(): RunGroup[] {
    return groups;
  },
  // There are more runs than are ticked by themselves.
  get limited(): boolean {
    return choice.mode === "auto" && shown.length > AUTO_LIMIT;
  },
  groupOf(name: string): string {
    const run = catalog.run(name);
    return run ? groupOf(run, grouping.value, prefixes, hparams.of(name)) : "";
  },
  isVisible: (name: string): boolean => visibleNames.has(name),
  // Only this run is looked at.
  isIsolated: (name: string): boolean => visible.length === 1 && visibleNames.has(name) && shown.length > 1,
  toggle(name: string): void {
    const ticked = tickedNames();
    if (!ticked.delete(name)) ticked.add(name);
    setTicked(ticked);
  },
  // Ticks or unticks several at once: a group.
  setAll(names: readonly string[], on: boolean): void {
    const ticked = tickedNames();
    for (const name of names) {
      if (on) ticked.add(name);
      else ticked.delete(name);
    }
    setTicked(ticked);
  },
  // Only this run; once more: all again.
  isolate(name: string): void {
    if (selection.isIsolated(name)) chosen.value = "";
    else setTicked(new Set([name]));
  },
  showAll(): void {
    setTicked(new Set(catalog.runs.map((run) => run.name)));
  },
  showNone(): void {
    chosen.value = "none";
  },
  // The newest of the shown runs alone.
  showLatest(): void {
    const newest = [...shown].sort(newestFirst)[0];
    if (newest) setTicked(new Set([newest.name]));
  },
  // As the page opens without an address.
  reset(): void {
    address.set("runs", null);
  },
};
