// The rows and columns of the table of runs: what each run reached, with what, in which time.
import type { HparamValue, LatestRow, RunInfo } from "$api/types";
import type { Goal } from "$charts/main_metrics";
import { bytes, count, number, percent, seconds, NOT_RECORDED } from "$charts/numbers";
import { recordingCost } from "$state/recording_cost";

export interface RunRow {
  readonly run: RunInfo;
  readonly best: number | undefined;
  readonly lastLoss: number | undefined;
  readonly stepSeconds: number | undefined;
  readonly duration: number | undefined;
  // A map: a name like "toString" is a name like any other.
  readonly hparams: ReadonlyMap<string, HparamValue>;
}

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly numeric: boolean;
  readonly write: (row: RunRow) => string;
  // What rows are sorted by; undefined comes last.
  readonly key: (row: RunRow) => number | string | undefined;
  readonly isBad?: (row: RunRow) => boolean;
}

export interface TableTags {
  readonly goal: Goal | null;
  readonly loss: { readonly tag: string; readonly title: string } | null;
  readonly stepSeconds: string | null;
}

export function rowsOf(
  runs: readonly RunInfo[],
  latest: readonly LatestRow[],
  tags: TableTags,
  hparamsOf: (run: string) => Readonly<Record<string, HparamValue>> | undefined,
): RunRow[] {
  const found = new Map(latest.map((row) => [`${row.run}\n${row.tag}`, row]));
  const at = (run: string, tag: string | undefined | null): LatestRow | undefined => (tag === undefined || tag === null ? undefined : found.get(`${run}\n${tag}`));
  return runs.map((run) => {
    const goal = at(run.name, tags.goal?.tag);
    // No finite value at all: the best is not a number either.
    const best = goal === undefined ? undefined : tags.goal?.largest ? goal.max : goal.min;
    const { first_wall_time: first, last_wall_time: last } = run;
    return {
      run,
      best,
      lastLoss: at(run.name, tags.loss?.tag)?.last_value,
      stepSeconds: at(run.name, tags.stepSeconds)?.last_value,
      duration: first === null || last === null ? undefined : last - first,
      hparams: new Map(Object.entries(hparamsOf(run.name) ?? {})),
    };
  });
}

const MOST_HPARAMS = 12;

const isBadNumber = (value: number | undefined): boolean => value !== undefined && !Number.isFinite(value);

export function writeHparam(value: HparamValue | undefined): string {
  if (value === null || value === undefined) return NOT_RECORDED;
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
}

// Hyperparameters in which the runs differ that recorded any: the others explain nothing. Those of most runs come first.
export function differingHparams(all: readonly RunRow[], names: readonly string[]): string[] {
  const rows = all.filter((row) => row.hparams.size > 0);
  const recorded = (name: string): number => rows.filter((row) => (row.hparams.get(name) ?? null) !== null).length;
  const different = names.filter((name) => new Set(rows.map((row) => JSON.stringify(row.hparams.get(name) ?? null))).size > 1);
  return different.map((name) => ({ name, recorded: recorded(name) })).sort((a, b) => b.recorded - a.recorded).map(({ name }) => name).slice(0, MOST_HPARAMS);
}

export function columnsOf(rows: readonly RunRow[], tags: TableTags, hparamNames: readonly string[]): Column[] {
  const { goal, loss } = tags;
  const isShare = goal?.largest === true && rows.every((row) => row.best === undefined || Number.isNaN(row.best) || (row.best >= 0 && row.best <= 1));
  const columns: Column[] = [
    { id: "step", title: "Step", numeric: true, write: (row) => count(row.run.last_step), key: (row) => row.run.last_step ?? undefined },
  ];
  if (goal !== null) {
    const write = (row: RunRow): string => (isShare && row.best !== undefined && Number.isFinite(row.best) ? percent(row.best, 1) : number(row.best));
    columns.push({ id: "best", title: goal.title, numeric: true, write, key: (row) => row.best, isBad: (row) => isBadNumber(row.best) });
  }
  if (loss !== null) {
    columns.push({ id: "loss", title: loss.title, numeric: true, write: (row) => number(row.lastLoss), key: (row) => row.lastLoss, isBad: (row) => isBadNumber(row.lastLoss) });
  }
  // Columns that only troubled runs bring: they stand where they are seen.
  if (rows.some((row) => row.run.dropped > 0)) {
    columns.push({ id: "dropped", title: "Dropped", numeric: true, write: (row) => count(row.run.dropped), key: (row) => row.run.dropped, isBad: (row) => row.run.dropped > 0 });
  }
  if (rows.some((row) => row.run.damaged_places > 0)) {
    columns.push({ id: "damaged", title: "Damaged places", numeric: true, write: (row) => count(row.run.damaged_places), key: (row) => row.run.damaged_places, isBad: (row) => row.run.damaged_places > 0 });
  }
  for (const name of differingHparams(rows, hparamNames)) {
    const numeric = rows.every((row) => typeof (row.hparams.get(name) ?? 0) === "number");
    columns.push({ id: `hparam:${name}`, title: name, numeric, write: (row) => writeHparam(row.hparams.get(name)), key: (row) => sortable(row.hparams.get(name)) });
  }
  columns.push({ id: "duration", title: "Duration", numeric: true, write: (row) => seconds(row.duration), key: (row) => row.duration });
  if (tags.stepSeconds !== null) {
    columns.push({ id: "step_seconds", title: "Last step took", numeric: true, write: (row) => seconds(row.stepSeconds), key: (row) => row.stepSeconds });
  }
  if (rows.some((row) => recordingSeconds(row) !== undefined)) {
    columns.push({ id: "recording", title: "Recording took", numeric: true, write: writeRecording, key: recordingSeconds });
  }
  columns.push({ id: "size", title: "Size", numeric: true, write: (row) => bytes(row.run.size_bytes), key: (row) => row.run.size_bytes });
  return columns;
}

function recordingSeconds({ run }: RunRow): number | undefined {
  const cost = recordingCost([run]);
  return cost && cost.caller + cost.worker;
}

function writeRecording({ run }: RunRow): string {
  const cost = recordingCost([run]);
  if (cost === undefined) return NOT_RECORDED;
  return [seconds(cost.caller + cost.worker), ...(cost.share === undefined ? [] : [percent(cost.share, 1)])].join(", ");
}

function sortable(value: HparamValue | undefined): number | string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "boolean" ? Number(value) : value;
}

const collator = new Intl.Collator("en", { numeric: true });

// Best first, nothing and NaN always last; "" keeps the newest runs first.
export function sorted(rows: readonly RunRow[], key: (row: RunRow) => number | string | undefined, descending: boolean): RunRow[] {
  const missing = (value: number | string | undefined): boolean => value === undefined || (typeof value === "number" && Number.isNaN(value));
  return [...rows].sort((rowA, rowB) => {
    const a = key(rowA);
    const b = key(rowB);
    if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b)) || collator.compare(rowA.run.name, rowB.run.name);
    const order = typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
    return (descending ? -order : order) || collator.compare(rowA.run.name, rowB.run.name);
  });
}
