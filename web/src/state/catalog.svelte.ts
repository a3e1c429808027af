// What the log directory holds: runs and tags, kept up to date by the live stream.
import { untrack } from "svelte";
import { api } from "$api/client";
import type { RunInfo, Status, TagRow } from "$api/types";
import { live, onChange } from "./live.svelte";
import { Pace } from "./pace";

export class TagEntry {
  readonly tag: string;
  readonly kind: string;
  readonly count: number;
  readonly firstStep: number;
  readonly lastStep: number;
  private names: string[] | undefined;

  constructor(
    private readonly row: TagRow,
    private readonly allRuns: readonly string[],
  ) {
    this.tag = row.tag;
    this.kind = row.kind;
    this.count = row.count;
    this.firstStep = row.first_step;
    this.lastStep = row.last_step;
  }

  // Names of the runs that have it.
  get runs(): string[] {
    return (this.names ??= this.row.runs.flatMap(([first, last]) => this.allRuns.slice(first, last + 1)));
  }

  get runCount(): number {
    return this.row.runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  isIn(runIndex: number): boolean {
    return this.row.runs.some(([first, last]) => first <= runIndex && runIndex <= last);
  }
}

let status = $state.raw<Status | undefined>();
let runs = $state.raw<RunInfo[]>([]);
let tags = $state.raw<TagEntry[]>([]);
let tagRuns = $state.raw<readonly string[]>([]);
let revision = $state(0);
let ready = $state(false);
let error = $state.raw<Error | undefined>();

const runIndexes = $derived(new Map(tagRuns.map((name, index) => [name, index] as const)));
const tagIndexes = $derived(new Map(tags.map((entry) => [`${entry.kind} ${entry.tag}`, entry] as const)));
const runsByName = $derived(new Map(runs.map((run) => [run.name, run] as const)));
const kinds = $derived(new Set(tags.map((entry) => entry.kind)));

export const catalog = {
  get status(): Status | undefined {
    return status;
  },
  get runs(): RunInfo[] {
    return runs;
  },
  get tags(): TagEntry[] {
    return tags;
  },
  get revision(): number {
    return revision;
  },
  // The first answer is there.
  get ready(): boolean {
    return ready;
  },
  get error(): Error | undefined {
    return error;
  },
  // Kinds of which some run has at least one tag: "scalars", "stats", "histograms", "tensors", "images" ...
  hasKind: (kind: string): boolean => kinds.has(kind),
  run: (name: string): RunInfo | undefined => runsByName.get(name),
};

export type Catalog = typeof catalog;

export function tagsOf(kind: string, run?: string): TagEntry[] {
  const ofKind = tags.filter((entry) => entry.kind === kind);
  if (run === undefined) return ofKind;
  const index = runIndexes.get(run);
  return index === undefined ? [] : ofKind.filter((entry) => entry.isIn(index));
}

export function findTag(tag: string, kind: string): TagEntry | undefined {
  return tagIndexes.get(`${kind} ${tag}`);
}

export function runsWith(tag: string, kind: string): string[] {
  return findTag(tag, kind)?.runs ?? [];
}

// Longer lists are asked for only when they changed, not when a series grew.
const SHORT_LIST = 2000;
const RETRY_MS = 3000;
let wantTags = true;
let retry = (): void => {};

async function load(): Promise<void> {
  const withTags = wantTags || tags.length < SHORT_LIST;
  wantTags = false;
  try {
    const [nextStatus, nextRuns, nextTags] = await Promise.all([
      api.status(),
      api.runs(),
      withTags ? api.tags() : undefined,
    ]);
    status = nextStatus;
    live.setProgress(nextStatus);
    runs = nextRuns.runs;
    if (nextTags) {
      tagRuns = nextTags.runs;
      tags = nextTags.tags.map((row) => new TagEntry(row, nextTags.runs));
    }
    revision = Math.min(nextRuns.revision, nextTags?.revision ?? Infinity);
    ready = true;
    error = undefined;
    live.saw(revision);
  } catch (failure) {
    wantTags ||= withTags;
    error = failure instanceof Error ? failure : new Error(String(failure));
    // A lost connection is the live stream's affair: it catches up when it is back.
    if (!ready || live.connection === "live") setTimeout(() => retry(), RETRY_MS);
  }
}

// The page calls this once; it undoes it when it goes.
export function followCatalog(): () => void {
  const pace = new Pace(load);
  // While nobody looks, changes are only noted.
  let missed = false;
  const ask = () => {
    if (untrack(() => ready) && document.visibilityState === "hidden") missed = true;
    else pace.ask();
  };
  const stopListening = onChange((change) => {
    if (change.catalog) wantTags = true;
    ask();
  });
  const looked = () => {
    if (missed && document.visibilityState === "visible") {
      missed = false;
      ask();
    }
  };
  document.addEventListener("visibilitychange", looked);
  ask();
  retry = ask;
  return () => {
    stopListening();
    document.removeEventListener("visibilitychange", looked);
    pace.stop();
    retry = () => {};
  };
}

export function retryCatalog(): void {
  retry();
}
