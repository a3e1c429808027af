// Runs by their hyperparameters and what they reached.
import type { HparamsAnswer, HparamValue, LatestRow } from "$api/types";
import { mainCards } from "$charts/main_metrics";
import { number, NOT_RECORDED } from "$charts/numbers";
import { METRICS, type TagGroup } from "$charts/tag_cards";
import type { ValueKind } from "$charts/curve_scale";

export type MetricOf = "last" | "best";

export interface Metric {
  readonly tag: string;
  readonly kind: ValueKind;
}

export interface HparamRow {
  readonly run: string;
  // Maps: a name like "toString" is a name like any other.
  readonly values: ReadonlyMap<string, HparamValue>;
  readonly metrics: ReadonlyMap<string, number>;
}

// All metrics that can be chosen: those without a folder of their own.
export function metricsOf(groups: readonly TagGroup[]): Metric[] {
  const cards = groups.find((group) => group.name === METRICS)?.cards ?? groups.flatMap((group) => group.cards);
  return cards.flatMap((card) => card.uses.map((use) => ({ tag: use.tag, kind: card.kind })));
}

// The ones to begin with: val before train, of the main cards.
export function firstMetrics(groups: readonly TagGroup[]): string[] {
  const uses = mainCards(groups).flatMap((card) => card.uses);
  return [...uses.filter((use) => use.role === "val"), ...uses.filter((use) => use.role !== "val")].map((use) => use.tag).slice(0, 4);
}

export function metricValue(row: LatestRow, kind: ValueKind, of: MetricOf): number {
  if (of === "last" || (kind !== "loss" && kind !== "fraction")) return row.last_value;
  return kind === "loss" ? row.min : row.max;
}

export function rowsOf(answer: HparamsAnswer, latest: readonly LatestRow[], metrics: readonly Metric[], of: MetricOf, isShown: (run: string) => boolean): HparamRow[] {
  const kindOf = new Map(metrics.map((metric) => [metric.tag, metric.kind]));
  const reached = new Map<string, Map<string, number>>();
  for (const row of latest) {
    const kind = kindOf.get(row.tag);
    if (kind === undefined) continue;
    const known = reached.get(row.run) ?? new Map<string, number>();
    reached.set(row.run, known.set(row.tag, metricValue(row, kind, of)));
  }
  return answer.runs
    .filter((run) => isShown(run.run))
    .map((run) => ({ run: run.run, values: new Map(Object.entries(run.values)), metrics: reached.get(run.run) ?? new Map<string, number>() }));
}

// Names that most runs recorded come first.
export function byCoverage(rows: readonly HparamRow[], names: readonly string[]): string[] {
  const recorded = new Map(names.map((name) => [name, rows.filter((row) => (row.values.get(name) ?? null) !== null).length]));
  return [...names].sort((a, b) => (recorded.get(b) ?? 0) - (recorded.get(a) ?? 0));
}

// A single run has nothing to differ from: all of its names are shown.
export function differing(rows: readonly HparamRow[], names: readonly string[]): string[] {
  if (rows.length < 2) return [...names];
  return names.filter((name) => new Set(rows.map((row) => JSON.stringify(row.values.get(name) ?? null))).size > 1);
}

// A row matches by its run or by "name=value" of a hyperparameter.
export function matches(row: HparamRow, pattern: RegExp): boolean {
  return pattern.test(row.run) || [...row.values].some(([name, value]) => pattern.test(`${name}=${String(value)}`));
}

export function writeValue(value: HparamValue | undefined): string {
  if (value === null || value === undefined) return NOT_RECORDED;
  if (typeof value !== "number") return String(value);
  // As it was typed: 0.001, not 1.000e-3.
  return Number.isInteger(value) || Math.abs(value) >= 1e-4 ? String(Number(value.toPrecision(6))) : number(value, 3);
}

export type SortKey = number | string | undefined;

// "run", "metric:TAG" or "hparam:NAME".
export function keyOf(row: HparamRow, id: string): SortKey {
  if (id.startsWith("metric:")) return row.metrics.get(id.slice("metric:".length));
  if (!id.startsWith("hparam:")) return row.run;
  const value = row.values.get(id.slice("hparam:".length));
  return value === null || value === undefined ? undefined : typeof value === "boolean" ? Number(value) : value;
}

const collator = new Intl.Collator("en", { numeric: true });

// What was not recorded, and NaN, always comes last.
export function sortRows(rows: readonly HparamRow[], id: string, descending: boolean): HparamRow[] {
  const missing = (key: SortKey): boolean => key === undefined || (typeof key === "number" && Number.isNaN(key));
  return [...rows].sort((rowA, rowB) => {
    const a = keyOf(rowA, id);
    const b = keyOf(rowB, id);
    if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b)) || collator.compare(rowA.run, rowB.run);
    const order = typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
    return (descending ? -order : order) || collator.compare(rowA.run, rowB.run);
  });
}
